// The editor: paint a board of hexes or a map of points over our drawing or over a photo, and save it.
import { numbersTab } from "./numbers.js";
import { photoTool } from "./photo.js";
import { button, el, field, open, shape } from "../tools.js";
import { W } from "./words.js";

const main = document.getElementById("main"), tools = document.getElementById("tools"), note = document.getElementById("note");
const chooser = document.getElementById("which"), saver = document.getElementById("save");
const MM = 4; // pixels a millimetre at zoom 1
let work, held, parts, key = "", tool = "move", kind = {}, past = [], future = [], saved = "", image = null, strength = 0.45, ground = "drawn";
let at = { x: 0, y: 0, zoom: 0.5 }, board, picture, layers, road = null, grabbed = null, joined = null;

export async function ask(path, body) {
  const answer = await fetch(`api/${path}`, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const told = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.wrong ?? W.failed), { told });
  return told;
}

let fading = 0;
export function say(text, wrong = false) {
  note.textContent = text;
  note.className = wrong ? "wrong" : "";
  clearTimeout(fading);
  if (!wrong) fading = setTimeout(() => { note.textContent = ""; }, 4000);
}
note.addEventListener("click", () => { note.textContent = ""; });
const safely = (job) => async (...told) => { try { await job(...told); } catch (error) { say(error.message, true); } };

// What is changed can be taken back, step by step; a draft stays in the browser until it is saved, with what it began from.
// The order in which entries were painted doesn't count.
const inOrder = (part) => (Array.isArray(part) ? part : Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))));
const textOf = (all) => JSON.stringify(Object.fromEntries(Object.entries(all).map(([name, part]) => [name, inOrder(part)])));
const state = () => textOf(parts);
// A step: each entry that changed, as it was before and after.
function difference(before, after) {
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  return Object.keys(after).flatMap((part) => {
    if (Array.isArray(after[part])) return same(before[part], after[part]) ? [] : [{ part, before: before[part], after: after[part] }];
    const names = new Set([...Object.keys(before[part]), ...Object.keys(after[part])]);
    return [...names].flatMap((name) => (same(before[part][name], after[part][name]) ? [] : [{ part, name, before: before[part][name], after: after[part][name] }]));
  });
}
function changed(before) {
  if (before === state()) return;
  past.push(JSON.parse(JSON.stringify(difference(JSON.parse(before), parts))));
  future = [];
  keep();
}
function keep() {
  const dirty = isDirty();
  saver.disabled = !dirty;
  try { dirty ? localStorage.setItem(draft(), JSON.stringify({ opened: JSON.parse(saved), parts })) : localStorage.removeItem(draft()); } catch { /* no room: only the page keeps it */ }
  layTools();
  draw();
}
const isDirty = () => held && (state() !== saved || image !== null);
const draft = () => `mitla:edit:${work.into}:${key}`;
function step(from, to, which) {
  if (!from.length) return;
  const entries = from.pop();
  to.push(entries);
  for (const { part, name, [which]: value } of JSON.parse(JSON.stringify(entries))) {
    if (name === undefined) parts[part] = value;
    else if (value === undefined) delete parts[part][name];
    else parts[part][name] = value;
  }
  keep();
}
const undo = () => step(past, future, "before"), redo = () => step(future, past, "after");
const discard = safely(async () => {
  if (!confirm(W.reallyDiscard)) return;
  localStorage.removeItem(draft());
  await load(key);
});

async function load(next) {
  key = next;
  held = await ask(`map/${key}`);
  parts = held.parts;
  saved = state();
  past = [];
  future = [];
  image = null;
  ground = held.flat ? "photo" : "drawn";
  const kept = JSON.parse(localStorage.getItem(draft()) ?? "null"), file = saved;
  if (kept?.opened && textOf(kept.parts) !== file) {
    parts = kept.parts;
    saved = textOf(kept.opened);
    say(saved === file ? W.draft : W.draftStale);
  }
  kind = { terrain: held.kinds.terrain[0]?.id, hexsides: held.kinds.hexsides[0]?.id, paths: held.kinds.paths[0]?.id, routes: held.kinds.routes[0]?.id };
  tool = "move";
  lay();
  whole();
  keep();
}

