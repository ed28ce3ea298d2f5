// The map: move and zoom with fingers or wheel; tap a hex, and another one for the line between them.
import { chosenMap, chosenTable, counter, el, face, followSaves, get, go, picture, post, said, tableChooser } from "/page.js";

const SCALE = 3.2; // pixels a millimetre at zoom 1
const COUNTER = 12.5; // millimetres

export async function map(game, main) {
  main.className = "wide";
  const world = el("div", { class: "world" });
  const view = el("div", { id: "map" }, world);
  const told = el("div", { "aria-live": "polite" });
  const head = el("div");
  const choose = () => head.replaceChildren(tableChooser(game, () => { choose(); load(); }, false));
  choose();
  main.replaceChildren(view, el("div", { class: "float" }, head, told));
  let sheet = null, mapOf = "", chosen = [], at = { x: 0, y: 0, zoom: 0.4 };
  const over = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  over.setAttribute("class", "over");

  // Draws the map and who stands on it. `again`: a save has changed, so what is looked at and asked stays.
  async function load(again = false) {
    const { scenario, save } = chosenMap(game), name = encodeURIComponent(scenario);
    const stays = again && scenario === mapOf;
    if (!stays) told.replaceChildren(el("p", { class: "quiet" }, "Drawing the map …"));
    const [places, drawn] = await Promise.all([
      get(`/api/${game.id}/places/${name}${save ? `/${save}` : ""}`), picture(`/map/${game.id}/${name}`)]);
    sheet = places;
    mapOf = scenario;
    const svg = document.importNode(new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement, true);
    world.style.width = `${places.width * SCALE}px`;
    world.style.height = `${places.height * SCALE}px`;
    over.setAttribute("viewBox", `0 0 ${places.width} ${places.height}`);
    over.replaceChildren();
    world.replaceChildren(svg, over);
    stand(places, svg);
    if (stays) {
      if (chosen.length) await answer();
      return;
    }
    chosen = [];
    const wide = places.width * SCALE, high = places.height * SCALE;
    at.zoom = Math.max(view.clientWidth / wide, (view.clientHeight - 150) / high);
    at.x = (view.clientWidth - wide * at.zoom) / 2;
    at.y = 0;
    place();
    told.replaceChildren(el("p", { class: "quiet" }, game.sight ? "Tap a hex to see what it sees, and another for the line." : "Tap a place."));
  }
  // The pieces that the scenario places, the top one of each stack drawn over the map.
  async function stand(places, svg) {
    for (const spot of places.places) {
      const units = places.pieces[spot.name] ?? [];
      for (const [depth, unit] of units.slice(0, 3).reverse().entries()) {
        const drawn = await picture(face(game, unit.unit, unit.side));
        if (sheet !== places) return;
        const one = document.importNode(new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement, true);
        const shift = (depth - (Math.min(units.length, 3) - 1) / 2) * 1.2;
        const box = { x: spot.x - COUNTER / 2 + shift, y: spot.y - COUNTER / 2 - shift, width: COUNTER, height: COUNTER };
        for (const [key, value] of Object.entries(box)) one.setAttribute(key, value);
        svg.append(one, shape("rect", { ...box, fill: "none", stroke: "#2a1f10", "stroke-width": 0.5 }));
      }
    }
  }
  function place() {
    world.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.zoom})`;
  }
  function zoom(by, x, y) {
    const next = Math.min(4, Math.max(0.1, at.zoom * by));
    at.x = x - (x - at.x) * next / at.zoom;
    at.y = y - (y - at.y) * next / at.zoom;
    at.zoom = next;
    place();
  }
  const box = () => view.getBoundingClientRect();
  view.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - box().left, event.clientY - box().top);
  }, { passive: false });
  const fingers = new Map();
  let moved = 0;
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
    if (known && event.type === "pointerup" && moved < 8 && fingers.size === 0) tap(event);
  };
  view.addEventListener("pointerup", lift);
  view.addEventListener("pointercancel", lift);

  function tap(event) {
    if (!sheet) return;
    const x = (event.clientX - box().left - at.x) / at.zoom / SCALE;
    const y = (event.clientY - box().top - at.y) / at.zoom / SCALE;
    const near = sheet.places.reduce((best, one) => {
      const far = Math.hypot(one.x - x, one.y - y);
      return far < best.far ? { far, one } : best;
    }, { far: sheet.hexes ? 14 : 25, one: null }).one;
    if (!near) return;
    chosen = chosen.length === 1 && game.sight ? [chosen[0], near] : [near];
    answer();
  }
  // Two hexes are an attack of one on the other, where a game has such a question.
  const both = (from, to) => el("div", { class: "chips" }, ...game.questions.filter((one) => ["from", "at"].every((name) =>
    one.fields.some((held) => held.name === name))).map((one) => el("button", { type: "button",
    onclick: () => go(game.id, "ask", { question: one.id, from: from.name, at: to.name }) }, said(one.id))));
  const shape = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  async function answer() {
    const [from, to] = chosen;
    over.replaceChildren(...chosen.map((one) => shape("circle", { cx: one.x, cy: one.y, r: 8, fill: "none", stroke: "#c2182b", "stroke-width": 1.4 })));
    const here = sheet.pieces[from.name] ?? [];
    const ground = from.terrain ? ` ${from.terrain.toLowerCase()}` : "";
    const place = el("p", {}, el("b", {}, from.title || from.name), from.title && sheet.hexes ? ` ${from.name}` : "", ground);
    const offers = el("div", { class: "chips" });
    const offer = (kind, value) => offers.replaceChildren(...asking(game, kind).map(([question, field]) =>
      el("button", { type: "button", onclick: () => go(game.id, "ask", { question: question.id, [field.name]: value }) }, said(question.id))));
    const tray = el("div", { class: "tray small" }, ...here.map((unit) => counter(game, unit.unit,
      { side: unit.side, "aria-label": unit.unit, onclick: () => offer("units", unit.unit) },
      unit.states.length ? el("span", { class: "tag" }, unit.states.map((state) => game.states[state]).join(", ")) : null)));
    if (!game.sight) {
      offer("place", from.name);
      told.replaceChildren(place, tray, offers);
      return;
    }
    try {
      const names = to && to.name !== from.name ? [from.name, to.name] : [from.name];
      const found = await post(game, "sight", { scenario: chosenMap(game).scenario, ...chosenTable(game), hexes: names });
      told.replaceChildren(...(names.length === 2
        ? [el("pre", {}, found.lines.join("\n")), both(from, to)]
        : [place, tray, offers, el("details", {}, el("summary", {}, found.lines[0]), el("pre", {}, found.lines.slice(1).join("\n")))]));
      if (names.length === 2) {
        over.prepend(shape("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: found.answer.clear ? "#1b7a3d" : "#c2182b",
          "stroke-width": 1.6, "stroke-dasharray": found.answer.clear ? "none" : "4 2.5" }));
      } else {
        const seen = new Set(found.answer.sees);
        over.prepend(...sheet.places.filter((one) => seen.has(one.name)).map((one) =>
          shape("circle", { cx: one.x, cy: one.y, r: 6.5, fill: "#1b7a3d", "fill-opacity": 0.32 })));
      }
    } catch (error) {
      told.replaceChildren(el("p", { class: "wrong" }, error.message));
    }
  }
  followSaves(game, view, (looked) => {
    choose();
    if (looked) load(true).catch((error) => told.replaceChildren(el("p", { class: "wrong" }, error.message)));
  });
  await load();
}

// The questions that take a place or a unit, each with the field that takes it.
function asking(game, kind) {
  return game.questions.flatMap((question) => {
    const fits = question.fields.filter((one) => one.kind === kind && !one.what_if && !["defenders", "targets"].includes(one.name));
    const field = fits.find((one) => one.name !== "from") ?? fits[0];
    return field ? [[question, field]] : [];
  });
}
