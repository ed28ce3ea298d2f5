// The page: games and tabs.
import { alone, file } from "./api.js";
import { questions } from "./ask.js";
import { fight } from "./fight.js";
import { map } from "./map.js";
import { look, refresh } from "./position.js";
import { scenarios, tables } from "./tables.js";
import { T } from "./texts.js";
import { button, el, go, showLog, wrong } from "./tools.js";
import { turn } from "./turn.js";

const main = document.getElementById("main");
const tabs = document.getElementById("tabs");
const chooser = document.getElementById("game");
let current = null;
const asked = {}; // the scenario that a game was opened with

function offered(game) {
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

let shown = 0;
async function show(key, tab, given) {
  const now = ++shown;
  const game = await file(`data/${key}/about.json`);
  if (asked[key] in game.scenarios && !sessionStorage.getItem(`asked:${key}:${asked[key]}`)) {
    sessionStorage.setItem(`asked:${key}:${asked[key]}`, "yes"); // once: a reload keeps what was chosen since
    look(game, asked[key]);
  }
  await refresh(game).catch(() => {});
  if (now !== shown) return; // another tab was asked for meanwhile
  const list = offered(game);
  const [name, title, view] = list.find(([one]) => one === tab) ?? list[0];
  current = game;
  tabs.replaceChildren(...list.map(([one, label]) =>
    button(label, () => go(key, one), one === name ? { "aria-current": "page" } : {})));
  tabs.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  document.title = `${title} · ${game.title}`;
  main.className = "";
  main.replaceChildren();
  await view(game, main, given);
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
    main.replaceChildren(wrong(error));
  }
}

// What said that the server is away goes when it is back; a tab that couldn't be shown is shown.
document.addEventListener("server", () => {
  for (const line of document.querySelectorAll(".lost")) line.remove();
  if (!main.children.length) (chooser.options.length ? follow : start)().catch((error) => main.replaceChildren(wrong(error)));
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
  for (const { id, scenario } of games) if (scenario) asked[id] = scenario;
  chooser.addEventListener("change", () => go(chooser.value, location.hash.split("?")[0].split("/")[1] ?? ""));
  document.getElementById("log").addEventListener("click", () => { if (current) showLog(current); });
  window.addEventListener("hashchange", follow);
  await follow();
}
start().catch((error) => main.replaceChildren(wrong(error)));

if (alone && "serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
