// A pack while it is written: drawings that change when a file is saved, and what is wrong beside them.
import { el } from "../tools.js";
import { renderNodes } from "../nodes.js";

const TABS = { counters: "Counters", maps: "Map", charts: "Charts", cards: "Cards", rulebook: "Rulebook" };
const AT_ONCE = 100;
const main = document.getElementById("main");
const drawings = new Map(); // by key: what the server drew
const places = new Map(); // by name: { key, node } of what is on the page
let state = null;
let tab = TABS[location.hash.slice(1)] ? location.hash.slice(1) : "counters";
let zoom = 1;
let chosenMap = "";
let lastFrame = "";

async function fetchDrawings(items) {
  const missing = items.filter((item) => !drawings.has(item.key));
  for (let start = 0; start < missing.length; start += AT_ONCE) {
    const batch = missing.slice(start, start + AT_ONCE);
    const answer = await fetch("drawings", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ names: batch.map((item) => item.name) }),
    });
    if (!answer.ok) throw new Error((await answer.json()).wrong);
    const replies = await answer.json();
    for (const item of batch) if (replies[item.name]) drawings.set(item.key, replies[item.name]);
  }
  while (drawings.size > 4000) drawings.delete(drawings.keys().next().value);
}

function svg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

function fillNode(node, item) {
  const drawing = drawings.get(item.key);
  if (!drawing) return;
  if (drawing.wrong) node.replaceChildren(el("p", { class: "wrong" }, drawing.wrong));
  else if (drawing.blocks) node.replaceChildren(...drawing.blocks.map(block));
  else node.replaceChildren(...(drawing.svg ? [svg(drawing.svg)] : []), ...(drawing.nodes ? [el("div", { class: "answer" }, ...renderNodes(drawing.nodes))] : []));
}

// A block of the rulebook.
function block(part) {
  const picture = part.drawn?.svg ? svg(part.drawn.svg) : null;
  const inside = () => (part.spans ?? []).map(span);
  if (part.kind === "heading") return el(`h${Math.min(4, part.level + 1)}`, {}, ...inside());
  if (part.kind === "item") return el("p", { class: "item", style: `margin-left: ${(part.level - 1) * 1.6}rem` }, el("b", {}, part.mark || "•"), el("span", {}, ...inside()));
  if (part.kind === "chart") return el("div", { class: "chartblock" }, picture ?? "");
  if (part.kind === "piece") return el("p", { class: "piece" }, picture ?? "", part.text);
  if (part.kind === "quote") return el("blockquote", {}, ...inside());
  if (part.kind === "code") return el("pre", {}, part.text);
  if (part.kind === "ruler") return el("hr");
  if (part.kind === "table") return el("div", { class: "answer" }, el("table", {}, ...part.rows.map((row, index) => el("tr", {}, ...row.map((cell) => el(index ? "td" : "th", {}, ...cell.map(span)))))));
  return el("p", { style: `margin-left: ${part.level * 1.6}rem` }, ...inside());
}

function span(part) {
  if (part.drawn?.svg) { const picture = svg(part.drawn.svg); picture.setAttribute("class", "inline"); picture.setAttribute("role", "img"); picture.setAttribute("aria-label", part.text); return picture; }
  const tag = part.code ? "code" : part.bold ? "b" : part.italic ? "i" : "span";
  return el(tag, {}, part.text);
}

function place(item, attributes = {}) {
  const node = el("div", { class: "drawing", ...attributes });
  places.set(item.name, { key: "", node });
  return node;
}

// The frame of a tab; the drawings come into it when they are there.
const FRAMES = {
  counters(items) {
    const groups = new Map();
    for (const item of items) {
      const id = item.name.slice(item.name.indexOf("/") + 1);
      if (!groups.has(item.group)) groups.set(item.group, new Map());
      const group = groups.get(item.group);
      if (!group.has(id)) group.set(id, []);
      group.get(id).push(item);
    }
    return [...groups].map(([name, pieces]) => el("section", {}, el("h2", {}, name, el("small", { class: "quiet" }, ` ${pieces.size}`)),
      el("div", { class: "faces" }, ...[...pieces].map(([id, sides]) => el("figure", {},
        el("div", { class: "pair" }, ...sides.map((item) => place(item))),
        el("figcaption", {}, sides[0].title, el("br"), id))))));
  },
  maps(items) {
    if (!items.some((item) => item.name === chosenMap)) chosenMap = items[0]?.name ?? "";
    const item = items.find((candidate) => candidate.name === chosenMap);
    if (!item) return [];
    const node = place(item, { style: `width: ${zoom * 100}%` });
    const grow = (factor) => { zoom = Math.min(8, Math.max(0.25, zoom * factor)); node.style.width = `${zoom * 100}%`; };
    const choose = el("select", { "aria-label": "Map or board", onchange: (event) => { chosenMap = event.target.value; lastFrame = ""; show(); } },
      ...items.map((candidate) => el("option", { value: candidate.name, ...(candidate.name === chosenMap ? { selected: "" } : {}) }, candidate.title)));
    const controls = [el("button", { type: "button", onclick: () => grow(1.25), "aria-label": "Larger" }, "+"),
      el("button", { type: "button", onclick: () => grow(0.8), "aria-label": "Smaller" }, "−")];
    return [el("div", { class: "zoom" }, ...(items.length > 1 ? [choose] : []), ...controls),
      el("div", { class: "sheet", tabindex: "0", role: "region", "aria-label": item.title }, node)];
  },
  charts: (items) => [el("div", { class: "charts" }, ...items.map((item) => place(item)))],
  rulebook: (items) => items.map((item) => place(item, { class: "rulebook" })),
  cards: (items) => [el("div", { class: "cards" }, ...items.map((item) => el("article", { class: "card" }, el("h2", {}, item.title), place(item))))],
};