// What is in the file now, as the server tells it: the parts, and the picture under them.
function takeIn({ image: picture, ...rest }) {
  held.image = picture ?? null;
  return rest;
}
const save = safely(async () => {
  try {
    const answer = await ask("save", { map: key, opened: { ...JSON.parse(saved), image: held.image }, parts, image });
    parts = takeIn(answer.parts);
    saved = state();
    image = null;
    if (answer.merged) {
      past = [];
      future = [];
    }
    held.flat ||= ground === "photo";
    keep();
    showGround();
    say((answer.merged ? W.mergedInto : W.savedTo)(work.into));
  } catch (error) {
    if (!error.told?.file) throw error;
    askWhose(error);
  }
});
// The file and the editor changed the same: the user says whose stays.
function askWhose({ message, told }) {
  const take = (whole, after) => button(after === save ? W.keepMine : W.takeFile, () => {
    sheet.close();
    saved = textOf(takeIn(told.file));
    const { image: picture, ...rest } = whole;
    parts = rest;
    if (after !== save) image = null;
    past = [];
    future = [];
    keep();
    after();
  });
  const sheet = open(el("h2", { class: "grow" }, W.clash), el("div", {}, el("p", {}, message), el("div", { class: "chips" },
    take(told.edit, save), take(told.theirs, () => { showGround(); if (isDirty()) say(W.taken); }))), true);
}

// The tools and the palette.
const TOOLS = { hexes: ["move", "terrain", "features", "hexsides", "paths", "places", "photo"], points: ["move", "points", "routes"] };
function layTools() {
  const names = [...(held ? TOOLS[held.kind] : []), ...(work.overlay ? ["numbers"] : ["board"])];
  tools.replaceChildren(...names.map((name) => button(W.tools[name], () => choose(name), name === tool ? { "aria-current": "page" } : {})),
    button("↶", undo, { "aria-label": W.undo, title: W.undo, disabled: !past.length }), button("↷", redo, { "aria-label": W.redo, title: W.redo, disabled: !future.length }),
    ...(held && tool !== "numbers" ? [button(W.discard, discard, { disabled: !isDirty() })] : []));
}
function choose(name) {
  if (name === "board") return newBoard();
  const was = tool;
  tool = name;
  road = grabbed = joined = null;
  if (name === "numbers" || was === "numbers") lay();
  layTools();
  layPalette();
  draw();
}

let palette = el("div", { class: "palette" });
function layPalette() {
  palette.remove();
  if (!held || tool === "numbers") return;
  board.dataset.tool = tool;
  const kinds = { terrain: held.kinds.terrain, features: held.kinds.terrain, points: held.kinds.terrain }[tool] ?? held.kinds[tool];
  const lines = ["hexsides", "paths", "routes"].includes(tool), slot = ["features", "points"].includes(tool) ? "terrain" : tool;
  palette = el("div", { class: "palette" }, el("h2", {}, W.tools[tool]), el("p", { class: "quiet" }, W.hints[tool]));
  if (kinds) {
    palette.append(el("div", { class: "kinds" }, ...kinds.map((one) => button(one.name, () => { kind[slot] = one.id; layPalette(); },
      { class: "kind", "aria-pressed": String(kind[slot] === one.id) }))));
    palette.querySelectorAll("button.kind").forEach((made, number) => made.prepend(el("span", { class: lines ? "swatch line" : "swatch", style: `background:${kinds[number].color}` })));
  }
  if (tool === "photo") palette.append(...photoTool({ held, key, view: photoView, used: photoUsed, ask, say }));
  if (tool === "move") {
    const slider = el("input", { type: "range", min: 0, max: 1, step: 0.05, value: strength, "aria-label": W.strength, oninput: () => { strength = Number(slider.value); draw(); } });
    palette.append(el("label", {}, el("span", {}, W.strength), slider));
    if (held.flat || ground === "photo") palette.append(el("div", { class: "chips" }, ...["drawn", "photo"].map((one) => button(W.grounds[one], () => { ground = one; showGround(); layPalette(); }, { "aria-pressed": String(ground === one) }))));
  }
  main.append(palette);
}

