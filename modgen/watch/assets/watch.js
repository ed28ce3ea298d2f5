// A pack while it is written: drawings that change when a file is saved, and what is wrong beside them.
import { el } from "../tools.js";
import { shownNodes } from "../nodes.js";

const TABS = { counters: "Counters", maps: "Map", charts: "Charts", cards: "Cards", rulebook: "Rulebook" };
const AT_ONCE = 100;
const main = document.getElementById("main");
const drawings = new Map(); // by key: what the server drew
const places = new Map(); // by name: { key, node } of what is on the page
let state = null;
let tab = TABS[location.hash.slice(1)] ? location.hash.slice(1) : "counters";
let zoom = 1;
let chosenMap = "";
let laid = "";

async function fetched(items) {
  const missing = items.filter((item) => !drawings.has(item.key));
  for (let start = 0; start < missing.length; start += AT_ONCE) {
    const some = missing.slice(start, start + AT_ONCE);
    const answer = await fetch("drawings", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ names: some.map((item) => item.name) }),
    });
    if (!answer.ok) throw new Error((await answer.json()).wrong);
    const drawn = await answer.json();
    for (const item of some) if (drawn[item.name]) drawings.set(item.key, drawn[item.name]);
  }
  while (drawings.size > 4000) drawings.delete(drawings.keys().next().value);
}

function svg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

function filled(node, item) {
  const drawn = drawings.get(item.key);
  if (!drawn) return;
  if (drawn.wrong) node.replaceChildren(el("p", { class: "wrong" }, drawn.wrong));
  else if (drawn.blocks) node.replaceChildren(...drawn.blocks.map(block));
  else node.replaceChildren(...(drawn.svg ? [svg(drawn.svg)] : []), ...(drawn.nodes ? [el("div", { class: "answer" }, ...shownNodes(drawn.nodes))] : []));
}

// A block of the rulebook.
function block(one) {
  const drawn = one.drawn?.svg ? svg(one.drawn.svg) : null;
  const inside = () => (one.spans ?? []).map(span);
  if (one.kind === "heading") return el(`h${Math.min(4, one.level + 1)}`, {}, ...inside());
  if (one.kind === "item") return el("p", { class: "item", style: `margin-left: ${(one.level - 1) * 1.6}rem` }, el("b", {}, one.mark || "•"), el("span", {}, ...inside()));
  if (one.kind === "chart") return el("div", { class: "chartblock" }, drawn ?? "");
  if (one.kind === "piece") return el("p", { class: "piece" }, drawn ?? "", one.text);
  if (one.kind === "quote") return el("blockquote", {}, ...inside());
  if (one.kind === "code") return el("pre", {}, one.text);
  if (one.kind === "ruler") return el("hr");
  if (one.kind === "table") return el("div", { class: "answer" }, el("table", {}, ...one.rows.map((row, at) => el("tr", {}, ...row.map((cell) => el(at ? "td" : "th", {}, ...cell.map(span)))))));
  return el("p", { style: `margin-left: ${one.level * 1.6}rem` }, ...inside());
}

function span(one) {
  if (one.drawn?.svg) { const shown = svg(one.drawn.svg); shown.setAttribute("class", "inline"); shown.setAttribute("role", "img"); shown.setAttribute("aria-label", one.text); return shown; }
  const tag = one.code ? "code" : one.bold ? "b" : one.italic ? "i" : "span";
  return el(tag, {}, one.text);
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
    const item = items.find((one) => one.name === chosenMap);
    if (!item) return [];
    const node = place(item, { style: `width: ${zoom * 100}%` });
    const grow = (by) => { zoom = Math.min(8, Math.max(0.25, zoom * by)); node.style.width = `${zoom * 100}%`; };
    const choose = el("select", { "aria-label": "Map or board", onchange: (event) => { chosenMap = event.target.value; laid = ""; show(); } },
      ...items.map((one) => el("option", { value: one.name, ...(one.name === chosenMap ? { selected: "" } : {}) }, one.title)));
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
  const anew = frame !== laid;
  if (anew) {
    laid = frame;
    places.clear();
    const parts = FRAMES[tab](items);
    main.replaceChildren(...(parts.length ? parts : [el("p", { class: "quiet" }, state?.title ? "There are none yet." : "Nothing could be drawn yet; what is to be fixed stands beside this.")]));
  }
  const version = state?.version;
  try {
    await fetched(shownNow());
  } catch (error) {
    main.prepend(el("p", { class: "wrong", role: "alert" }, error.message));
    return;
  }
  if (version !== state?.version && version !== undefined && frame !== laid) return;
  for (const item of shownNow()) {
    const held = places.get(item.name);
    if (!held || held.key === item.key) continue;
    const before = held.key;
    held.key = item.key;
    filled(held.node, item);
    if (before) {
      held.node.classList.remove("fresh");
      void held.node.offsetWidth;
      held.node.classList.add("fresh");
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
  const wrong = state.findings.filter((one) => !one.warning).length;
  const things = `${wrong} ${wrong === 1 ? "thing" : "things"} to fix`;
  const said = state.whole
    ? [el("p", { class: `state ${wrong ? "old" : ""}` }, wrong ? `Drawn as saved at ${clock(state.good)}; ${things}.` : `All is well. Drawn as saved at ${clock(state.good)}.`)]
    : [el("p", { class: "state broken" }, state.good ? `${things}. Until then this is what was saved at ${clock(state.good)}.` : `${things}. Nothing could be drawn yet.`)];
  document.getElementById("findings").replaceChildren(...said, ...state.findings.map(finding));
}

function finding(one) {
  const link = el("a", { href: `vscode://file${one.path.startsWith("/") ? "" : "/"}${encodeURI(one.path)}:${one.line}:${one.column}`, title: "Open in Visual Studio Code" }, one.where);
  const lines = one.lines.map(([number, text]) => el(number === one.mark ? "b" : "span", {}, `${number.padStart(4)}  ${text}`));
  return el("article", {}, link, el("p", {}, one.message, one.warning ? " (a warning)" : ""), lines.length ? el("pre", { tabindex: "0", "aria-label": `Lines of ${one.where}` }, ...lines) : null);
}

function news(line) {
  state = JSON.parse(line);
  document.getElementById("title").textContent = state.title || "A new game";
  document.title = `${state.findings.some((one) => !one.warning) ? "✗ " : ""}${state.title || "A new game"}: Mitla`;
  document.getElementById("ask").hidden = !state.id;
  tabs();
  findings();
  show();
}

const source = new EventSource("events");
source.onmessage = (event) => news(event.data);
source.onerror = () => {
  if (!document.querySelector(".away")) document.getElementById("findings").prepend(el("p", { class: "state broken away" }, "modgen watch has ended, or doesn't answer; start it again."));
};
addEventListener("hashchange", () => { const key = location.hash.slice(1); if (TABS[key] && key !== tab) { tab = key; tabs(); show(); } });
tabs();
