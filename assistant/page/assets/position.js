// The position that map and questions look at: the start of a scenario, or a save; and the counters that stand in it.
import { standalone, face, get, picture, post } from "./api.js";
import { T } from "./texts.js";
import { button, el, storage, errorLine } from "./tools.js";

// A counter's picture, drawn into its button once it comes into view.
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    watcher.unobserve(entry.target);
    const { game, unit, side } = entry.target.shows;
    face(game, unit, side).then((text) => entry.target.prepend(picture(text) ?? el("span", { class: "plain" }, nameOf(game, unit))));
  }
}, { rootMargin: "200px" });

export const nameOf = (game, id) => game.units.find((unit) => unit.id === id)?.name ?? game.markers[id] ?? id;

export function counter(game, unit, attributes = null, ...more) {
  const { side = "front", ...others } = attributes ?? {};
  const element = attributes ? el("button", { class: "counter", type: "button", ...others }, ...more) : el("span", { class: "counter" });
  element.shows = { game, unit, side };
  watcher.observe(element);
  return element;
}

// The table that map and questions look at: the start of a scenario, or a save.
const selections = new Map();
function selectionOf(game) {
  if (!selections.has(game.id)) {
    selections.set(game.id, { at: storage.get(`table:${game.id}`, "") || (Object.keys(game.scenarios)[0] ?? ""), saves: [] });
  }
  return selections.get(game.id);
}

export function selectTable(game, id) {
  selectionOf(game).at = id;
  storage.set(`table:${game.id}`, id);
}

export function chosenTable(game) {
  const { at, saves } = selectionOf(game);
  const save = saves.find((candidate) => candidate.id === at);
  return save ? { position: save.id } : at ? { scenario: at } : {};
}

export function chosenMap(game) {
  const { at, saves } = selectionOf(game);
  const save = saves.find((candidate) => candidate.id === at);
  return save ? { scenario: save.scenario, save: save.id, turn: save.turn } : { scenario: at || Object.keys(game.scenarios)[0], turn: null, words: !at };
}

// A scenario by its number, where it has one, and its title.
export const scenarioTitle = (id, name) => (/\d/.test(id) ? `${id} ${name}` : name);

export function tableChooser(game, change, words = true) {
  const state = selectionOf(game);
  const leftOut = state.saves.find((save) => save.id === state.at)?.left_out;
  const note = el("div", { "aria-live": "polite" }, leftOut ? errorLine(leftOut) : null);
  const option = (value, text) => el("option", { value, selected: value === state.at }, text);
  const select = el("select", { "aria-label": T.scenarioOrSave, onchange: () => { selectTable(game, select.value); change(); } },
    ...Object.entries(game.scenarios).map(([id, name]) => option(id, scenarioTitle(id, name))),
    ...state.saves.map((save) => option(save.id, `${save.name}, turn ${save.turn}`)),
    ...(words ? [option("", T.inWords)] : []));
  const input = el("input", { type: "file", hidden: true, accept: ".vsav,.vlog,.yaml,.yml", onchange: async () => {
    const [file] = input.files;
    if (!file) return;
    try {
      if (file.size > 5e6) throw new Error(T.tooLarge(file.name));
      const save = await post(game, "open", { name: file.name, data: await toBase64(file) });
      state.saves = [...state.saves.filter((other) => other.id !== save.id), save];
      selectTable(game, save.id);
      change();
    } catch (error) {
      note.replaceChildren(errorLine(error));
    }
  } });
  return el("div", {}, el("div", { class: "table" }, select, input,
    button(T.openSave, () => input.click(), { title: T.openSaveLong })), note);
}

function toBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Error(T.unreadable));
    reader.readAsDataURL(file);
  });
}

// What is open on any device at this table; a save that is watched is looked at first.
export async function refresh(game) {
  const state = selectionOf(game), loading = loadSaves(game);
  if (standalone && (!state.at || game.scenarios[state.at])) { // the assistant starts while the page is looked at
    loading.catch(() => {});
    return;
  }
  await loading;
}

async function loadSaves(game) {
  const state = selectionOf(game), countBefore = state.saves.length;
  state.saves = await get(`api/${game.id}/saves`);
  const isGone = state.at && !game.scenarios[state.at] && !state.saves.some((save) => save.id === state.at);
  if (isGone || (!countBefore && state.saves[0]?.id === "watched")) state.at = state.saves[0]?.id ?? Object.keys(game.scenarios)[0] ?? "";
}

// Tells when a save or a live table has changed, on this device or another, until `shown` is gone from the page.
// `changed` is told whether it was the one that is looked at. The browser comes back by itself when the server does.
export function followSaves(game, element, onChange) {
  const state = selectionOf(game);
  const news = standalone ? new BroadcastChannel("mitla-tables") : new EventSource(`api/${game.id}/live`);
  const checkSaves = async (isFirst) => {
    if (!element.isConnected) return news.close();
    const before = { at: state.at, saves: state.saves };
    try { await loadSaves(game); } catch { return; } // the server may be away for a moment
    if (!element.isConnected) return news.close();
    if (JSON.stringify(before.saves) === JSON.stringify(state.saves)) return;
    const version = (saves) => saves.find((save) => save.id === state.at)?.version;
    onChange(!isFirst && (before.at !== state.at || version(before.saves) !== version(state.saves)));
  };
  news.onmessage = () => checkSaves(false);
  if (standalone) checkSaves(true); // what is kept from earlier visits is known once the assistant has started
  const timer = setInterval(() => { if (!element.isConnected) { news.close(); clearInterval(timer); } }, 3000);
}

// The live table that is looked at, if it is one.
export function liveTable(game) {
  const { at, saves } = selectionOf(game);
  return saves.find((save) => save.id === at && save.live) ?? null;
}

// Begins a table from what is looked at, and looks at it.
export async function beginTable(game) {
  const state = selectionOf(game);
  const table = await post(game, "play", { begin: state.at });
  state.saves = [...state.saves, table];
  selectTable(game, table.id);
}

// Ends the table that is looked at, for everybody; what it began from is looked at again.
export async function endTable(game) {
  const state = selectionOf(game), table = liveTable(game);
  await post(game, "play", { end: table.id });
  state.saves = state.saves.filter((save) => save.id !== table.id);
  selectTable(game, table.scenario);
}

// Changes the table that is looked at, if it still is as it was `seen`; what another device has changed meanwhile is seen first.
export async function changeTable(game, change, version) {
  const state = selectionOf(game), table = liveTable(game);
  const newTable = await post(game, "play", { table: table.id, version: version ?? table.live, change });
  state.saves = state.saves.map((save) => (save.id === newTable.id ? newTable : save));
}