function lay() {
  main.className = "wide";
  if (tool === "numbers") {
    main.className = "";
    main.replaceChildren();
    return safely(() => numbersTab(main, ask, say))();
  }
  if (!held) return main.replaceChildren(el("p", { class: "card" }, W.noMap));
  picture = shape("svg", { width: held.width * MM, height: held.height * MM, viewBox: `0 0 ${held.width} ${held.height}` });
  layers = Object.fromEntries(["ground", "paint", "grid", "lines", "names", "marks"].map((name) => [name, shape("g", {})]));
  picture.append(...Object.values(layers));
  board = el("div", { id: "board", tabindex: "0", role: "application", "aria-label": W.board }, picture);
  main.replaceChildren(board, el("div", { class: "zoom" }, button("+", () => zoom(1.5), { "aria-label": W.zoomIn }), button("−", () => zoom(1 / 1.5), { "aria-label": W.zoomOut }), button("□", whole, { "aria-label": W.whole })));
  listen();
  showGround();
  layPalette();
}

let showing = 0;
function showGround() {
  if (!layers) return;
  const href = ground === "photo" ? `api/flat/${key.split("/")[1]}?${++showing}` : `api/drawn/${key}?${++showing}`;
  layers.ground.replaceChildren(shape("image", { href, x: 0, y: 0, width: held.width, height: held.height, preserveAspectRatio: "none" }));
}
// While a photo's points are set, the photo itself is shown; else the board.
function photoView(shown) {
  picture.style.display = shown ? "none" : "";
  board.querySelectorAll(".photo").forEach((one) => one.remove());
  if (shown) {
    shown.classList.add("photo");
    board.append(shown);
  }
  return { place: (made) => { made.style.transform = picture.style.transform; }, at: () => at, zoomTo: (next) => { at = next; place(); shown.style.transform = picture.style.transform; } };
}
function photoUsed(made) {
  image = made.image;
  ground = "photo";
  held.flat = true;
  photoView(null);
  showGround();
  whole();
  keep();
  layPalette();
}

// Drawing what was painted.
const color = (list, id) => list.find((one) => one.id === id)?.color ?? "#888";
const centre = (name) => spots.get(name);
let spots = new Map(), sides = new Map();
function outline(x, y) { return `M${held.outline.map(([dx, dy]) => `${(x + dx).toFixed(2)},${(y + dy).toFixed(2)}`).join("L")}Z`; }
function draw() {
  if (!held || !layers || tool === "numbers") return;
  if (held.kind === "points") return drawPoints();
  spots = new Map(held.hexes.map(([name, x, y]) => [name, { name, x, y }]));
  sides = new Map(held.sides.map(([name, ...ends]) => [name, ends]));
  const before = JSON.parse(saved), ofKind = new Map();
  for (const [name, terrain] of Object.entries(parts.terrain)) {
    const differs = before.terrain[name] !== terrain;
    const group = `${terrain}:${differs}`;
    if (!ofKind.has(group)) ofKind.set(group, []);
    ofKind.get(group).push(name);
  }
  layers.paint.replaceChildren(...[...ofKind].map(([group, names]) => {
    const [terrain, differs] = group.split(":");
    const strong = differs === "true" ? Math.max(0.75, strength) : ["terrain", "features"].includes(tool) ? strength : 0;
    return shape("path", { d: names.map((name) => outline(spots.get(name).x, spots.get(name).y)).join(""), fill: color(held.kinds.terrain, terrain), "fill-opacity": strong });
  }));
  for (const [feature, names] of Object.entries(parts.features)) {
    layers.paint.append(...names.map((name) => shape("circle", { cx: spots.get(name).x, cy: spots.get(name).y, r: held.side * 0.35, fill: color(held.kinds.terrain, feature), stroke: "#000", "stroke-width": 0.3 })));
  }
  layers.grid.replaceChildren(shape("path", { d: held.hexes.map(([, x, y]) => outline(x, y)).join(""), fill: "none", stroke: "#3a3128", "stroke-width": 0.18, "stroke-opacity": 0.5 }));
  const lines = [];
  for (const [one, names] of Object.entries(parts.hexsides)) {
    const d = names.map((name) => { const [x1, y1, x2, y2] = sides.get(name) ?? [0, 0, 0, 0]; return `M${x1},${y1}L${x2},${y2}`; }).join("");
    lines.push(shape("path", { d, fill: "none", stroke: "#fff", "stroke-width": held.side * 0.24, "stroke-linecap": "round", "stroke-opacity": 0.6 }),
      shape("path", { d, fill: "none", stroke: color(held.kinds.hexsides, one), "stroke-width": held.side * 0.15, "stroke-linecap": "round" }));
  }
  for (const path of [...parts.paths, ...(road ? [road] : [])]) {
    const d = `M${path.hexes.map((name) => `${spots.get(name).x},${spots.get(name).y}`).join("L")}`;
    lines.push(shape("path", { d, fill: "none", stroke: "#fff", "stroke-width": held.side * 0.2, "stroke-opacity": 0.6, "stroke-linejoin": "round" }),
      shape("path", { d, fill: "none", stroke: color(held.kinds.paths, path.kind), "stroke-width": held.side * 0.12, "stroke-linejoin": "round", "stroke-linecap": "round" }));
  }
  layers.lines.replaceChildren(...(["hexsides", "paths"].includes(tool) || state() !== saved || ground === "photo" ? lines : []));
  const size = held.side * 0.3;
  layers.names.replaceChildren(...(tool === "places" ? Object.values(parts.places).flatMap((one) => {
    const spot = spots.get(one.hex ?? one.hexes?.[0]);
    return spot ? [shape("circle", { cx: spot.x, cy: spot.y, r: held.side * 0.2, fill: "#c2182b" }), text(spot.x, spot.y - held.side * 0.35, one.name, size)] : [];
  }) : []));
}
function drawPoints() {
  const before = JSON.parse(saved).points;
  layers.grid.replaceChildren();
  const spot = (point) => [point.at[0] * held.unit + held.shift[0], point.at[1] * held.unit + held.shift[1]];
  layers.lines.replaceChildren(...Object.entries(parts.routes).flatMap(([one, pairs]) => pairs.filter(([a, b]) => parts.points[a] && parts.points[b]).map(([a, b]) => {
    const [x1, y1] = spot(parts.points[a]), [x2, y2] = spot(parts.points[b]);
    return shape("line", { x1, y1, x2, y2, stroke: color(held.kinds.routes, one), "stroke-width": 1.6 });
  })));
  layers.names.replaceChildren(...Object.entries(parts.points).flatMap(([id, point]) => {
    const [x, y] = spot(point), same = JSON.stringify(before[id]) === JSON.stringify(point); // ours are named already
    return [shape("circle", { cx: x, cy: y, r: 6, fill: color(held.kinds.terrain, point.terrain ?? held.kinds.terrain[0].id), stroke: joined === id ? "#c2182b" : "#2a1f10", "stroke-width": joined === id ? 1.4 : 0.6, "fill-opacity": 0.85 }), ...(same ? [] : [text(x, y + 10, point.name, 3)])];
  }));
}
function text(x, y, words, size) {
  const made = shape("text", { x, y, "font-size": size, "font-weight": 700, "text-anchor": "middle", fill: "#2a1f10", stroke: "#fffdf7", "stroke-width": size * 0.18, "paint-order": "stroke" });
  made.textContent = words;
  return made;
}

