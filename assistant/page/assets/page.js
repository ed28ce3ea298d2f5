// The page: games and tabs.
import { standalone, file } from "./api.js";
import { questions } from "./ask.js";
import { fight } from "./fight.js";
import { map } from "./map.js";
import { selectTable, refresh } from "./position.js";
import { scenarios, tables } from "./tables.js";
import { T } from "./texts.js";
import { button, el, go, showLog, errorLine } from "./tools.js";
import { turn } from "./turn.js";

const main = document.getElementById("main");
const tabs = document.getElementById("tabs");
const chooser = document.getElementById("game");
let current = null;
const openedScenarios = {}; // the scenario that a game was opened with

function tabsOf(game) {
  const plays = Object.keys(game.scenarios).length;
  return [
    game.attacks.length && ["fight", T.odds, fight],
    plays && ["map", T.map, map],
    game.questions.length && ["ask", T.ask, questions],
    plays && Object.keys(game.sequences).length && ["turn", T.turn, turn],
    game.tables.length && ["tables", T.tables, tables],
    plays && ["scenarios", T.scenarios, scenarios],
  ].filter(Boolean);
}

let lastShown = 0;
async function show(key, tab, initial) {
  const request = ++lastShown;
  const game = await file(`data/${key}/about.json`);
  if (openedScenarios[key] in game.scenarios && !sessionStorage.getItem(`asked:${key}:${openedScenarios[key]}`)) {
    sessionStorage.setItem(`asked:${key}:${openedScenarios[key]}`, "yes"); // once: a reload keeps what was chosen since
    selectTable(game, openedScenarios[key]);
  }
  await refresh(game).catch(() => {});
  if (request !== lastShown) return; // another tab was asked for meanwhile
  const list = tabsOf(game);
  const [name, title, view] = list.find(([id]) => id === tab) ?? list[0];
  current = game;
  tabs.replaceChildren(...list.map(([id, label]) =>
    button(label, () => go(key, id), id === name ? { "aria-current": "page" } : {})));
  tabs.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  document.title = `${title} · ${game.title}`;
  main.className = "";
  main.replaceChildren();
  await view(game, main, initial);
}

async function follow() {
  const [path, query] = location.hash.slice(1).split("?");
  const [key, tab] = path.split("/");
  const ids = [...chooser.options].map((option) => option.value);
  const chosenId = ids.includes(key) ? key : ids[0];
  chooser.value = chosenId;
  try {
    await show(chosenId, tab, Object.fromEntries(new URLSearchParams(query ?? "")));
  } catch (error) {
    main.replaceChildren(errorLine(error));
  }
}

// What said that the server is away goes when it is back; a tab that couldn't be shown is shown.
document.addEventListener("server", () => {
  for (const line of document.querySelectorAll(".lost")) line.remove();
  if (!main.children.length) (chooser.options.length ? follow : start)().catch((error) => main.replaceChildren(errorLine(error)));
});

document.addEventListener("engine", ({ detail }) => {
  const bar = document.getElementById("starting") ?? el("p", { id: "starting", role: "status" });
  bar.textContent = detail;
  if (detail) document.body.append(bar);
  else bar.remove();
});

async function start() {
  // The token has become a cookie; it needn't stay in the address bar.
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
  const games = await file("data/games.json");
  chooser.replaceChildren(...games.map((game) => el("option", { value: game.id }, game.title)));
  for (const { id, scenario } of games) if (scenario) openedScenarios[id] = scenario;
  chooser.addEventListener("change", () => go(chooser.value, location.hash.split("?")[0].split("/")[1] ?? ""));
  document.getElementById("log").addEventListener("click", () => { if (current) showLog(current); });
  window.addEventListener("hashchange", follow);
  await follow();
}
start().catch((error) => main.replaceChildren(errorLine(error)));

if (standalone && "serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
