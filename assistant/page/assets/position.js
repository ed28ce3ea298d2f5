// The position that map and questions look at: the start of a scenario, or a save; and the counters that stand in it.
import { alone, face, get, picture, post } from "./api.js";
import { T } from "./texts.js";
import { button, el, kept, wrong } from "./tools.js";

// A counter's picture, drawn into its button once it comes into view.
const watcher = new IntersectionObserver((seen) => {
  for (const one of seen) {
    if (!one.isIntersecting) continue;
    watcher.unobserve(one.target);
    const { game, unit, side } = one.target.shows;
    face(game, unit, side).then((text) => one.target.prepend(picture(text) ?? el("span", { class: "plain" }, nameOf(game, unit))));
  }
}, { rootMargin: "200px" });

export const nameOf = (game, id) => game.units.find((unit) => unit.id === id)?.name ?? game.markers[id] ?? id;

export function counter(game, unit, attributes = null, ...more) {
  const { side = "front", ...others } = attributes ?? {};
  const made = attributes ? el("button", { class: "counter", type: "button", ...others }, ...more) : el("span", { class: "counter" });
  made.shows = { game, unit, side };
  watcher.observe(made);
  return made;
}

// The table that map and questions look at: the start of a scenario, or a save.
const looked = new Map();
function looking(game) {
  if (!looked.has(game.id)) {
    looked.set(game.id, { at: kept.get(`table:${game.id}`, "") || (Object.keys(game.scenarios)[0] ?? ""), saves: [] });
  }
  return looked.get(game.id);
}

export function look(game, at) {
  looking(game).at = at;
  kept.set(`table:${game.id}`, at);
}

export function chosenTable(game) {
  const { at, saves } = looking(game);
  const save = saves.find((one) => one.id === at);
  return save ? { position: save.id } : at ? { scenario: at } : {};
}

export function chosenMap(game) {
  const { at, saves } = looking(game);
  const save = saves.find((one) => one.id === at);
  return save ? { scenario: save.scenario, save: save.id, turn: save.turn } : { scenario: at || Object.keys(game.scenarios)[0], turn: null, words: !at };
}

// A scenario by its number, where it has one, and its title.
export const named = (id, name) => (/\d/.test(id) ? `${id} ${name}` : name);

export function tableChooser(game, change, words = true) {
  const state = looking(game);
  const leftOut = state.saves.find((one) => one.id === state.at)?.left_out;
  const note = el("div", { "aria-live": "polite" }, leftOut ? wrong(leftOut) : null);
  const option = (value, text) => el("option", { value, selected: value === state.at }, text);
  const select = el("select", { "aria-label": T.scenarioOrSave, onchange: () => { look(game, select.value); change(); } },
    ...Object.entries(game.scenarios).map(([id, name]) => option(id, named(id, name))),
    ...state.saves.map((one) => option(one.id, `${one.name}, turn ${one.turn}`)),
    ...(words ? [option("", T.inWords)] : []));
  const input = el("input", { type: "file", hidden: true, accept: ".vsav,.vlog,.yaml,.yml", onchange: async () => {
    const [chosen] = input.files;
    if (!chosen) return;
    try {
      if (chosen.size > 5e6) throw new Error(T.tooLarge(chosen.name));
      const save = await post(game, "open", { name: chosen.name, data: await encoded(chosen) });
      state.saves = [...state.saves.filter((one) => one.id !== save.id), save];
      look(game, save.id);
      change();
    } catch (error) {
      note.replaceChildren(wrong(error));
    }
  } });
  return el("div", {}, el("div", { class: "table" }, select, input,
    button(T.openSave, () => input.click(), { title: T.openSaveLong })), note);
}

function encoded(file) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => fail(new Error(T.unreadable));
    reader.readAsDataURL(file);
  });
}

// What is open on any device at this table; a save that is watched is looked at first.
export async function refresh(game) {
  const state = looking(game), listed = list(game);
  if (alone && (!state.at || game.scenarios[state.at])) { // the assistant starts while the page is looked at
    listed.catch(() => {});
    return;
  }
  await listed;
}

async function list(game) {
  const state = looking(game), known = state.saves.length;
  state.saves = await get(`api/${game.id}/saves`);
  const gone = state.at && !game.scenarios[state.at] && !state.saves.some((one) => one.id === state.at);
  if (gone || (!known && state.saves[0]?.id === "watched")) state.at = state.saves[0]?.id ?? Object.keys(game.scenarios)[0] ?? "";
}

// Tells when a save or a live table has changed, on this device or another, until `shown` is gone from the page.
// `changed` is told whether it was the one that is looked at. The browser comes back by itself when the server does.
export function followSaves(game, shown, changed) {
  const state = looking(game);
  const news = alone ? new BroadcastChannel("mitla-tables") : new EventSource(`api/${game.id}/live`);
  const look = async (isFirst) => {
    if (!shown.isConnected) return news.close();
    const before = { at: state.at, saves: state.saves };
    try { await list(game); } catch { return; } // the server may be away for a moment
    if (!shown.isConnected) return news.close();
    if (JSON.stringify(before.saves) === JSON.stringify(state.saves)) return;
    const version = (saves) => saves.find((one) => one.id === state.at)?.version;
    changed(!isFirst && (before.at !== state.at || version(before.saves) !== version(state.saves)));
  };
  news.onmessage = () => look(false);
  if (alone) look(true); // what is kept from earlier visits is known once the assistant has started
  const timer = setInterval(() => { if (!shown.isConnected) { news.close(); clearInterval(timer); } }, 3000);
}

// The live table that is looked at, if it is one.
export function liveTable(game) {
  const { at, saves } = looking(game);
  return saves.find((one) => one.id === at && one.live) ?? null;
}

// Begins a table from what is looked at, and looks at it.
export async function beginTable(game) {
  const state = looking(game);
  const table = await post(game, "play", { begin: state.at });
  state.saves = [...state.saves, table];
  look(game, table.id);
}

// Ends the table that is looked at, for everybody; what it began from is looked at again.
export async function endTable(game) {
  const state = looking(game), table = liveTable(game);
  await post(game, "play", { end: table.id });
  state.saves = state.saves.filter((one) => one.id !== table.id);
  look(game, table.scenario);
}

// Changes the table that is looked at, if it still is as it was `seen`; what another device has changed meanwhile is seen first.
export async function changeTable(game, change, seen) {
  const state = looking(game), table = liveTable(game);
  const now = await post(game, "play", { table: table.id, version: seen ?? table.live, change });
  state.saves = state.saves.map((one) => (one.id === now.id ? now : one));
}
