// The map is the way in: tap a unit, then an enemy for the odds, a place for the way there, two hexes for the line between them.
// Reach, supply and sight are drawn over the map. Fingers, wheel, buttons and keys move it.
import { standalone, download, face, file, get, picture, post, whenServerIsBack } from "./api.js";
import { renderNodes } from "./nodes.js";
import { beginTable, changeTable, chosenMap, chosenTable, counter, endTable, followSaves, liveTable, tableChooser } from "./position.js";
import { T } from "./texts.js";
import { button, chip, el, go, addToLog, openSheet, questionTitle, svgElement, stepper, title, errorLine } from "./tools.js";

const SCALE = 3.2; // pixels a millimetre at zoom 1
const DOUBLE_TAP = 260; // milliseconds in which a second tap makes a double tap
const READABLE = 30; // pixels that a counter has at first look

export async function map(game, main, initial) {
  main.className = "wide";
  const world = el("div", { class: "world" });
  const view = el("div", { id: "map", tabindex: "0", role: "application", "aria-label": T.mapKeys }, world);
  const panel = el("div", { class: "float", "aria-live": "polite" });
  const find = el("input", { type: "search", placeholder: T.findPlace, "aria-label": T.findPlaceOrUnit, list: "spots", autocapitalize: "off", autocomplete: "off" });
  const spots = el("datalist", { id: "spots" });
  const controls = el("div", { class: "controls" },
    button("+", () => zoomMiddle(1.5), { "aria-label": T.zoomIn }), button("−", () => zoomMiddle(1 / 1.5), { "aria-label": T.zoomOut }),
    button("□", () => showWhole(), { "aria-label": T.wholeMap }));
  main.replaceChildren(view, controls, el("form", { class: "find", onsubmit: (event) => { event.preventDefault(); seek(find.value); } }, find, spots), panel);

  view.spots = () => sheet.places.map((spot) => ({ ...spot, left: viewBox().left + camera.x + spot.x * SCALE * camera.zoom, top: viewBox().top + camera.y + spot.y * SCALE * camera.zoom }));
  const overlay = svgElement("svg", { class: "over" });
  let sheet = null, pieces = {}, mapOf = "", size = 12.5, camera = { x: 0, y: 0, zoom: 0.4 };
  let pendingMove = null; // pieces of a live table that the next tap places: the panel shows them until they are placed or left
  let drawnVersion = null; // the version of the live table that the map shows
  let source = null, target = null, moreSources = [], chosenKeys = new Set(), lastRequest = 0;
  const question = (id) => game.questions.find((entry) => entry.id === id);
  const inputOf = (id, name) => question(id)?.fields.find((field) => field.name === name || field.aliases?.includes(name));
  const placeLabel = (spot) => (spot.title ? (sheet.hexes ? `${spot.title} ${spot.name}` : spot.title) : spot.name);
  const spotOf = (name) => sheet.places.find((place) => place.name === name);

  // Draws the map and who stands on it. `again`: a save has changed, so what is looked at and asked stays.
  // A map that is still on its way isn't tapped, and one that comes after a newer choice isn't drawn.
  let loading = null;
  function load(isRefresh = false) {
    const current = loading = drawMap(isRefresh, () => loading === current).finally(() => { if (loading === current) view.removeAttribute("aria-busy"); });
    return current;
  }
  async function drawMap(isRefresh, isNewest) {
    const { scenario, save } = chosenMap(game), name = encodeURIComponent(scenario);
    const isSameMap = isRefresh && scenario === mapOf, version = liveTable(game)?.live ?? null;
    if (!isSameMap) {
      view.setAttribute("aria-busy", "true");
      panel.replaceChildren(el("p", { class: "quiet" }, T.drawingMap));
    }
    const [places, sheetText, loadedPieces] = await Promise.all([
      file(`data/${game.id}/spots/${name}.json`), file(`data/${game.id}/map/${name}.svg`),
      save ? get(`api/${game.id}/pieces/${name}/${save}`) : file(`data/${game.id}/pieces/${name}.json`)]);
    if (!isNewest()) return;
    sheet = places;
    pieces = loadedPieces;
    drawnVersion = version;
    if (!isSameMap) {
      mapOf = scenario;
      world.style.width = `${places.width * SCALE}px`;
      world.style.height = `${places.height * SCALE}px`;
      overlay.setAttribute("viewBox", `0 0 ${places.width} ${places.height}`);
      spots.replaceChildren(...places.places.filter((place) => place.title).map((place) => el("option", { value: place.name }, place.title)));
      size = counterSize(places);
    }
    const svg = picture(sheetText);
    svg.setAttribute("aria-hidden", "true");
    world.replaceChildren(svg, overlay);
    drawPieces(svg);
    if (isSameMap) {
      if (pendingMove) await checkMove();
      else if (source) await answer();
      else clear();
      return;
    }
    clear();
    const readableZoom = READABLE / size / SCALE;
    camera.zoom = Math.max(view.clientWidth / (places.width * SCALE), Math.min(1.2, readableZoom));
    centre(places.front);
  }

  // The pieces of each place, at most three of them drawn one over the other, the number of all beside them.
  async function drawPieces(svg) {
    const shownSheet = sheet;
    const stacks = sheet.places.filter((spot) => pieces[spot.name]).map((spot) => [spot, pieces[spot.name]]);
    const faces = await Promise.all(stacks.map(([, units]) => Promise.all(units.slice(0, 3).map((unit) => face(game, unit.unit, unit.side)))));
    if (sheet !== shownSheet) return;
    const layer = svgElement("g", {});
    for (const [number, [spot, units]] of stacks.entries()) {
      const depth = Math.min(units.length, 3);
      for (let level = depth - 1; level >= 0; level -= 1) {
        const shift = (depth - 1 - level - (depth - 1) / 2) * size * 0.1;
        const box = { x: spot.x - size / 2 + shift, y: spot.y - size / 2 - shift, width: size, height: size };
        const faceElement = picture(faces[number][level]);
        if (faceElement) for (const [key, value] of Object.entries(box)) faceElement.setAttribute(key, value);
        layer.append(...(faceElement ? [faceElement] : []), svgElement("rect", { ...box, fill: faceElement ? "none" : "#d8cbb0", stroke: "#2a1f10", "stroke-width": 0.4 }));
      }
      if (units.length > 1) {
        layer.append(svgElement("circle", { cx: spot.x + size / 2, cy: spot.y - size / 2, r: size * 0.19, fill: "#2d2a24" }), svgText(spot.x + size / 2, spot.y - size / 2, units.length, size * 0.27, "#fff3d6"));
      }
    }
    svg.append(layer);
  }
  const svgText = (x, y, text, height, fill) => {
    const element = svgElement("text", { x, y: y + height * 0.36, "font-size": height, "font-weight": 700, "text-anchor": "middle", fill, "font-family": "Source Sans Pro" });
    element.textContent = String(text);
    return element;
  };

  // Moving and zooming.
  function applyCamera() { world.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.zoom})`; }
  function zoom(factor, x, y) {
    const next = Math.min(6, Math.max(0.08, camera.zoom * factor));
    camera.x = x - (x - camera.x) * next / camera.zoom;
    camera.y = y - (y - camera.y) * next / camera.zoom;
    camera.zoom = next;
    applyCamera();
  }
  const freeHeight = () => Math.max(120, view.clientHeight - panel.offsetHeight);
  const zoomMiddle = (factor) => zoom(factor, view.clientWidth / 2, freeHeight() / 2);
  function centre(spot) {
    camera.x = view.clientWidth / 2 - spot.x * SCALE * camera.zoom;
    camera.y = freeHeight() / 2 - spot.y * SCALE * camera.zoom;
    applyCamera();
  }
  function showWhole() {
    camera.zoom = Math.min(view.clientWidth / (sheet.width * SCALE), freeHeight() / (sheet.height * SCALE));
    centre({ x: sheet.width / 2, y: sheet.height / 2 });
  }
  const viewBox = () => view.getBoundingClientRect();
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - viewBox().left, event.clientY - viewBox().top);
  }, { passive: false });
  view.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] }[event.key];
    if (step) { camera.x += step[0]; camera.y += step[1]; applyCamera(); }
    else if (event.key === "+" || event.key === "=") zoomMiddle(1.5);
    else if (event.key === "-") zoomMiddle(1 / 1.5);
    else if (event.key === "0") showWhole();
    else if (event.key === "Escape") clear();
    else return;
    event.preventDefault();
  });
  const fingers = new Map();
  let distance = 0, tapTimer = 0;
  view.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) distance = 0;
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener("pointermove", (event) => {
    const previous = fingers.get(event.pointerId);
    if (!previous) return;
    const dx = event.clientX - previous.clientX, dy = event.clientY - previous.clientY;
    if (fingers.size === 1) {
      camera.x += dx;
      camera.y += dy;
      distance += Math.abs(dx) + Math.abs(dy);
      applyCamera();
    } else if (fingers.size === 2) {
      const otherFinger = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const distanceTo = (a) => Math.hypot(a.clientX - otherFinger.clientX, a.clientY - otherFinger.clientY);
      distance = 100;
      zoom(distanceTo(event) / Math.max(1, distanceTo(previous)), (event.clientX + otherFinger.clientX) / 2 - viewBox().left, (event.clientY + otherFinger.clientY) / 2 - viewBox().top);
    }
    fingers.set(event.pointerId, event);
  });
  const endTouch = (event) => {
    const isKnown = fingers.delete(event.pointerId);
    if (!isKnown || event.type !== "pointerup" || distance >= 8 || fingers.size || view.hasAttribute("aria-busy")) return;
    if (tapTimer) { // the second of two taps zooms, and neither of them chooses
      clearTimeout(tapTimer);
      tapTimer = 0;
      zoom(2, event.clientX - viewBox().left, event.clientY - viewBox().top);
      return;
    }
    const x = (event.clientX - viewBox().left - camera.x) / camera.zoom / SCALE, y = (event.clientY - viewBox().top - camera.y) / camera.zoom / SCALE, tappedSheet = sheet;
    tapTimer = setTimeout(() => {
      tapTimer = 0;
      const nearby = sheet === tappedSheet && view.isConnected && nearest(sheet, x, y);
      if (nearby) choose(nearby);
    }, DOUBLE_TAP);
  };
  view.addEventListener("pointerup", endTouch);
  view.addEventListener("pointercancel", endTouch);

  // A place or a unit by its name.
  async function seek(text) {
    const plain = text.trim().toLowerCase();
    if (!plain) return;
    await loading;
    // A name may begin with the nation, which nobody needs to type.
    const isNamed = (unit) => unit.unit === plain || ` ${unit.name.toLowerCase()}`.endsWith(` ${plain}`);
    const byUnit = () => Object.entries(pieces).find(([, units]) => units.some(isNamed));
    const spot = sheet.places.find((place) => place.name.toLowerCase() === plain) ?? sheet.places.find((place) => place.title.toLowerCase() === plain)
      ?? spotOf(byUnit()?.[0]) ?? sheet.places.find((place) => place.title.toLowerCase().startsWith(plain));
    if (!spot) { panel.replaceChildren(errorLine(T.noPlace(text))); return; }
    if (camera.zoom < READABLE / size / SCALE) camera.zoom = READABLE / size / SCALE;
    centre(spot);
    choose(spot);
  }

  // Choosing: the first place with its units; then an enemy, a place to go to or to look at.
  const units = (spot) => (pieces[spot.name] ?? []).filter((piece) => !piece.marker);
  const keyOf = (unit) => `${unit.unit}/${unit.copy}`;
  const player = () => chosenUnits()[0]?.player;
  function clear() {
    source = target = null;
    moreSources = [];
    chosenKeys = new Set();
    lastRequest += 1;
    overlay.replaceChildren();
    pendingMove = null;
    panel.replaceChildren(tableChooser(game, () => load().catch((error) => panel.replaceChildren(errorLine(error))), false),
      el("p", { class: "quiet" }, T.tapUnit), tableRow());
  }
  function choose(spot) {
    if (pendingMove) return finishMove(spot);
    if (source && spot.name === source.name) target = null;
    else if (source && chosenUnits().length && units(spot).some((unit) => unit.player === player()) && !target) {
      moreSources = moreSources.some((place) => place.name === spot.name) ? moreSources.filter((place) => place.name !== spot.name) : [...moreSources, spot];
    } else if (source && (chosenUnits().length || question("los"))) target = spot;
    else begin(spot);
    answer();
  }
  function begin(spot) {
    source = spot;
    target = null;
    moreSources = [];
    const side = units(spot)[0]?.player;
    chosenKeys = new Set(units(spot).filter((unit) => unit.player === side).map(keyOf));
  }
  const hasTwins = (unit) => Object.values(pieces).flat().filter((other) => other.unit === unit.unit).length > 1;
  const unitText = (unit) => unit.unit + (unit.copy && hasTwins(unit) ? `/${unit.copy}` : "") + unit.states.map((state) => `+${state}`).join("");
  const chosenUnits = () => (source ? units(source) : []).filter((unit) => chosenKeys.has(keyOf(unit)));
  const attackingUnits = () => [...chosenUnits(), ...moreSources.flatMap((spot) => units(spot).filter((unit) => unit.player === player()))];

  const ring = (spot, color) => svgElement("circle", { cx: spot.x, cy: spot.y, r: size * 0.68, fill: "none", stroke: color, "stroke-width": size * 0.11 });
  function mark() {
    overlay.replaceChildren(ring(source, "#c2182b"), ...moreSources.map((spot) => ring(spot, "#c2182b")), ...(target ? [ring(target, "#123f7a")] : []));
  }

  // A counter of the map in the panel.
  const token = (unit, attributes) => {
    const states = unit.states.map((state) => game.states[state]).join(", ");
    return counter(game, unit.unit, { side: unit.side, "aria-label": states ? `${unit.name}, ${states}` : unit.name, title: unit.name, ...attributes },
      states ? el("span", { class: "tag" }, states) : null);
  };

  async function answer() {
    if (pendingMove) return showMove();
    const request = ++lastRequest;
    mark();
    const choosing = (unit) => { const key = keyOf(unit); chosenKeys.has(key) ? chosenKeys.delete(key) : chosenKeys.add(key); answer(); };
    const tray = el("div", { class: "tray small" }, ...units(source).map((unit) => token(unit,
      { "aria-pressed": String(chosenKeys.has(keyOf(unit))), onclick: () => choosing(unit) })));
    const markers = (pieces[source.name] ?? []).filter((piece) => piece.marker).map((piece) => piece.name);
    const body = el("div", { class: "answer" });
    const close = button("×", clear, { "aria-label": T.clearChoice, class: "round" });
    if (target) {
      panel.replaceChildren(
        el("div", { class: "headline" }, el("h2", { class: "grow" }, [source, ...moreSources].map(placeLabel).join(", "), " → ", placeLabel(target)), close),
        el("div", { class: "versus" }, el("div", { class: "tray small" }, ...attackingUnits().map((unit) => token(unit, { onclick: () => { target = null; answer(); } }))),
          el("span", { "aria-hidden": "true" }, "→"),
          el("div", { class: "tray small" }, ...units(target).map((unit) => token(unit, { onclick: () => { begin(target); answer(); } })))), body);
    } else {
      panel.replaceChildren(
        el("div", { class: "headline" }, el("h2", { class: "grow" }, placeLabel(source), el("small", {}, source.terrain ? ` ${source.terrain.toLowerCase()}` : "", markers.length ? `; ${markers.join(", ").toLowerCase()}` : "")), close),
        tray, questionChips(body), ...editing(), body);
      return;
    }
    const targetUnits = units(target);
    const isEnemy = targetUnits.some((unit) => unit.player !== player());
    const parts = [];
    if (chosenUnits().length && isEnemy && inputOf("odds", "at")) parts.push(["odds", attack(target)]);
    else if (chosenUnits().length && inputOf("move", "to")) parts.push(["move", { unit: unitsInput("move"), to: target.name }]);
    if (question("los")) parts.push(["los", { hexes: `${source.name},${target.name}` }]);
    body.replaceChildren(el("p", { class: "quiet" }, T.oneMoment));
    const replies = await Promise.all(parts.map(async ([id, inputs]) => {
      try { return [id, await askQuestion(id, inputs)]; } catch (error) { return [id, null, error]; }
    }));
    if (request !== lastRequest) return;
    body.replaceChildren(...replies.flatMap(([id, reply, error]) => (reply ? answerLines(id, reply) : [errorLine(error)])));
    for (const [id, reply] of replies) if (reply) draw(id, reply);
    if (!parts.length) body.append(el("p", { class: "quiet" }, T.nothingDeclared));
  }

  // Who attacks a place, and whose units they are: all units of the places, or those that were chosen.
  function attack(place) {
    const attackers = attackingUnits().filter((unit) => unit.player === player());
    const all = attackers.length === [source, ...moreSources].flatMap(units).filter((unit) => unit.player === player()).length;
    const byPlace = inputOf("odds", "from") && (all || !inputOf("odds", "attackers"));
    return {
      ...(byPlace ? { from: [source, ...moreSources].map((spot) => spot.name).join(",") } : { attackers: attackers.map(unitText).join(",") }),
      at: place.name, ...(inputOf("odds", "side") ? { side: player() } : {}),
    };
  }

  const askQuestion = (id, inputs) => post(game, "ask", { question: id, inputs: { ...inputs, ...chosenTable(game) } });
  const answerLines = (id, reply) => {
    addToLog(game, `${questionTitle(id)} ${placeLabel(source)}${target ? ` to ${placeLabel(target)}` : ""}: ${headline(reply.nodes)}`);
    const tap = { place: (name) => { const spot = spotOf(name); if (spot) centre(spot); } };
    return id === "odds" ? shortAnswer(reply.nodes, tap) : renderNodes(reply.nodes, tap);
  };

  // The chosen units as a question takes them: all, or the first where it takes one.
  const unitsInput = (id) => (inputOf(id, "unit")?.kind === "unit" ? chosenUnits().slice(0, 1) : chosenUnits()).map(unitText).join(",");

  // A live table: pieces are moved, marked, taken off and brought on; every device sees it.
  const pieceKeys = (list) => list.map((unit) => [unit.unit, unit.copy]);
  async function change(changes, next = clear) {
    try {
      await changeTable(game, changes, drawnVersion);
      await load(true);
      next();
    } catch (error) {
      await load(true).catch(() => {});
      panel.append(errorLine(error));
    }
  }
  function tableRow() {
    const table = liveTable(game);
    if (!table) return el("div", { class: "chips" }, button(T.playFromHere, async () => { try { await beginTable(game); await load(); } catch (error) { panel.append(errorLine(error)); } }));
    const input = el("input", { value: table.turn, inputmode: "numeric", "aria-label": T.turn, onchange: () => change({ turn: Number(input.value) }) });
    return el("div", { class: "chips" }, el("span", { class: "turn" }, T.turn, stepper(T.turn, input, (value) => change({ turn: Number(value) }))),
      button(T.undo, () => change({ undo: true }), { disabled: !table.undo }), button(T.offTheMap, showOffMap),
      button(T.saveAsFile, () => saveAs("position", "yaml")),
      game.vassal && !standalone ? button(T.saveForVassal, () => saveAs("vassal", "vsav")) : null,
      button(T.endTable, async () => {
        if (!confirm(T.reallyEnd)) return;
        try { await endTable(game); await load(); } catch (error) { panel.append(errorLine(error)); }
      }));
  }
  async function saveAs(kind, ending) {
    try { await download(`api/${game.id}/${kind}/${liveTable(game).id}`, `${game.id}.${ending}`); } catch (error) { panel.append(errorLine(error)); }
  }
  // The move that was begun: what the panel shows is what the next tap does, whatever comes from elsewhere meanwhile.
  function beginMove(list) {
    pendingMove = { list, table: liveTable(game).id, places: new Map(list.map((unit) => [keyOf(unit), placeOf(unit)])), error: null, sent: false };
    showMove();
  }
  const placeOf = (unit) => Object.keys(pieces).find((name) => pieces[name].some((piece) => keyOf(piece) === keyOf(unit))) ?? "";
  function showMove() {
    lastRequest += 1;
    panel.replaceChildren(el("div", { class: "headline" }, el("h2", { class: "grow" }, T.tapWhere), button("×", clear, { "aria-label": T.leaveIt, class: "round" })),
      el("div", { class: "tray small" }, ...pendingMove.list.map((unit) => token(unit, {}))), ...(pendingMove.error ? [errorLine(pendingMove.error)] : []));
  }
  // Whether the pieces are still where they were taken up; if somebody else has moved them, they are left there.
  function checkMove() {
    const movedAway = pendingMove.list.find((unit) => placeOf(unit) !== pendingMove.places.get(keyOf(unit)));
    if (liveTable(game)?.id === pendingMove.table && (!movedAway || pendingMove.sent)) return showMove();
    clear();
    if (movedAway) panel.append(errorLine(T.movedMeanwhile(movedAway.name)));
  }
  async function finishMove(spot) {
    const move = pendingMove;
    if (move.sent) return;
    move.sent = true;
    try {
      await changeTable(game, { move: pieceKeys(move.list), to: spot.name }, drawnVersion);
    } catch (error) {
      if (pendingMove !== move) return;
      Object.assign(move, { error, sent: false });
      showMove();
      await load(true).catch(() => {});
      return;
    }
    if (pendingMove === move) pendingMove = null;
    await load(true).catch(() => {});
    begin(spot);
    answer();
  }
  async function showOffMap() {
    try {
      const offMap = await get(`api/${game.id}/away/${encodeURIComponent(chosenMap(game).scenario)}/${liveTable(game).id}`);
      const name = (location) => title(location.replace("setup:", T.toSetUp).replace("turn:", T.turnNumber).replace("box:", ""));
      const panelSheet = openSheet(el("h2", { class: "grow" }, T.offTheMap), el("div", {}, ...Object.entries(offMap).flatMap(([location, list]) => [el("h2", {}, name(location)),
        el("div", { class: "tray small" }, ...list.map((unit) => token(unit, { onclick: () => { panelSheet.close(); beginMove([unit]); } })))])));
    } catch (error) { panel.append(errorLine(error)); }
  }
  function editing() {
    const list = chosenUnits();
    if (!liveTable(game) || !list.length) return [];
    const states = [...new Set(list.flatMap((unit) => [...unit.states, ...(unit.turned ? [unit.turned] : [])]))];
    const steps = Math.max(...list.map((unit) => unit.lost));
    return [el("details", {}, el("summary", {}, T.moveOrChange), el("div", { class: "chips" },
      button(T.move, () => beginMove(list), { class: "main" }), button(T.loseStep, () => change({ lost: pieceKeys(list), steps: steps + 1 }, answer)),
      steps ? button(T.stepBack, () => change({ lost: pieceKeys(list), steps: steps - 1 }, answer)) : null,
      button(T.takeOff, () => change({ remove: pieceKeys(list) }))),
    el("div", { class: "chips" }, ...Object.entries(game.states).map(([id, stateLabel]) => chip(stateLabel, states.includes(id), (isOn) =>
      change({ states: pieceKeys(list), now: isOn ? [...states, id] : states.filter((state) => state !== id) }, answer)))))];
  }

  // What can be asked of the units or the place that was chosen.
  function questionChips(body) {
    const unit = chosenUnits().map(unitText).join(",");
    const run = (id, inputs) => async () => {
      const request = ++lastRequest;
      target = null;
      mark();
      body.replaceChildren(el("p", { class: "quiet" }, T.oneMoment));
      try {
        const reply = await askQuestion(id, inputs);
        if (request !== lastRequest) return;
        body.replaceChildren(...answerLines(id, reply));
        draw(id, reply);
      } catch (error) {
        if (request === lastRequest) body.replaceChildren(errorLine(error));
      }
    };
    const chips = [];
    if (unit && inputOf("odds", "at") && units(source).some((other) => other.player !== player())) chips.push(button(T.attackHere, run("odds", attack(source))));
    if (unit && inputOf("move", "unit")) chips.push(button(T.reach, run("move", { unit: unitsInput("move") })));
    if (question("los")) chips.push(button(T.sees, run("los", { hexes: source.name })));
    if (question("supply")) chips.push(button(T.supply, run("supply", inputOf("supply", "side") && player() ? { side: player() } : {})));
    if (unit && inputOf("retreat", "unit")) chips.push(button(T.waysBack, run("retreat", { unit: unitsInput("retreat") })));
    if (question("stack") && inputOf("stack", "at")) chips.push(button(T.stacking, run("stack", { at: source.name })));
    const asks = game.questions.flatMap((entry) => {
      const fittingShapes = entry.fields.filter((shape) => !shape.what_if && (unit ? ["unit", "units"].includes(shape.kind) : shape.kind === "place") && !["defenders", "targets"].includes(shape.name));
      return fittingShapes.length ? [[entry, fittingShapes.find((shape) => shape.name !== "from") ?? fittingShapes[0]]] : [];
    });
    const more = el("select", { "aria-label": T.moreQuestions, onchange: () => {
      const [entry, shape] = asks[more.value];
      go(game.id, "ask", { question: entry.id, [shape.name]: unit ? chosenUnits()[0].unit : source.name });
    } }, el("option", { value: "", selected: true }, T.more), ...asks.map(([entry], number) => el("option", { value: number }, questionTitle(entry.id))));
    return el("div", { class: "chips" }, ...chips, ...(asks.length ? [more] : []));
  }

  // Draws what an answer says of places: reach with its points, ways, lines of sight, who is in supply.
  function draw(id, reply) {
    const shapes = [];
    const visit = (nodes) => nodes.forEach((node) => {
      if (node.nodes) visit(node.nodes);
      if (node.kind === "places") shapes.push(...node.places.flatMap((place) => placeShapes(place, id)));
      if (node.kind === "path" && id !== "los") shapes.push(...pathLine(node.places, "#123f7a")); // a line of sight is drawn straight
    });
    visit(reply.nodes);
    if (id === "los" && target) {
      const isClear = reply.answer.clear;
      shapes.push(svgElement("line", { x1: source.x, y1: source.y, x2: target.x, y2: target.y, stroke: isClear ? "#1b7a3d" : "#c2182b", "stroke-width": size * 0.13, "stroke-dasharray": isClear ? "none" : `${size * 0.3} ${size * 0.2}` }));
    }
    if (id === "supply") {
      const sides = reply.answer.sides ?? [reply.answer];
      shapes.push(...supplyLines(sides));
      const states = new Map(sides.flatMap((side) => side.units ?? []).map((row) => [row.unit, row.supplied]));
      for (const [name, stack] of Object.entries(pieces)) {
        const spot = spotOf(name), stackStates = stack.map((unit) => states.get(unit.unit + (unit.copy ? `/${unit.copy}` : "")) ?? states.get(unit.unit)).filter((state) => state !== undefined);
        if (spot && stackStates.length) shapes.push(ring(spot, stackStates.includes(false) ? "#c2182b" : "#1b7a3d"));
      }
    }
    overlay.prepend(...shapes);
  }
  // The ways of supply of the units that were chosen, and a cross where the enemy would cut most.
  function supplyLines(sides) {
    const chosen = new Set(chosenUnits().flatMap((unit) => [unit.unit, `${unit.unit}/${unit.copy}`]));
    const rows = sides.flatMap((side) => side.units ?? []).filter((row) => chosen.has(row.unit) && row.path?.length);
    const paths = new Map(rows.map((row) => [row.path.join(), row.path.includes(row.place) ? row.path : [...row.path, row.place]]));
    const cuts = sides.flatMap((side) => side.cuts ?? []).flatMap(({ place: cutPlace, count, units: cutUnits }) => {
      const spot = spotOf(cutPlace), arm = size * 0.34;
      if (!spot) return [];
      const cross = svgElement("path", { d: `M${spot.x - arm},${spot.y - arm}L${spot.x + arm},${spot.y + arm}M${spot.x + arm},${spot.y - arm}L${spot.x - arm},${spot.y + arm}`, stroke: "#c2182b", "stroke-width": size * 0.14, "stroke-linecap": "round", fill: "none" });
      return [cross, svgText(spot.x + size * 0.55, spot.y, count ?? cutUnits.length, size * 0.42, "#c2182b")];
    });
    return [...[...paths.values()].flatMap((places) => pathLine(places, "#1b7a3d")), ...cuts];
  }
  function placeShapes(place, id) {
    const spot = spotOf(place.place);
    if (!spot) return [];
    const color = place.stops === "yes" ? "#c06a00" : place.may_end === "no" ? "#6b6354" : "#1b7a3d";
    const shapes = [svgElement("circle", { cx: spot.x, cy: spot.y, r: size * 0.52, fill: color, "fill-opacity": id === "los" ? 0.28 : 0.38 })];
    if (place.cost !== undefined && place.cost !== "0") shapes.push(svgText(spot.x, spot.y, place.cost, size * 0.42, "#10240f"));
    return shapes;
  }
  function pathLine(names, color) {
    const points = names.map(spotOf).filter(Boolean);
    return points.length > 1 ? [svgElement("polyline", { points: points.map((spot) => `${spot.x},${spot.y}`).join(" "), fill: "none", stroke: color, "stroke-width": size * 0.16, "stroke-linejoin": "round", "stroke-opacity": 0.8 })] : [];
  }

  followSaves(game, view, (isSelected) => {
    if (isSelected) load(true).catch((error) => panel.replaceChildren(errorLine(error)));
    else if (!source && !pendingMove) clear();
  });
  whenServerIsBack(view, () => {
    if (pendingMove) pendingMove.error = null;
    load(sheet !== null).catch((error) => panel.replaceChildren(errorLine(error)));
  });
  await load();
  if (initial.at) await seek(initial.at);
}

// An answer to odds: chances and values first, the sums behind them on request.
function shortAnswer(nodes, tap) {
  const isFirst = (node) => ["assumptions", "chances", "warning"].includes(node.kind) || (node.kind === "value" && node.shown) || node.nodes?.some(isFirst);
  const unofficial = (node) => node.kind === "unofficial";
  return [...renderNodes(nodes.filter(isFirst), tap), el("details", {}, el("summary", {}, T.why), ...renderNodes(nodes.filter((node) => !isFirst(node) && !unofficial(node)), tap)),
    ...renderNodes(nodes.filter(unofficial), tap)];
}

// The place nearest to a tap, if it is near enough.
function nearest(sheet, x, y) {
  return sheet.places.reduce((best, spot) => {
    const distance = Math.hypot(spot.x - x, spot.y - y);
    return distance < best.far ? { far: distance, spot } : best;
  }, { far: sheet.hexes ? 14 : 25, spot: null }).spot;
}

// Counters as large as two neighbours leave room for.
function counterSize(sheet) {
  let smallest = Infinity;
  const sample = sheet.places.slice(0, 400);
  for (const [number, place] of sample.entries()) {
    for (const neighbour of sample.slice(number + 1)) smallest = Math.min(smallest, Math.hypot(place.x - neighbour.x, place.y - neighbour.y));
  }
  return Math.min(16, Math.max(6, smallest * 0.8));
}

// The first sentence or value of an answer, for the log.
function headline(nodes) {
  const plain = (value) => (Array.isArray(value) ? value.map(plain).join("") : typeof value === "object" && value ? value.text : String(value ?? ""));
  for (const node of nodes) {
    if (node.kind === "line" || node.kind === "warning") return plain(node.text);
    if (node.kind === "value" && node.shown) return `${node.title} ${plain(node.value)}`;
    if (node.nodes) { const innerText = headline(node.nodes); if (innerText) return plain(node.title) ? `${plain(node.title)}; ${innerText}` : innerText; }
  }
  return "";
}
