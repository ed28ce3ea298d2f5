// The editor: paint a board of hexes or a map of points over our drawing or over a photo, and save it.
import { numbersTab } from "./numbers.js";
import { photoTool } from "./photo.js";
import { button, el, field, openSheet, svgElement } from "../tools.js";
import { W } from "./words.js";

const main = document.getElementById("main"), tools = document.getElementById("tools"), note = document.getElementById("note");
const chooser = document.getElementById("which"), saver = document.getElementById("save");
const MM = 4; // pixels a millimetre at zoom 1
let workspace, loadedMap, parts, key = "", tool = "move", kind = {}, past = [], future = [], saved = "", image = null, strength = 0.45, ground = "drawn";
let camera = { x: 0, y: 0, zoom: 0.5 }, board, picture, layers, road = null, grabbed = null, joined = null;

export async function ask(path, body) {
  const answer = await fetch(`api/${path}`, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const reply = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(reply.wrong ?? W.failed), { told: reply });
  return reply;
}

let fading = 0;
export function showNote(text, wrong = false) {
  note.textContent = text;
  note.className = wrong ? "wrong" : "";
  clearTimeout(fading);
  if (!wrong) fading = setTimeout(() => { note.textContent = ""; }, 4000);
}
note.addEventListener("click", () => { note.textContent = ""; });
const safely = (job) => async (...jobArguments) => { try { await job(...jobArguments); } catch (error) { showNote(error.message, true); } };