function shownNow() {
  const items = state?.shown[tab] ?? [];
  return tab === "maps" ? items.filter((item) => item.name === chosenMap) : items;
}

async function show() {
  const items = state?.shown[tab] ?? [];
  const frame = JSON.stringify([tab, chosenMap, items.map((item) => [item.name, item.title, item.group])]);
  const anew = frame !== lastFrame;
  if (anew) {
    lastFrame = frame;
    places.clear();
    const parts = FRAMES[tab](items);
    main.replaceChildren(...(parts.length ? parts : [el("p", { class: "quiet" }, state?.title ? "Nothing here yet." : "Nothing could be drawn yet; the problems are listed beside this.")]));
  }
  const version = state?.version;
  try {
    await fetchDrawings(shownNow());
  } catch (error) {
    main.prepend(el("p", { class: "wrong", role: "alert" }, error.message));
    return;
  }
  if (version !== state?.version && version !== undefined && frame !== lastFrame) return;
  for (const item of shownNow()) {
    const slot = places.get(item.name);
    if (!slot || slot.key === item.key) continue;
    const previousKey = slot.key;
    slot.key = item.key;
    fillNode(slot.node, item);
    if (previousKey) {
      slot.node.classList.remove("fresh");
      void slot.node.offsetWidth;
      slot.node.classList.add("fresh");
    }
  }
  document.documentElement.dataset.shown = String(version ?? "");
}

function tabs() {
  document.getElementById("tabs").replaceChildren(...Object.entries(TABS).map(([key, name]) => el("button", {
    type: "button", ...(key === tab ? { "aria-current": "page" } : {}),
    onclick: () => { tab = key; history.replaceState(null, "", `#${key}`); tabs(); show(); },
  }, `${name} ${count(key)}`)));
}

function count(key) {
  const items = state?.shown[key]?.length ?? 0;
  return items && key !== "rulebook" ? (key === "counters" ? items / 2 : items) : "";
}

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString();

function findings() {
  const wrong = state.findings.filter((entry) => !entry.warning).length;
  const problems = `${wrong} ${wrong === 1 ? "problem" : "problems"} to fix`;
  const summary = state.whole
    ? [el("p", { class: `state ${wrong ? "old" : ""}` }, wrong ? `Drawn as saved at ${clock(state.good)}; ${problems}.` : `All is well. Drawn as saved at ${clock(state.good)}.`)]
    : [el("p", { class: "state broken" }, state.good ? `${problems}. Until then this is what was saved at ${clock(state.good)}.` : `${problems}. Nothing could be drawn yet.`)];
  document.getElementById("findings").replaceChildren(...summary, ...state.findings.map(finding));
}

function finding(entry) {
  const link = el("a", { href: `vscode://file${entry.path.startsWith("/") ? "" : "/"}${encodeURI(entry.path)}:${entry.line}:${entry.column}`, title: "Open in Visual Studio Code" }, entry.where);
  const lines = entry.lines.map(([number, text]) => el(number === entry.mark ? "b" : "span", {}, `${number.padStart(4)}  ${text}`));
  return el("article", {}, link, el("p", {}, entry.message, entry.warning ? " (a warning)" : ""), lines.length ? el("pre", { tabindex: "0", "aria-label": `Lines of ${entry.where}` }, ...lines) : null);
}

function receive(line) {
  state = JSON.parse(line);
  document.getElementById("title").textContent = state.title || "A new game";
  document.title = `${state.findings.some((entry) => !entry.warning) ? "✗ " : ""}${state.title || "A new game"}: Mitla`;
  document.getElementById("ask").hidden = !state.id;
  tabs();
  findings();
  show();
}

const source = new EventSource("events");
source.onmessage = (event) => receive(event.data);
source.onerror = () => {
  if (!document.querySelector(".away")) document.getElementById("findings").prepend(el("p", { class: "state broken away" }, "modgen watch has ended, or doesn't answer; start it again."));
};
addEventListener("hashchange", () => { const key = location.hash.slice(1); if (TABS[key] && key !== tab) { tab = key; tabs(); show(); } });
tabs();
