// The map is the way in: tap a unit, then an enemy for the odds, a place for the way there, two hexes for the line between them.
// Reach, supply and sight are drawn over the map. Fingers, wheel, buttons and keys move it.
import { alone, download, face, file, get, picture, post, whenServerIsBack } from "./api.js";
import { shownNodes } from "./nodes.js";
import { beginTable, changeTable, chosenMap, chosenTable, counter, endTable, followSaves, liveTable, tableChooser } from "./position.js";
import { T } from "./texts.js";
import { button, chip, el, go, log, open, questionTitle, shape, stepper, title, wrong } from "./tools.js";

const SCALE = 3.2; // pixels a millimetre at zoom 1
const DOUBLE_TAP = 260; // milliseconds in which a second tap makes a double tap
const READABLE = 30; // pixels that a counter has at first look

export async function map(game, main, given) {
  main.className = "wide";
  const world = el("div", { class: "world" });
  const view = el("div", { id: "map", tabindex: "0", role: "application", "aria-label": T.mapKeys }, world);
  const panel = el("div", { class: "float", "aria-live": "polite" });
  const find = el("input", { type: "search", placeholder: T.findPlace, "aria-label": T.findPlaceOrUnit, list: "spots", autocapitalize: "off", autocomplete: "off" });
  const spots = el("datalist", { id: "spots" });
  const controls = el("div", { class: "controls" },
    button("+", () => zoomMiddle(1.5), { "aria-label": T.zoomIn }), button("−", () => zoomMiddle(1 / 1.5), { "aria-label": T.zoomOut }),
    button("□", () => whole(), { "aria-label": T.wholeMap }));
  main.replaceChildren(view, controls, el("form", { class: "find", onsubmit: (event) => { event.preventDefault(); seek(find.value); } }, find, spots), panel);

  view.spots = () => sheet.places.map((spot) => ({ ...spot, left: box().left + at.x + spot.x * SCALE * at.zoom, top: box().top + at.y + spot.y * SCALE * at.zoom }));
  const over = shape("svg", { class: "over" });
  let sheet = null, pieces = {}, mapOf = "", size = 12.5, at = { x: 0, y: 0, zoom: 0.4 };
  let moving = null; // pieces of a live table that the next tap places: the panel shows them until they are placed or left
  let drawn = null; // the version of the live table that the map shows
  let first = null, second = null, others = [], chosen = new Set(), asked = 0;
  const question = (id) => game.questions.find((one) => one.id === id);
  const takes = (id, name) => question(id)?.fields.find((one) => one.name === name || one.aliases?.includes(name));
  const label = (spot) => (spot.title ? (sheet.hexes ? `${spot.title} ${spot.name}` : spot.title) : spot.name);
  const spotOf = (name) => sheet.places.find((one) => one.name === name);

  // Draws the map and who stands on it. `again`: a save has changed, so what is looked at and asked stays.
  // A map that is still on its way isn't tapped, and one that comes after a newer choice isn't drawn.
  let loading = null;
  function load(again = false) {
    const mine = loading = drawMap(again, () => loading === mine).finally(() => { if (loading === mine) view.removeAttribute("aria-busy"); });
    return mine;
  }
  async function drawMap(again, newest) {
    const { scenario, save } = chosenMap(game), name = encodeURIComponent(scenario);
    const stays = again && scenario === mapOf, version = liveTable(game)?.live ?? null;
    if (!stays) {
      view.setAttribute("aria-busy", "true");
      panel.replaceChildren(el("p", { class: "quiet" }, T.drawingMap));
    }
    const [places, sheetText, standing] = await Promise.all([
      file(`data/${game.id}/spots/${name}.json`), file(`data/${game.id}/map/${name}.svg`),
      save ? get(`api/${game.id}/pieces/${name}/${save}`) : file(`data/${game.id}/pieces/${name}.json`)]);
    if (!newest()) return;
    sheet = places;
    pieces = standing;
    drawn = version;
    if (!stays) {
      mapOf = scenario;
      world.style.width = `${places.width * SCALE}px`;
      world.style.height = `${places.height * SCALE}px`;
      over.setAttribute("viewBox", `0 0 ${places.width} ${places.height}`);
      spots.replaceChildren(...places.places.filter((one) => one.title).map((one) => el("option", { value: one.name }, one.title)));
      size = counterSize(places);
    }
    const svg = picture(sheetText);
    svg.setAttribute("aria-hidden", "true");
    world.replaceChildren(svg, over);
    stand(svg);
    if (stays) {
      if (moving) await checkMove();
      else if (first) await answer();
      else clear();
      return;
    }
    clear();
    const wanted = READABLE / size / SCALE;
    at.zoom = Math.max(view.clientWidth / (places.width * SCALE), Math.min(1.2, wanted));
    centre(places.front);
  }

  // The pieces of each place, at most three of them drawn one over the other, the number of all beside them.
  async function stand(svg) {
    const shown = sheet;
    const stacks = sheet.places.filter((spot) => pieces[spot.name]).map((spot) => [spot, pieces[spot.name]]);
    const faces = await Promise.all(stacks.map(([, units]) => Promise.all(units.slice(0, 3).map((unit) => face(game, unit.unit, unit.side)))));
    if (sheet !== shown) return;
    const layer = shape("g", {});
    for (const [number, [spot, units]] of stacks.entries()) {
      const depth = Math.min(units.length, 3);
      for (let level = depth - 1; level >= 0; level -= 1) {
        const shift = (depth - 1 - level - (depth - 1) / 2) * size * 0.1;
        const box = { x: spot.x - size / 2 + shift, y: spot.y - size / 2 - shift, width: size, height: size };
        const drawn = picture(faces[number][level]);
        if (drawn) for (const [key, value] of Object.entries(box)) drawn.setAttribute(key, value);
        layer.append(...(drawn ? [drawn] : []), shape("rect", { ...box, fill: drawn ? "none" : "#d8cbb0", stroke: "#2a1f10", "stroke-width": 0.4 }));
      }
      if (units.length > 1) {
        layer.append(shape("circle", { cx: spot.x + size / 2, cy: spot.y - size / 2, r: size * 0.19, fill: "#2d2a24" }), words(spot.x + size / 2, spot.y - size / 2, units.length, size * 0.27, "#fff3d6"));
      }
    }
    svg.append(layer);
  }
  const words = (x, y, text, high, fill) => {
    const made = shape("text", { x, y: y + high * 0.36, "font-size": high, "font-weight": 700, "text-anchor": "middle", fill, "font-family": "Source Sans Pro" });
    made.textContent = String(text);
    return made;
  };

  // Moving and zooming.
  function place() { world.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.zoom})`; }
  function zoom(by, x, y) {
    const next = Math.min(6, Math.max(0.08, at.zoom * by));
    at.x = x - (x - at.x) * next / at.zoom;
    at.y = y - (y - at.y) * next / at.zoom;
    at.zoom = next;
    place();
  }
  const free = () => Math.max(120, view.clientHeight - panel.offsetHeight);
  const zoomMiddle = (by) => zoom(by, view.clientWidth / 2, free() / 2);
  function centre(spot) {
    at.x = view.clientWidth / 2 - spot.x * SCALE * at.zoom;
    at.y = free() / 2 - spot.y * SCALE * at.zoom;
    place();
  }
  function whole() {
    at.zoom = Math.min(view.clientWidth / (sheet.width * SCALE), free() / (sheet.height * SCALE));
    centre({ x: sheet.width / 2, y: sheet.height / 2 });
  }
  const box = () => view.getBoundingClientRect();
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - box().left, event.clientY - box().top);
  }, { passive: false });
  view.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] }[event.key];
    if (step) { at.x += step[0]; at.y += step[1]; place(); }
    else if (event.key === "+" || event.key === "=") zoomMiddle(1.5);
    else if (event.key === "-") zoomMiddle(1 / 1.5);
    else if (event.key === "0") whole();
    else if (event.key === "Escape") clear();
    else return;
    event.preventDefault();
  });
  const fingers = new Map();
  let moved = 0, tapped = 0;
  view.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) moved = 0;
    view.setPointerCapture(event.pointerId);
  });
  view.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.clientX, dy = event.clientY - last.clientY;
    if (fingers.size === 1) {
      at.x += dx;
      at.y += dy;
      moved += Math.abs(dx) + Math.abs(dy);
      place();
    } else if (fingers.size === 2) {
      const other = [...fingers.values()].find((one) => one.pointerId !== event.pointerId);
      const far = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
      moved = 100;
      zoom(far(event) / Math.max(1, far(last)), (event.clientX + other.clientX) / 2 - box().left, (event.clientY + other.clientY) / 2 - box().top);
    }
    fingers.set(event.pointerId, event);
  });
  const lift = (event) => {
    const known = fingers.delete(event.pointerId);
    if (!known || event.type !== "pointerup" || moved >= 8 || fingers.size || view.hasAttribute("aria-busy")) return;
    if (tapped) { // the second of two taps zooms, and neither of them chooses
      clearTimeout(tapped);
      tapped = 0;
      zoom(2, event.clientX - box().left, event.clientY - box().top);
      return;
    }
    const x = (event.clientX - box().left - at.x) / at.zoom / SCALE, y = (event.clientY - box().top - at.y) / at.zoom / SCALE, tappedSheet = sheet;
    tapped = setTimeout(() => {
      tapped = 0;
      const near = sheet === tappedSheet && view.isConnected && nearest(sheet, x, y);
      if (near) choose(near);
    }, DOUBLE_TAP);
  };
  view.addEventListener("pointerup", lift);
  view.addEventListener("pointercancel", lift);

  // A place or a unit by its name.
  async function seek(text) {
    const plain = text.trim().toLowerCase();
    if (!plain) return;
    await loading;
    // A name may begin with the nation, which nobody needs to type.
    const isNamed = (unit) => unit.unit === plain || ` ${unit.name.toLowerCase()}`.endsWith(` ${plain}`);
    const byUnit = () => Object.entries(pieces).find(([, units]) => units.some(isNamed));
    const spot = sheet.places.find((one) => one.name.toLowerCase() === plain) ?? sheet.places.find((one) => one.title.toLowerCase() === plain)
      ?? spotOf(byUnit()?.[0]) ?? sheet.places.find((one) => one.title.toLowerCase().startsWith(plain));
    if (!spot) { panel.replaceChildren(wrong(T.noPlace(text))); return; }
    if (at.zoom < READABLE / size / SCALE) at.zoom = READABLE / size / SCALE;
    centre(spot);
    choose(spot);
  }

  // Choosing: the first place with its units; then an enemy, a place to go to or to look at.
  const units = (spot) => (pieces[spot.name] ?? []).filter((piece) => !piece.marker);
  const keyOf = (unit) => `${unit.unit}/${unit.copy}`;
  const player = () => picked()[0]?.player;
  function clear() {
    first = second = null;
    others = [];
    chosen = new Set();
    asked += 1;
    over.replaceChildren();
    moving = null;
    panel.replaceChildren(tableChooser(game, () => load().catch((error) => panel.replaceChildren(wrong(error))), false),
      el("p", { class: "quiet" }, T.tapUnit), tableRow());
  }
  function choose(spot) {
    if (moving) return putDown(spot);
    if (first && spot.name === first.name) second = null;
    else if (first && picked().length && units(spot).some((unit) => unit.player === player()) && !second) {
      others = others.some((one) => one.name === spot.name) ? others.filter((one) => one.name !== spot.name) : [...others, spot];
    } else if (first && (picked().length || question("los"))) second = spot;
    else begin(spot);
    answer();
  }
  function begin(spot) {
    first = spot;
    second = null;
    others = [];
    const side = units(spot)[0]?.player;
    chosen = new Set(units(spot).filter((unit) => unit.player === side).map(keyOf));
  }
  const twins = (unit) => Object.values(pieces).flat().filter((other) => other.unit === unit.unit).length > 1;
  const written = (unit) => unit.unit + (unit.copy && twins(unit) ? `/${unit.copy}` : "") + unit.states.map((state) => `+${state}`).join("");
  const picked = () => (first ? units(first) : []).filter((unit) => chosen.has(keyOf(unit)));
  const picking = () => [...picked(), ...others.flatMap((spot) => units(spot).filter((unit) => unit.player === player()))];

  const ring = (spot, color) => shape("circle", { cx: spot.x, cy: spot.y, r: size * 0.68, fill: "none", stroke: color, "stroke-width": size * 0.11 });
  function mark() {
    over.replaceChildren(ring(first, "#c2182b"), ...others.map((spot) => ring(spot, "#c2182b")), ...(second ? [ring(second, "#123f7a")] : []));
  }

  // A counter of the map in the panel.
  const token = (unit, attributes) => {
    const states = unit.states.map((state) => game.states[state]).join(", ");
    return counter(game, unit.unit, { side: unit.side, "aria-label": states ? `${unit.name}, ${states}` : unit.name, title: unit.name, ...attributes },
      states ? el("span", { class: "tag" }, states) : null);
  };

  async function answer() {
    if (moving) return showMove();
    const now = ++asked;
    mark();
    const choosing = (unit) => { const key = keyOf(unit); chosen.has(key) ? chosen.delete(key) : chosen.add(key); answer(); };
    const tray = el("div", { class: "tray small" }, ...units(first).map((unit) => token(unit,
      { "aria-pressed": String(chosen.has(keyOf(unit))), onclick: () => choosing(unit) })));
    const markers = (pieces[first.name] ?? []).filter((piece) => piece.marker).map((piece) => piece.name);
    const body = el("div", { class: "answer" });
    const close = button("×", clear, { "aria-label": T.clearChoice, class: "round" });
    if (second) {
      panel.replaceChildren(
        el("div", { class: "headline" }, el("h2", { class: "grow" }, [first, ...others].map(label).join(", "), " → ", label(second)), close),
        el("div", { class: "versus" }, el("div", { class: "tray small" }, ...picking().map((unit) => token(unit, { onclick: () => { second = null; answer(); } }))),
          el("span", { "aria-hidden": "true" }, "→"),
          el("div", { class: "tray small" }, ...units(second).map((unit) => token(unit, { onclick: () => { begin(second); answer(); } })))), body);
    } else {
      panel.replaceChildren(
        el("div", { class: "headline" }, el("h2", { class: "grow" }, label(first), el("small", {}, first.terrain ? ` ${first.terrain.toLowerCase()}` : "", markers.length ? `; ${markers.join(", ").toLowerCase()}` : "")), close),
        tray, offers(body), ...editing(), body);
      return;
    }
    const target = units(second);
    const enemy = target.some((unit) => unit.player !== player());
    const parts = [];
    if (picked().length && enemy && takes("odds", "at")) parts.push(["odds", attack(second)]);
    else if (picked().length && takes("move", "to")) parts.push(["move", { unit: who("move"), to: second.name }]);
    if (question("los")) parts.push(["los", { hexes: `${first.name},${second.name}` }]);
    body.replaceChildren(el("p", { class: "quiet" }, T.oneMoment));
    const made = await Promise.all(parts.map(async ([id, inputs]) => {
      try { return [id, await put(id, inputs)]; } catch (error) { return [id, null, error]; }
    }));
    if (now !== asked) return;
    body.replaceChildren(...made.flatMap(([id, found, error]) => (found ? shown(id, found) : [wrong(error)])));
    for (const [id, found] of made) if (found) draw(id, found);
    if (!parts.length) body.append(el("p", { class: "quiet" }, T.nothingDeclared));
  }

  // Who attacks a place, and whose units they are: all units of the places, or those that were chosen.
  function attack(target) {
    const mine = picking().filter((unit) => unit.player === player());
    const all = mine.length === [first, ...others].flatMap(units).filter((unit) => unit.player === player()).length;
    const byPlace = takes("odds", "from") && (all || !takes("odds", "attackers"));
    return {
      ...(byPlace ? { from: [first, ...others].map((spot) => spot.name).join(",") } : { attackers: mine.map(written).join(",") }),
      at: target.name, ...(takes("odds", "side") ? { side: player() } : {}),
    };
  }

  const put = (id, inputs) => post(game, "ask", { question: id, inputs: { ...inputs, ...chosenTable(game) } });
  const shown = (id, found) => {
    log(game, `${questionTitle(id)} ${label(first)}${second ? ` to ${label(second)}` : ""}: ${headline(found.nodes)}`);
    const tap = { place: (name) => { const spot = spotOf(name); if (spot) centre(spot); } };
    return id === "odds" ? brief(found.nodes, tap) : shownNodes(found.nodes, tap);
  };

  // The chosen units as a question takes them: all, or the first where it takes one.
  const who = (id) => (takes(id, "unit")?.kind === "unit" ? picked().slice(0, 1) : picked()).map(written).join(",");

  // A live table: pieces are moved, marked, taken off and brought on; every device sees it.
  const keys = (list) => list.map((unit) => [unit.unit, unit.copy]);
  async function change(what, then = clear) {
    try {
      await changeTable(game, what, drawn);
      await load(true);
      then();
    } catch (error) {
      await load(true).catch(() => {});
      panel.append(wrong(error));
    }
  }
  function tableRow() {
    const table = liveTable(game);
    if (!table) return el("div", { class: "chips" }, button(T.playFromHere, async () => { try { await beginTable(game); await load(); } catch (error) { panel.append(wrong(error)); } }));
    const input = el("input", { value: table.turn, inputmode: "numeric", "aria-label": T.turn, onchange: () => change({ turn: Number(input.value) }) });
    return el("div", { class: "chips" }, el("span", { class: "turn" }, T.turn, stepper(T.turn, input, (value) => change({ turn: Number(value) }))),
      button(T.undo, () => change({ undo: true }), { disabled: !table.undo }), button(T.offTheMap, waiting),
      button(T.saveAsFile, () => saveAs("position", "yaml")),
      game.vassal && !alone ? button(T.saveForVassal, () => saveAs("vassal", "vsav")) : null,
      button(T.endTable, async () => {
        if (!confirm(T.reallyEnd)) return;
        try { await endTable(game); await load(); } catch (error) { panel.append(wrong(error)); }
      }));
  }
  async function saveAs(kind, ending) {
    try { await download(`api/${game.id}/${kind}/${liveTable(game).id}`, `${game.id}.${ending}`); } catch (error) { panel.append(wrong(error)); }
  }
  // The move that was begun: what the panel shows is what the next tap does, whatever comes from elsewhere meanwhile.
  function take(list) {
    moving = { list, table: liveTable(game).id, places: new Map(list.map((unit) => [keyOf(unit), placeOf(unit)])), error: null, sent: false };
    showMove();
  }
  const placeOf = (unit) => Object.keys(pieces).find((name) => pieces[name].some((piece) => keyOf(piece) === keyOf(unit))) ?? "";
  function showMove() {
    asked += 1;
    panel.replaceChildren(el("div", { class: "headline" }, el("h2", { class: "grow" }, T.tapWhere), button("×", clear, { "aria-label": T.leaveIt, class: "round" })),
      el("div", { class: "tray small" }, ...moving.list.map((unit) => token(unit, {}))), ...(moving.error ? [wrong(moving.error)] : []));
  }
  // Whether the pieces are still where they were taken up; if somebody else has moved them, they are left there.
  function checkMove() {
    const gone = moving.list.find((unit) => placeOf(unit) !== moving.places.get(keyOf(unit)));
    if (liveTable(game)?.id === moving.table && (!gone || moving.sent)) return showMove();
    clear();
    if (gone) panel.append(wrong(T.movedMeanwhile(gone.name)));
  }
  async function putDown(spot) {
    const move = moving;
    if (move.sent) return;
    move.sent = true;
    try {
      await changeTable(game, { move: keys(move.list), to: spot.name }, drawn);
    } catch (error) {
      if (moving !== move) return;
      Object.assign(move, { error, sent: false });
      showMove();
      await load(true).catch(() => {});
      return;
    }
    if (moving === move) moving = null;
    await load(true).catch(() => {});
    begin(spot);
    answer();
  }
  async function waiting() {
    try {
      const away = await get(`api/${game.id}/away/${encodeURIComponent(chosenMap(game).scenario)}/${liveTable(game).id}`);
      const name = (at) => title(at.replace("setup:", T.toSetUp).replace("turn:", T.turnNumber).replace("box:", ""));
      const sheet = open(el("h2", { class: "grow" }, T.offTheMap), el("div", {}, ...Object.entries(away).flatMap(([at, list]) => [el("h2", {}, name(at)),
        el("div", { class: "tray small" }, ...list.map((unit) => token(unit, { onclick: () => { sheet.close(); take([unit]); } })))])));
    } catch (error) { panel.append(wrong(error)); }
  }
  function editing() {
    const list = picked();
    if (!liveTable(game) || !list.length) return [];
    const states = [...new Set(list.flatMap((unit) => [...unit.states, ...(unit.turned ? [unit.turned] : [])]))];
    const steps = Math.max(...list.map((unit) => unit.lost));
    return [el("details", {}, el("summary", {}, T.moveOrChange), el("div", { class: "chips" },
      button(T.move, () => take(list), { class: "main" }), button(T.loseStep, () => change({ lost: keys(list), steps: steps + 1 }, answer)),
      steps ? button(T.stepBack, () => change({ lost: keys(list), steps: steps - 1 }, answer)) : null,
      button(T.takeOff, () => change({ remove: keys(list) }))),
    el("div", { class: "chips" }, ...Object.entries(game.states).map(([id, label]) => chip(label, states.includes(id), (now) =>
      change({ states: keys(list), now: now ? [...states, id] : states.filter((state) => state !== id) }, answer)))))];
  }

  // What can be asked of the units or the place that was chosen.
  function offers(body) {
    const unit = picked().map(written).join(",");
    const run = (id, inputs) => async () => {
      const now = ++asked;
      second = null;
      mark();
      body.replaceChildren(el("p", { class: "quiet" }, T.oneMoment));
      try {
        const found = await put(id, inputs);
        if (now !== asked) return;
        body.replaceChildren(...shown(id, found));
        draw(id, found);
      } catch (error) {
        if (now === asked) body.replaceChildren(wrong(error));
      }
    };
    const chips = [];
    if (unit && takes("odds", "at") && units(first).some((other) => other.player !== player())) chips.push(button(T.attackHere, run("odds", attack(first))));
    if (unit && takes("move", "unit")) chips.push(button(T.reach, run("move", { unit: who("move") })));
    if (question("los")) chips.push(button(T.sees, run("los", { hexes: first.name })));
    if (question("supply")) chips.push(button(T.supply, run("supply", takes("supply", "side") && player() ? { side: player() } : {})));
    if (unit && takes("retreat", "unit")) chips.push(button(T.waysBack, run("retreat", { unit: who("retreat") })));
    if (question("stack") && takes("stack", "at")) chips.push(button(T.stacking, run("stack", { at: first.name })));
    const asks = game.questions.flatMap((one) => {
      const fits = one.fields.filter((shape) => !shape.what_if && (unit ? ["unit", "units"].includes(shape.kind) : shape.kind === "place") && !["defenders", "targets"].includes(shape.name));
      return fits.length ? [[one, fits.find((shape) => shape.name !== "from") ?? fits[0]]] : [];
    });
    const more = el("select", { "aria-label": T.moreQuestions, onchange: () => {
      const [one, shape] = asks[more.value];
      go(game.id, "ask", { question: one.id, [shape.name]: unit ? picked()[0].unit : first.name });
    } }, el("option", { value: "", selected: true }, T.more), ...asks.map(([one], number) => el("option", { value: number }, questionTitle(one.id))));
    return el("div", { class: "chips" }, ...chips, ...(asks.length ? [more] : []));
  }

  // Draws what an answer says of places: reach with its points, ways, lines of sight, who is in supply.
  function draw(id, found) {
    const under = [];
    const walk = (nodes) => nodes.forEach((node) => {
      if (node.nodes) walk(node.nodes);
      if (node.kind === "places") under.push(...node.places.flatMap((one) => area(one, id)));
      if (node.kind === "path" && id !== "los") under.push(...way(node.places, "#123f7a")); // a line of sight is drawn straight
    });
    walk(found.nodes);
    if (id === "los" && second) {
      const clear = found.answer.clear;
      under.push(shape("line", { x1: first.x, y1: first.y, x2: second.x, y2: second.y, stroke: clear ? "#1b7a3d" : "#c2182b", "stroke-width": size * 0.13, "stroke-dasharray": clear ? "none" : `${size * 0.3} ${size * 0.2}` }));
    }
    if (id === "supply") {
      const sides = found.answer.sides ?? [found.answer];
      under.push(...supplyLines(sides));
      const states = new Map(sides.flatMap((side) => side.units ?? []).map((row) => [row.unit, row.supplied]));
      for (const [name, stack] of Object.entries(pieces)) {
        const spot = spotOf(name), known = stack.map((unit) => states.get(unit.unit + (unit.copy ? `/${unit.copy}` : "")) ?? states.get(unit.unit)).filter((state) => state !== undefined);
        if (spot && known.length) under.push(ring(spot, known.includes(false) ? "#c2182b" : "#1b7a3d"));
      }
    }
    over.prepend(...under);
  }
  // The ways of supply of the units that were chosen, and a cross where the enemy would cut most.
  function supplyLines(sides) {
    const mine = new Set(picked().flatMap((unit) => [unit.unit, `${unit.unit}/${unit.copy}`]));
    const rows = sides.flatMap((side) => side.units ?? []).filter((row) => mine.has(row.unit) && row.path?.length);
    const ways = new Map(rows.map((row) => [row.path.join(), row.path.includes(row.place) ? row.path : [...row.path, row.place]]));
    const cuts = sides.flatMap((side) => side.cuts ?? []).flatMap(({ place, count, units: hit }) => {
      const spot = spotOf(place), far = size * 0.34;
      if (!spot) return [];
      const cross = shape("path", { d: `M${spot.x - far},${spot.y - far}L${spot.x + far},${spot.y + far}M${spot.x + far},${spot.y - far}L${spot.x - far},${spot.y + far}`, stroke: "#c2182b", "stroke-width": size * 0.14, "stroke-linecap": "round", fill: "none" });
      return [cross, words(spot.x + size * 0.55, spot.y, count ?? hit.length, size * 0.42, "#c2182b")];
    });
    return [...[...ways.values()].flatMap((places) => way(places, "#1b7a3d")), ...cuts];
  }
  function area(one, id) {
    const spot = spotOf(one.place);
    if (!spot) return [];
    const color = one.stops === "yes" ? "#c06a00" : one.may_end === "no" ? "#6b6354" : "#1b7a3d";
    const made = [shape("circle", { cx: spot.x, cy: spot.y, r: size * 0.52, fill: color, "fill-opacity": id === "los" ? 0.28 : 0.38 })];
    if (one.cost !== undefined && one.cost !== "0") made.push(words(spot.x, spot.y, one.cost, size * 0.42, "#10240f"));
    return made;
  }
  function way(names, color) {
    const points = names.map(spotOf).filter(Boolean);
    return points.length > 1 ? [shape("polyline", { points: points.map((spot) => `${spot.x},${spot.y}`).join(" "), fill: "none", stroke: color, "stroke-width": size * 0.16, "stroke-linejoin": "round", "stroke-opacity": 0.8 })] : [];
  }

  followSaves(game, view, (looked) => {
    if (looked) load(true).catch((error) => panel.replaceChildren(wrong(error)));
    else if (!first && !moving) clear();
  });
  whenServerIsBack(view, () => {
    if (moving) moving.error = null;
    load(sheet !== null).catch((error) => panel.replaceChildren(wrong(error)));
  });
  await load();
  if (given.at) await seek(given.at);
}

// An answer to odds: chances and values first, the sums behind them on request.
function brief(nodes, tap) {
  const first = (node) => ["assumptions", "chances", "warning"].includes(node.kind) || (node.kind === "value" && node.shown) || node.nodes?.some(first);
  const unofficial = (node) => node.kind === "unofficial";
  return [...shownNodes(nodes.filter(first), tap), el("details", {}, el("summary", {}, T.why), ...shownNodes(nodes.filter((node) => !first(node) && !unofficial(node)), tap)),
    ...shownNodes(nodes.filter(unofficial), tap)];
}

// The place nearest to a tap, if it is near enough.
function nearest(sheet, x, y) {
  return sheet.places.reduce((best, spot) => {
    const far = Math.hypot(spot.x - x, spot.y - y);
    return far < best.far ? { far, spot } : best;
  }, { far: sheet.hexes ? 14 : 25, spot: null }).spot;
}

// Counters as large as two neighbours leave room for.
function counterSize(sheet) {
  let near = Infinity;
  const some = sheet.places.slice(0, 400);
  for (const [number, one] of some.entries()) {
    for (const other of some.slice(number + 1)) near = Math.min(near, Math.hypot(one.x - other.x, one.y - other.y));
  }
  return Math.min(16, Math.max(6, near * 0.8));
}

// The first sentence or value of an answer, for the log.
function headline(nodes) {
  const plain = (value) => (Array.isArray(value) ? value.map(plain).join("") : typeof value === "object" && value ? value.text : String(value ?? ""));
  for (const node of nodes) {
    if (node.kind === "line" || node.kind === "warning") return plain(node.text);
    if (node.kind === "value" && node.shown) return `${node.title} ${plain(node.value)}`;
    if (node.nodes) { const inside = headline(node.nodes); if (inside) return plain(node.title) ? `${plain(node.title)}; ${inside}` : inside; }
  }
  return "";
}