// Moving and zooming.
function place() { picture.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.zoom})`; board.querySelectorAll(".photo").forEach((one) => { one.style.transform = picture.style.transform; }); }
function zoom(by, x = board.clientWidth / 2, y = board.clientHeight / 2) {
  const next = Math.min(12, Math.max(0.05, at.zoom * by));
  at.x = x - (x - at.x) * next / at.zoom;
  at.y = y - (y - at.y) * next / at.zoom;
  at.zoom = next;
  place();
}
function whole() {
  const wide = board.querySelector(".photo")?.naturalWidth ?? held.width * MM, high = board.querySelector(".photo")?.naturalHeight ?? held.height * MM;
  at.zoom = Math.min(board.clientWidth / wide, board.clientHeight / high) * 0.96;
  at.x = (board.clientWidth - wide * at.zoom) / 2;
  at.y = (board.clientHeight - high * at.zoom) / 2;
  place();
}
const point = (event) => { const box = board.getBoundingClientRect(); return { x: (event.clientX - box.left - at.x) / at.zoom / MM, y: (event.clientY - box.top - at.y) / at.zoom / MM }; };
const nearest = (list, { x, y }) => list.reduce((best, one) => { const far = (one.x - x) ** 2 + (one.y - y) ** 2; return far < best.far ? { far, one } : best; }, { far: Infinity, one: null });

function listen() {
  const fingers = new Map();
  let before = "", last = "";
  board.addEventListener("wheel", (event) => { event.preventDefault(); const box = board.getBoundingClientRect(); zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top); }, { passive: false });
  board.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".pin")) return;
    fingers.set(event.pointerId, event);
    board.setPointerCapture(event.pointerId);
    if (fingers.size > 1) { road = grabbed = null; return; }
    before = state();
    last = "";
    begin(point(event));
  });
  board.addEventListener("pointermove", (event) => {
    const was = fingers.get(event.pointerId);
    if (!was) return;
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((one) => one.pointerId !== event.pointerId), far = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const box = board.getBoundingClientRect();
      zoom(far(event) / Math.max(1, far(was)), (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
    } else if (["move", "photo"].includes(tool) || (tool === "points" && !grabbed)) {
      at.x += event.clientX - was.clientX;
      at.y += event.clientY - was.clientY;
      place();
    } else drag(point(event));
    fingers.set(event.pointerId, event);
  });
  const end = (event) => {
    const was = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    if (!was || fingers.size) return;
    if (event.type === "pointerup") finish(point(event));
    changed(before);
    draw();
  };
  board.addEventListener("pointerup", end);
  board.addEventListener("pointercancel", end);

  function begin(spot) {
    if (["terrain", "features", "hexsides"].includes(tool)) stroke(spot, true);
    if (tool === "paths") road = { kind: kind.paths, hexes: [hexAt(spot)] };
    if (tool === "points") grabbed = pointAt(spot);
  }
  function drag(spot) {
    if (["terrain", "features", "hexsides"].includes(tool)) stroke(spot, false);
    if (tool === "paths" && road) {
      const hex = hexAt(spot), end = road.hexes.at(-1);
      if (hex !== end && beside(end, hex)) road.hexes.push(hex);
      draw();
    }
    if (tool === "points" && grabbed) {
      parts.points[grabbed].at = [((spot.x - held.shift[0]) / held.unit), ((spot.y - held.shift[1]) / held.unit)].map((one) => Number(one.toFixed(2)));
      draw();
    }
  }
  function finish(spot) {
    if (tool === "paths" && road) {
      if (road.hexes.length > 1) parts.paths.push(road);
      else cut(spot);
      road = null;
    }
    if (tool === "places") askPlace(hexAt(spot));
    if (tool === "points" && !grabbed) askPoint(spot);
    grabbed = null;
    if (tool === "routes") join(pointAt(spot));
  }
  // A stroke of the brush: the first hex or hexside decides whether it paints or takes away.
  let paints = true;
  function stroke(spot, first) {
    if (tool === "hexsides") {
      const { far, one } = nearest([...sides].map(([name, [x1, y1, x2, y2]]) => ({ name, x: (x1 + x2) / 2, y: (y1 + y2) / 2 })), spot);
      if (!one || far > (held.side * 0.45) ** 2 || one.name === last) return;
      last = one.name;
      toggle(parts.hexsides, kind.hexsides, one.name, first);
    } else {
      const name = hexAt(spot);
      if (!name || name === last) return;
      last = name;
      if (tool === "terrain") parts.terrain[name] = kind.terrain;
      else toggle(parts.features, kind.terrain, name, first);
    }
    draw();
  }
  function toggle(lists, id, name, first) {
    const list = new Set(lists[id] ?? []);
    if (first) paints = !list.has(name);
    paints ? list.add(name) : list.delete(name);
    if (list.size) lists[id] = [...list].sort();
    else delete lists[id];
  }
}
const hexAt = (spot) => nearest(held.hexes.map(([name, x, y]) => ({ name, x, y })), spot).one?.name;
const beside = (one, other) => Math.hypot(centre(one).x - centre(other).x, centre(one).y - centre(other).y) < held.side * 1.8;
const pointAt = (spot) => {
  const list = Object.entries(parts.points).map(([id, one]) => ({ id, x: one.at[0] * held.unit + held.shift[0], y: one.at[1] * held.unit + held.shift[1] }));
  const { far, one } = nearest(list, spot);
  return one && far < 64 ? one.id : null;
};

// A tap on a road takes the step under it away; what is left on both sides stays.
function cut(spot) {
  const hex = hexAt(spot);
  parts.paths = parts.paths.flatMap((path) => {
    const number = path.kind === kind.paths ? path.hexes.indexOf(hex) : -1;
    if (number < 0) return [path];
    return [path.hexes.slice(0, number), path.hexes.slice(number + 1)].filter((hexes) => hexes.length > 1).map((hexes) => ({ ...path, hexes }));
  });
}
function join(id) {
  if (!id) { joined = null; return; }
  if (!joined || joined === id) { joined = joined === id ? null : id; return; }
  const pair = [joined, id].sort(), same = ([a, b]) => a === pair[0] && b === pair[1], list = parts.routes[kind.routes] ?? [];
  parts.routes[kind.routes] = list.some(same) ? list.filter((one) => !same(one)) : [...list, pair].sort();
  if (!parts.routes[kind.routes].length) delete parts.routes[kind.routes];
  joined = null;
}

const idOf = (name, taken) => {
  const plain = name.normalize("NFD").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").replace(/^(?=\d)/, "p_") || "place";
  let id = plain;
  for (let number = 2; id in taken; number += 1) id = `${plain}_${number}`;
  return id;
};
function form(title, values, shapes, done, gone) {
  const told = { ...values };
  const body = el("div", {}, ...Object.entries(shapes).map(([name, one]) => field(name, one, told[name], (value) => { told[name] = value; })),
    el("div", { class: "chips" }, button(W.done, () => { sheet.close(); done(told); }, { class: "main" }), ...(gone ? [button(W.remove, () => { sheet.close(); gone(); })] : [])));
  const sheet = open(el("h2", { class: "grow" }, title), body, true);
}
function askPlace(hex) {
  const id = Object.keys(parts.places).find((one) => parts.places[one].hex === hex || parts.places[one].hexes?.includes(hex)), was = id ? parts.places[id] : {};
  const before = state();
  form(W.placeIn(hex), was, { name: { title: W.name, choices: [] }, kind: { title: W.kind, choices: [] }, side: { title: W.side, choices: Object.keys(held.kinds.sides), names: held.kinds.sides } }, (told) => {
    if (!told.name?.trim()) return;
    const made = { ...was, ...Object.fromEntries(["name", "kind", "side"].filter((one) => told[one]?.trim()).map((one) => [one, told[one].trim()])) };
    if (!made.hex && !made.hexes) made.hex = hex;
    parts.places[id ?? idOf(told.name, parts.places)] = made;
    changed(before);
  }, id ? () => { delete parts.places[id]; changed(before); } : null);
}
function askPoint(spot) {
  const before = state();
  form(W.newPoint, {}, { name: { title: W.name, choices: [] } }, (told) => {
    if (!told.name?.trim()) return;
    const where = [(spot.x - held.shift[0]) / held.unit, (spot.y - held.shift[1]) / held.unit].map((one) => Number(one.toFixed(2)));
    parts.points[idOf(told.name, parts.points)] = { name: told.name.trim(), at: where, terrain: kind.terrain };
    changed(before);
  });
}
function newBoard() {
  form(W.tools.board, { columns: "20", rows: "15", orientation: "flat", scheme: "xxyy" }, {
    name: { title: W.name, choices: [] }, columns: { title: W.columns, kind: "number", choices: [] }, rows: { title: W.rows, kind: "number", choices: [] },
    orientation: { title: W.orientation, choices: ["flat", "pointy"], names: W.orientations, default: "flat" }, scheme: { title: W.scheme, choices: ["xxyy", "x.y", "letters"], names: W.schemes, default: "xxyy" },
  }, safely(async (told) => {
    const made = await ask("board", { ...told, name: told.name ?? "", id: idOf(told.name ?? "", Object.fromEntries(Object.keys(work.maps).map((one) => [one.split("/")[1], 1]))) });
    await start(made.map);
  }));
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, dialog")) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { event.preventDefault(); event.shiftKey ? redo() : undo(); }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") { event.preventDefault(); if (!saver.disabled) save(); }
});
window.addEventListener("beforeunload", (event) => { if (held && !saver.disabled) event.preventDefault(); });
saver.addEventListener("click", save);
chooser.addEventListener("change", safely(() => load(chooser.value)));

async function start(first = "") {
  work = await ask("work");
  document.title = W.title(work.title);
  document.getElementById("title").textContent = work.title;
  chooser.replaceChildren(...Object.entries(work.maps).map(([one, name]) => el("option", { value: one }, name)));
  chooser.hidden = !Object.keys(work.maps).length;
  const next = first || Object.keys(work.maps)[0];
  saver.disabled = true;
  if (next) {
    chooser.value = next;
    await load(next);
  } else {
    layTools();
    lay();
  }
}
start().catch((error) => say(error.message, true));