// What is changed can be taken back, step by step; a draft stays in the browser until it is saved, with what it began from.
// The order in which entries were painted doesn't count.
const inOrder = (part) => (Array.isArray(part) ? part : Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))));
const textOf = (allParts) => JSON.stringify(Object.fromEntries(Object.entries(allParts).map(([name, part]) => [name, inOrder(part)])));
const state = () => textOf(parts);
// A step: each entry that changed, as it was before and after.
function difference(before, after) {
  const isSame = (first, second) => JSON.stringify(first) === JSON.stringify(second);
  return Object.keys(after).flatMap((part) => {
    if (Array.isArray(after[part])) return isSame(before[part], after[part]) ? [] : [{ part, before: before[part], after: after[part] }];
    const names = new Set([...Object.keys(before[part]), ...Object.keys(after[part])]);
    return [...names].flatMap((name) => (isSame(before[part][name], after[part][name]) ? [] : [{ part, name, before: before[part][name], after: after[part][name] }]));
  });
}
function recordStep(before) {
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
const isDirty = () => loadedMap && (state() !== saved || image !== null);
const draft = () => `mitla:edit:${workspace.into}:${key}`;
function step(source, destination, which) {
  if (!source.length) return;
  const entries = source.pop();
  destination.push(entries);
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

async function load(newKey) {
  key = newKey;
  loadedMap = await ask(`map/${key}`);
  parts = loadedMap.parts;
  saved = state();
  past = [];
  future = [];
  image = null;
  ground = loadedMap.flat ? "photo" : "drawn";
  const keptDraft = JSON.parse(localStorage.getItem(draft()) ?? "null"), file = saved;
  if (keptDraft?.opened && textOf(keptDraft.parts) !== file) {
    parts = keptDraft.parts;
    saved = textOf(keptDraft.opened);
    showNote(saved === file ? W.draft : W.draftStale);
  }
  kind = { terrain: loadedMap.kinds.terrain[0]?.id, hexsides: loadedMap.kinds.hexsides[0]?.id, paths: loadedMap.kinds.paths[0]?.id, routes: loadedMap.kinds.routes[0]?.id };
  tool = "move";
  render();
  showWhole();
  keep();
}

// What is in the file now, as the server tells it: the parts, and the picture under them.
function takeIn({ image: picture, ...rest }) {
  loadedMap.image = picture ?? null;
  return rest;
}
const save = safely(async () => {
  try {
    const answer = await ask("save", { map: key, opened: { ...JSON.parse(saved), image: loadedMap.image }, parts, image });
    parts = takeIn(answer.parts);
    saved = state();
    image = null;
    if (answer.merged) {
      past = [];
      future = [];
    }
    loadedMap.flat ||= ground === "photo";
    keep();
    showGround();
    showNote((answer.merged ? W.mergedInto : W.savedTo)(workspace.into));
  } catch (error) {
    if (!error.told?.file) throw error;
    askWhose(error);
  }
});
// The file and the editor changed the same: the user says whose stays.
function askWhose({ message, told: details }) {
  const take = (version, next) => button(next === save ? W.keepMine : W.takeFile, () => {
    sheet.close();
    saved = textOf(takeIn(details.file));
    const { image: picture, ...rest } = version;
    parts = rest;
    if (next !== save) image = null;
    past = [];
    future = [];
    keep();
    next();
  });
  const sheet = openSheet(el("h2", { class: "grow" }, W.clash), el("div", {}, el("p", {}, message), el("div", { class: "chips" },
    take(details.edit, save), take(details.theirs, () => { showGround(); if (isDirty()) showNote(W.taken); }))), true);
}

// The tools and the palette.
const TOOLS = { hexes: ["move", "terrain", "features", "hexsides", "paths", "places", "photo"], points: ["move", "points", "routes"] };
function layTools() {
  const names = [...(loadedMap ? TOOLS[loadedMap.kind] : []), ...(workspace.overlay ? ["numbers"] : ["board"])];
  tools.replaceChildren(...names.map((name) => button(W.tools[name], () => choose(name), name === tool ? { "aria-current": "page" } : {})),
    button("↶", undo, { "aria-label": W.undo, title: W.undo, disabled: !past.length }), button("↷", redo, { "aria-label": W.redo, title: W.redo, disabled: !future.length }),
    ...(loadedMap && tool !== "numbers" ? [button(W.discard, discard, { disabled: !isDirty() })] : []));
}
function choose(name) {
  if (name === "board") return newBoard();
  const was = tool;
  tool = name;
  road = grabbed = joined = null;
  if (name === "numbers" || was === "numbers") render();
  layTools();
  layPalette();
  draw();
}

let palette = el("div", { class: "palette" });
function layPalette() {
  palette.remove();
  if (!loadedMap || tool === "numbers") return;
  board.dataset.tool = tool;
  const kinds = { terrain: loadedMap.kinds.terrain, features: loadedMap.kinds.terrain, points: loadedMap.kinds.terrain }[tool] ?? loadedMap.kinds[tool];
  const lines = ["hexsides", "paths", "routes"].includes(tool), slot = ["features", "points"].includes(tool) ? "terrain" : tool;
  palette = el("div", { class: "palette" }, el("h2", {}, W.tools[tool]), el("p", { class: "quiet" }, W.hints[tool]));
  if (kinds) {
    palette.append(el("div", { class: "kinds" }, ...kinds.map((entry) => button(entry.name, () => { kind[slot] = entry.id; layPalette(); },
      { class: "kind", "aria-pressed": String(kind[slot] === entry.id) }))));
    palette.querySelectorAll("button.kind").forEach((swatchButton, number) => swatchButton.prepend(el("span", { class: lines ? "swatch line" : "swatch", style: `background:${kinds[number].color}` })));
  }
  if (tool === "photo") palette.append(...photoTool({ loadedMap, key, view: photoView, used: photoUsed, ask, showNote }));
  if (tool === "move") {
    const slider = el("input", { type: "range", min: 0, max: 1, step: 0.05, value: strength, "aria-label": W.strength, oninput: () => { strength = Number(slider.value); draw(); } });
    palette.append(el("label", {}, el("span", {}, W.strength), slider));
    if (loadedMap.flat || ground === "photo") palette.append(el("div", { class: "chips" }, ...["drawn", "photo"].map((name) => button(W.grounds[name], () => { ground = name; showGround(); layPalette(); }, { "aria-pressed": String(ground === name) }))));
  }
  main.append(palette);
}

function render() {
  main.className = "wide";
  if (tool === "numbers") {
    main.className = "";
    main.replaceChildren();
    return safely(() => numbersTab(main, ask, showNote))();
  }
  if (!loadedMap) return main.replaceChildren(el("p", { class: "card" }, W.noMap));
  picture = svgElement("svg", { width: loadedMap.width * MM, height: loadedMap.height * MM, viewBox: `0 0 ${loadedMap.width} ${loadedMap.height}` });
  layers = Object.fromEntries(["ground", "paint", "grid", "lines", "names", "marks"].map((name) => [name, svgElement("g", {})]));
  picture.append(...Object.values(layers));
  board = el("div", { id: "board", tabindex: "0", role: "application", "aria-label": W.board }, picture);
  main.replaceChildren(board, el("div", { class: "zoom" }, button("+", () => zoom(1.5), { "aria-label": W.zoomIn }), button("−", () => zoom(1 / 1.5), { "aria-label": W.zoomOut }), button("□", showWhole, { "aria-label": W.whole })));
  listen();
  showGround();
  layPalette();
}

let showing = 0;
function showGround() {
  if (!layers) return;
  const href = ground === "photo" ? `api/flat/${key.split("/")[1]}?${++showing}` : `api/drawn/${key}?${++showing}`;
  layers.ground.replaceChildren(svgElement("image", { href, x: 0, y: 0, width: loadedMap.width, height: loadedMap.height, preserveAspectRatio: "none" }));
}
// While a photo's points are set, the photo itself is shown; else the board.
function photoView(frame) {
  picture.style.display = frame ? "none" : "";
  board.querySelectorAll(".photo").forEach((photo) => photo.remove());
  if (frame) {
    frame.classList.add("photo");
    board.append(frame);
  }
  return { place: (element) => { element.style.transform = picture.style.transform; }, at: () => camera, zoomTo: (newCamera) => { camera = newCamera; place(); frame.style.transform = picture.style.transform; } };
}
function photoUsed(answer) {
  image = answer.image;
  ground = "photo";
  loadedMap.flat = true;
  photoView(null);
  showGround();
  showWhole();
  keep();
  layPalette();
}

// Drawing what was painted.
const color = (list, id) => list.find((entry) => entry.id === id)?.color ?? "#888";
const centre = (name) => spots.get(name);
let spots = new Map(), sides = new Map();
function outline(x, y) { return `M${loadedMap.outline.map(([dx, dy]) => `${(x + dx).toFixed(2)},${(y + dy).toFixed(2)}`).join("L")}Z`; }
function draw() {
  if (!loadedMap || !layers || tool === "numbers") return;
  if (loadedMap.kind === "points") return drawPoints();
  spots = new Map(loadedMap.hexes.map(([name, x, y]) => [name, { name, x, y }]));
  sides = new Map(loadedMap.sides.map(([name, ...ends]) => [name, ends]));
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
    return svgElement("path", { d: names.map((name) => outline(spots.get(name).x, spots.get(name).y)).join(""), fill: color(loadedMap.kinds.terrain, terrain), "fill-opacity": strong });
  }));
  for (const [feature, names] of Object.entries(parts.features)) {
    layers.paint.append(...names.map((name) => svgElement("circle", { cx: spots.get(name).x, cy: spots.get(name).y, r: loadedMap.side * 0.35, fill: color(loadedMap.kinds.terrain, feature), stroke: "#000", "stroke-width": 0.3 })));
  }
  layers.grid.replaceChildren(svgElement("path", { d: loadedMap.hexes.map(([, x, y]) => outline(x, y)).join(""), fill: "none", stroke: "#3a3128", "stroke-width": 0.18, "stroke-opacity": 0.5 }));
  const lines = [];
  for (const [hexsideKind, names] of Object.entries(parts.hexsides)) {
    const d = names.map((name) => { const [x1, y1, x2, y2] = sides.get(name) ?? [0, 0, 0, 0]; return `M${x1},${y1}L${x2},${y2}`; }).join("");
    lines.push(svgElement("path", { d, fill: "none", stroke: "#fff", "stroke-width": loadedMap.side * 0.24, "stroke-linecap": "round", "stroke-opacity": 0.6 }),
      svgElement("path", { d, fill: "none", stroke: color(loadedMap.kinds.hexsides, hexsideKind), "stroke-width": loadedMap.side * 0.15, "stroke-linecap": "round" }));
  }
  for (const path of [...parts.paths, ...(road ? [road] : [])]) {
    const d = `M${path.hexes.map((name) => `${spots.get(name).x},${spots.get(name).y}`).join("L")}`;
    lines.push(svgElement("path", { d, fill: "none", stroke: "#fff", "stroke-width": loadedMap.side * 0.2, "stroke-opacity": 0.6, "stroke-linejoin": "round" }),
      svgElement("path", { d, fill: "none", stroke: color(loadedMap.kinds.paths, path.kind), "stroke-width": loadedMap.side * 0.12, "stroke-linejoin": "round", "stroke-linecap": "round" }));
  }
  layers.lines.replaceChildren(...(["hexsides", "paths"].includes(tool) || state() !== saved || ground === "photo" ? lines : []));
  const size = loadedMap.side * 0.3;
  layers.names.replaceChildren(...(tool === "places" ? Object.values(parts.places).flatMap((namedPlace) => {
    const spot = spots.get(namedPlace.hex ?? namedPlace.hexes?.[0]);
    return spot ? [svgElement("circle", { cx: spot.x, cy: spot.y, r: loadedMap.side * 0.2, fill: "#c2182b" }), svgText(spot.x, spot.y - loadedMap.side * 0.35, namedPlace.name, size)] : [];
  }) : []));
}
function drawPoints() {
  const before = JSON.parse(saved).points;
  layers.grid.replaceChildren();
  const spot = (point) => [point.at[0] * loadedMap.unit + loadedMap.shift[0], point.at[1] * loadedMap.unit + loadedMap.shift[1]];
  layers.lines.replaceChildren(...Object.entries(parts.routes).flatMap(([routeKind, pairs]) => pairs.filter(([a, b]) => parts.points[a] && parts.points[b]).map(([a, b]) => {
    const [x1, y1] = spot(parts.points[a]), [x2, y2] = spot(parts.points[b]);
    return svgElement("line", { x1, y1, x2, y2, stroke: color(loadedMap.kinds.routes, routeKind), "stroke-width": 1.6 });
  })));
  layers.names.replaceChildren(...Object.entries(parts.points).flatMap(([id, point]) => {
    const [x, y] = spot(point), isUnchanged = JSON.stringify(before[id]) === JSON.stringify(point); // ours are named already
    return [svgElement("circle", { cx: x, cy: y, r: 6, fill: color(loadedMap.kinds.terrain, point.terrain ?? loadedMap.kinds.terrain[0].id), stroke: joined === id ? "#c2182b" : "#2a1f10", "stroke-width": joined === id ? 1.4 : 0.6, "fill-opacity": 0.85 }), ...(isUnchanged ? [] : [svgText(x, y + 10, point.name, 3)])];
  }));
}
function svgText(x, y, words, size) {
  const element = svgElement("text", { x, y, "font-size": size, "font-weight": 700, "text-anchor": "middle", fill: "#2a1f10", stroke: "#fffdf7", "stroke-width": size * 0.18, "paint-order": "stroke" });
  element.textContent = words;
  return element;
}

