// The page: games, tabs, and the little tools that all tabs use.
import { questions } from "/ask.js";
import { fight } from "/fight.js";
import { map } from "/map.js";
import { tables, scenarios } from "/tables.js";

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export async function get(path) {
  const answer = await fetch(path);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.wrong ?? "that can't be shown");
  return told;
}

export async function post(game, question, body) {
  const answer = await fetch(`/api/${game.id}/${question}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.wrong ?? "that can't be answered");
  return told;
}

const pictures = new Map();
export function picture(path) {
  if (!pictures.has(path)) {
    pictures.set(path, fetch(path).then((answer) => (answer.ok ? answer.text() : "")));
  }
  return pictures.get(path);
}

// A counter's picture, drawn into its button once it comes into view.
const watcher = new IntersectionObserver((seen) => {
  for (const one of seen) {
    if (!one.isIntersecting) continue;
    watcher.unobserve(one.target);
    draw(one.target);
  }
}, { rootMargin: "200px" });

async function draw(holder) {
  const holds = new DOMParser().parseFromString(await picture(holder.dataset.picture), "image/svg+xml").documentElement;
  if (holds.tagName === "svg") holder.prepend(document.importNode(holds, true));
}

export function face(game, unit, side = "front") {
  return `/counter/${game.id}/${encodeURIComponent(unit)}/${side}`;
}

export function counter(game, unit, attributes = null, ...more) {
  const { side, ...others } = attributes ?? {};
  const made = attributes ? el("button", { class: "counter", type: "button", ...others }, ...more) : el("span", { class: "counter" });
  made.dataset.picture = face(game, unit, side);
  watcher.observe(made);
  return made;
}

export function field(name, shape, value, change) {
  const chosen = value ?? shape.default ?? "";
  const label = el("span", {}, shape.title, shape.hint ? el("small", {}, ` ${shape.hint}`) : null);
  if (shape.choices?.length) {
    const texts = shape.choices.map((choice) => el("option", { value: choice, selected: choice === chosen }, said(choice)));
    return el("label", {}, label, el("select", { onchange: (event) => change(event.target.value) },
      ...(shape.default == null ? [el("option", { value: "" }, "–")] : []), ...texts));
  }
  const number = shape.kind === "number";
  const input = el("input", { value: chosen, inputmode: number ? "decimal" : "text", autocapitalize: "off", autocomplete: "off",
    spellcheck: "false", oninput: (event) => change(event.target.value.trim()) });
  return el("label", {}, label, number ? stepper(shape.title, input, change) : input);
}

// A number with a button on each side: a phone's keys for numbers have no minus.
function stepper(title, input, change) {
  const step = (by) => (event) => {
    event.preventDefault();
    input.value = String((Number(input.value) || 0) + by);
    change(input.value);
  };
  return el("span", { class: "stepper" },
    el("button", { type: "button", "aria-label": `${title}: one less`, onclick: step(-1) }, "−"), input,
    el("button", { type: "button", "aria-label": `${title}: one more`, onclick: step(1) }, "+"));
}

export function chip(text, pressed, change) {
  const made = el("button", { type: "button", "aria-pressed": String(pressed) }, text);
  made.addEventListener("click", () => {
    const now = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(now));
    change(now);
  });
  return made;
}

export const said = (name) => name.replaceAll("_", " ");

export function fraction(text) {
  const [over, under = "1"] = String(text).split("/");
  return Number(over) / Number(under);
}

export function bars(chances, meanings = {}) {
  const lines = Object.entries(chances).flatMap(([code, chance]) => {
    const part = fraction(chance);
    return [
      el("span", { class: "code" }, code),
      el("span", { class: "bar" }, el("i", { style: `width:${(part * 100).toFixed(2)}%` })),
      el("span", { class: "number" }, `${(part * 100).toFixed(1)} %`),
      meanings[code] ? el("span", { class: "means" }, meanings[code]) : null,
    ].filter(Boolean);
  });
  return el("div", { class: "bars" }, ...lines);
}

const sheet = document.getElementById("sheet");
export function open(title, body, low = false) {
  sheet.className = low ? "low" : "";
  sheet.replaceChildren(
    el("div", { class: "top" }, ...[title].flat(), el("button", { type: "button", onclick: () => sheet.close() }, "Done")),
    el("div", { class: "body" }, body),
  );
  sheet.showModal();
  return sheet;
}
sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });

// The table that map and questions look at: the start of a scenario, or a save.
const looked = new Map();
function looking(game) {
  if (!looked.has(game.id)) looked.set(game.id, { at: Object.keys(game.scenarios)[0] ?? "", saves: [] });
  return looked.get(game.id);
}

export function chosenTable(game) {
  const { at, saves } = looking(game);
  const save = saves.find((one) => one.id === at);
  return save ? { position: save.id } : at ? { scenario: at } : {};
}

export function chosenMap(game) {
  const { at, saves } = looking(game);
  const save = saves.find((one) => one.id === at);
  return save ? { scenario: save.scenario, save: save.id } : { scenario: at || Object.keys(game.scenarios)[0] };
}

export function tableChooser(game, change, words = true) {
  const state = looking(game);
  const leftOut = state.saves.find((one) => one.id === state.at)?.left_out;
  const told = el("div", { "aria-live": "polite" }, leftOut ? el("p", { class: "wrong" }, leftOut) : null);
  const option = (value, text) => el("option", { value, selected: value === state.at }, text);
  const select = el("select", { "aria-label": "Scenario or save", onchange: () => { state.at = select.value; change(); } },
    ...Object.entries(game.scenarios).map(([id, name]) => option(id, id === "standard" ? name : `${id} ${name}`)),
    ...state.saves.map((one) => option(one.id, `${one.name}, turn ${one.turn}`)),
    ...(words ? [option("", "In words, without a map")] : []));
  const file = el("input", { type: "file", hidden: true, accept: ".vsav,.vlog,.yaml,.yml", onchange: async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    try {
      if (chosen.size > 5e6) throw new Error(`${chosen.name} is too large for a save`);
      const save = await post(game, "open", { name: chosen.name, data: await encoded(chosen) });
      state.saves = [...state.saves.filter((one) => one.id !== save.id), save];
      state.at = save.id;
      change();
    } catch (error) {
      told.replaceChildren(el("p", { class: "wrong" }, error.message));
    }
  } });
  return el("div", {}, el("div", { class: "table" }, select, file,
    el("button", { type: "button", title: "Open a save of VASSAL or a position file", onclick: () => file.click() }, "Open a save")), told);
}

function encoded(file) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => fail(new Error("the file can't be read"));
    reader.readAsDataURL(file);
  });
}

const main = document.getElementById("main");
const tabs = document.getElementById("tabs");
const chooser = document.getElementById("game");

function offered(game) {
  return [
    game.attacks.length && ["fight", "Odds", fight],
    Object.keys(game.scenarios).length && ["map", game.sight ? "Sight" : "Map", map],
    game.questions.length && ["ask", "Ask", questions],
    game.tables.length && ["tables", "Tables", tables],
    Object.keys(game.scenarios).length && ["scenarios", "Scenarios", scenarios],
  ].filter(Boolean);
}

// What is open on any device at this table; a save that is watched is looked at first.
async function refresh(game) {
  const state = looking(game), known = state.saves.length;
  state.saves = await get(`/api/${game.id}/saves`);
  const gone = state.at && !game.scenarios[state.at] && !state.saves.some((one) => one.id === state.at);
  if (gone || (!known && state.saves[0]?.id === "watched")) state.at = state.saves[0]?.id ?? Object.keys(game.scenarios)[0] ?? "";
}

// Looks every two seconds whether a save has changed, as the watched one does when the game is saved in VASSAL.
// Until `shown` is gone from the page; `changed` is told whether it was the save that is looked at.
export function followSaves(game, shown, changed) {
  const state = looking(game);
  const timer = setInterval(async () => {
    if (!shown.isConnected) return clearInterval(timer);
    if (document.hidden) return;
    const before = { at: state.at, saves: state.saves };
    try { await refresh(game); } catch { return; } // the server may be away for a moment
    if (!shown.isConnected || JSON.stringify(before.saves) === JSON.stringify(state.saves)) return;
    const version = (saves) => saves.find((one) => one.id === state.at)?.version;
    changed(before.at !== state.at || version(before.saves) !== version(state.saves));
  }, 2000);
}

async function show(key, tab, given) {
  const game = await get(`/api/${key}/about`);
  await refresh(game);
  const list = offered(game);
  const [name, title, view] = list.find(([one]) => one === tab) ?? list[0];
  tabs.replaceChildren(...list.map(([one, label]) =>
    el("button", { type: "button", "aria-current": String(one === name), onclick: () => go(key, one) }, label)));
  document.title = `${title} · ${game.title}`;
  main.className = "";
  main.replaceChildren();
  await view(game, main, given);
}

export function go(key, tab, given = {}) {
  const told = new URLSearchParams(given).toString();
  location.hash = `${key}/${tab}${told ? `?${told}` : ""}`;
}

async function follow() {
  const [path, query] = location.hash.slice(1).split("?");
  const [key, tab] = path.split("/");
  const known = [...chooser.options].map((option) => option.value);
  const chosen = known.includes(key) ? key : known[0];
  chooser.value = chosen;
  try {
    await show(chosen, tab, Object.fromEntries(new URLSearchParams(query ?? "")));
  } catch (error) {
    main.replaceChildren(el("p", { class: "wrong" }, error.message));
  }
}

async function start() {
  // The token has become a cookie; it needn't stay in the address bar.
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
  const games = await get("/api/games");
  chooser.replaceChildren(...games.map((game) => el("option", { value: game.id }, game.title)));
  chooser.addEventListener("change", () => go(chooser.value, location.hash.split("?")[0].split("/")[1] ?? ""));
  window.addEventListener("hashchange", follow);
  await follow();
}
start();