// Moving and zooming.
function place() { picture.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.zoom})`; board.querySelectorAll(".photo").forEach((photo) => { photo.style.transform = picture.style.transform; }); }
function zoom(factor, x = board.clientWidth / 2, y = board.clientHeight / 2) {
  const newZoom = Math.min(12, Math.max(0.05, camera.zoom * factor));
  camera.x = x - (x - camera.x) * newZoom / camera.zoom;
  camera.y = y - (y - camera.y) * newZoom / camera.zoom;
  camera.zoom = newZoom;
  place();
}
function showWhole() {
  const width = board.querySelector(".photo")?.naturalWidth ?? loadedMap.width * MM, height = board.querySelector(".photo")?.naturalHeight ?? loadedMap.height * MM;
  camera.zoom = Math.min(board.clientWidth / width, board.clientHeight / height) * 0.96;
  camera.x = (board.clientWidth - width * camera.zoom) / 2;
  camera.y = (board.clientHeight - height * camera.zoom) / 2;
  place();
}
const point = (event) => { const box = board.getBoundingClientRect(); return { x: (event.clientX - box.left - camera.x) / camera.zoom / MM, y: (event.clientY - box.top - camera.y) / camera.zoom / MM }; };
const nearest = (list, { x, y }) => list.reduce((best, spot) => { const far = (spot.x - x) ** 2 + (spot.y - y) ** 2; return far < best.far ? { far, one: spot } : best; }, { far: Infinity, one: null });

function listen() {
  const fingers = new Map();
  let before = "", lastName = "";
  board.addEventListener("wheel", (event) => { event.preventDefault(); const box = board.getBoundingClientRect(); zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top); }, { passive: false });
  board.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".pin")) return;
    fingers.set(event.pointerId, event);
    board.setPointerCapture(event.pointerId);
    if (fingers.size > 1) { road = grabbed = null; return; }
    before = state();
    lastName = "";
    begin(point(event));
  });
  board.addEventListener("pointermove", (event) => {
    const was = fingers.get(event.pointerId);
    if (!was) return;
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId), far = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      const box = board.getBoundingClientRect();
      zoom(far(event) / Math.max(1, far(was)), (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
    } else if (["move", "photo"].includes(tool) || (tool === "points" && !grabbed)) {
      camera.x += event.clientX - was.clientX;
      camera.y += event.clientY - was.clientY;
      place();
    } else drag(point(event));
    fingers.set(event.pointerId, event);
  });
  const end = (event) => {
    const was = fingers.get(event.pointerId);
    fingers.delete(event.pointerId);
    if (!was || fingers.size) return;
    if (event.type === "pointerup") finish(point(event));
    recordStep(before);
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
      parts.points[grabbed].at = [((spot.x - loadedMap.shift[0]) / loadedMap.unit), ((spot.y - loadedMap.shift[1]) / loadedMap.unit)].map((coordinate) => Number(coordinate.toFixed(2)));
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
  function stroke(spot, isFirst) {
    if (tool === "hexsides") {
      const { far, one: hexside } = nearest([...sides].map(([name, [x1, y1, x2, y2]]) => ({ name, x: (x1 + x2) / 2, y: (y1 + y2) / 2 })), spot);
      if (!hexside || far > (loadedMap.side * 0.45) ** 2 || hexside.name === lastName) return;
      lastName = hexside.name;
      toggle(parts.hexsides, kind.hexsides, hexside.name, isFirst);
    } else {
      const name = hexAt(spot);
      if (!name || name === lastName) return;
      lastName = name;
      if (tool === "terrain") parts.terrain[name] = kind.terrain;
      else toggle(parts.features, kind.terrain, name, isFirst);
    }
    draw();
  }
  function toggle(lists, id, name, isFirst) {
    const list = new Set(lists[id] ?? []);
    if (isFirst) paints = !list.has(name);
    paints ? list.add(name) : list.delete(name);
    if (list.size) lists[id] = [...list].sort();
    else delete lists[id];
  }
}
const hexAt = (spot) => nearest(loadedMap.hexes.map(([name, x, y]) => ({ name, x, y })), spot).one?.name;
const beside = (spot, other) => Math.hypot(centre(spot).x - centre(other).x, centre(spot).y - centre(other).y) < loadedMap.side * 1.8;
const pointAt = (spot) => {
  const list = Object.entries(parts.points).map(([id, entry]) => ({ id, x: entry.at[0] * loadedMap.unit + loadedMap.shift[0], y: entry.at[1] * loadedMap.unit + loadedMap.shift[1] }));
  const { far, one: pointSpot } = nearest(list, spot);
  return pointSpot && far < 64 ? pointSpot.id : null;
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
  const pair = [joined, id].sort(), isPair = ([a, b]) => a === pair[0] && b === pair[1], list = parts.routes[kind.routes] ?? [];
  parts.routes[kind.routes] = list.some(isPair) ? list.filter((candidate) => !isPair(candidate)) : [...list, pair].sort();
  if (!parts.routes[kind.routes].length) delete parts.routes[kind.routes];
  joined = null;
}

const idOf = (name, takenIds) => {
  const plain = name.normalize("NFD").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").replace(/^(?=\d)/, "p_") || "place";
  let id = plain;
  for (let number = 2; id in takenIds; number += 1) id = `${plain}_${number}`;
  return id;
};
function form(title, values, shapes, onDone, onRemove) {
  const answers = { ...values };
  const body = el("div", {}, ...Object.entries(shapes).map(([name, inputShape]) => field(name, inputShape, answers[name], (value) => { answers[name] = value; })),
    el("div", { class: "chips" }, button(W.done, () => { sheet.close(); onDone(answers); }, { class: "main" }), ...(onRemove ? [button(W.remove, () => { sheet.close(); onRemove(); })] : [])));
  const sheet = openSheet(el("h2", { class: "grow" }, title), body, true);
}
function askPlace(hex) {
  const id = Object.keys(parts.places).find((placeId) => parts.places[placeId].hex === hex || parts.places[placeId].hexes?.includes(hex)), was = id ? parts.places[id] : {};
  const before = state();
  form(W.placeIn(hex), was, { name: { title: W.name, choices: [] }, kind: { title: W.kind, choices: [] }, side: { title: W.side, choices: Object.keys(loadedMap.kinds.sides), names: loadedMap.kinds.sides } }, (answers) => {
    if (!answers.name?.trim()) return;
    const newPlace = { ...was, ...Object.fromEntries(["name", "kind", "side"].filter((inputName) => answers[inputName]?.trim()).map((inputName) => [inputName, answers[inputName].trim()])) };
    if (!newPlace.hex && !newPlace.hexes) newPlace.hex = hex;
    parts.places[id ?? idOf(answers.name, parts.places)] = newPlace;
    recordStep(before);
  }, id ? () => { delete parts.places[id]; recordStep(before); } : null);
}
function askPoint(spot) {
  const before = state();
  form(W.newPoint, {}, { name: { title: W.name, choices: [] } }, (answers) => {
    if (!answers.name?.trim()) return;
    const where = [(spot.x - loadedMap.shift[0]) / loadedMap.unit, (spot.y - loadedMap.shift[1]) / loadedMap.unit].map((coordinate) => Number(coordinate.toFixed(2)));
    parts.points[idOf(answers.name, parts.points)] = { name: answers.name.trim(), at: where, terrain: kind.terrain };
    recordStep(before);
  });
}
function newBoard() {
  form(W.tools.board, { columns: "20", rows: "15", orientation: "flat", scheme: "xxyy" }, {
    name: { title: W.name, choices: [] }, columns: { title: W.columns, kind: "number", choices: [] }, rows: { title: W.rows, kind: "number", choices: [] },
    orientation: { title: W.orientation, choices: ["flat", "pointy"], names: W.orientations, default: "flat" }, scheme: { title: W.scheme, choices: ["xxyy", "x.y", "letters"], names: W.schemes, default: "xxyy" },
  }, safely(async (answers) => {
    const newMap = await ask("board", { ...answers, name: answers.name ?? "", id: idOf(answers.name ?? "", Object.fromEntries(Object.keys(workspace.maps).map((mapKey) => [mapKey.split("/")[1], 1]))) });
    await start(newMap.map);
  }));
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, dialog")) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") { event.preventDefault(); event.shiftKey ? redo() : undo(); }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") { event.preventDefault(); if (!saver.disabled) save(); }
});
window.addEventListener("beforeunload", (event) => { if (loadedMap && !saver.disabled) event.preventDefault(); });
saver.addEventListener("click", save);
chooser.addEventListener("change", safely(() => load(chooser.value)));

async function start(firstMap = "") {
  workspace = await ask("work");
  document.title = W.title(workspace.title);
  document.getElementById("title").textContent = workspace.title;
  chooser.replaceChildren(...Object.entries(workspace.maps).map(([mapKey, name]) => el("option", { value: mapKey }, name)));
  chooser.hidden = !Object.keys(workspace.maps).length;
  const nextMap = firstMap || Object.keys(workspace.maps)[0];
  saver.disabled = true;
  if (nextMap) {
    chooser.value = nextMap;
    await load(nextMap);
  } else {
    layTools();
    render();
  }
}
start().catch((error) => showNote(error.message, true));
