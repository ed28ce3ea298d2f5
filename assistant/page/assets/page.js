// The page: games, tabs, and the little tools that all tabs use.
import { fight } from "/fight.js";
import { map } from "/map.js";
import { tables, questions, scenarios } from "/tables.js";

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

export function counter(game, unit, attributes = null, ...more) {
  const made = attributes ? el("button", { class: "counter", type: "button", ...attributes }, ...more) : el("span", { class: "counter" });
  made.dataset.picture = `/counter/${game.id}/${encodeURIComponent(unit)}/front`;
  watcher.observe(made);
  return made;
}

export function field(name, shape, value, change) {
  const chosen = value ?? shape.default ?? "";
  let input;
  if (shape.choices?.length) {
    const texts = shape.choices.map((choice) => el("option", { value: choice, selected: choice === chosen }, said(choice)));
    input = el("select", { onchange: (event) => change(event.target.value) },
      ...(shape.default == null ? [el("option", { value: "" }, "–")] : []), ...texts);
  } else {
    input = el("input", { value: chosen, inputmode: shape.kind === "number" ? "decimal" : "text",
      autocapitalize: "off", autocomplete: "off", spellcheck: "false", oninput: (event) => change(event.target.value.trim()) });
  }
  return el("label", {}, el("span", {}, shape.title), input);
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

async function show(key, tab) {
  const game = await get(`/api/${key}/about`);
  const list = offered(game);
  const [name, title, view] = list.find(([one]) => one === tab) ?? list[0];
  tabs.replaceChildren(...list.map(([one, label]) =>
    el("button", { type: "button", "aria-current": String(one === name), onclick: () => go(key, one) }, label)));
  document.title = `${title} · ${game.title}`;
  main.className = "";
  main.replaceChildren();
  await view(game, main);
}

function go(key, tab) {
  location.hash = `${key}/${tab}`;
}

async function follow() {
  const [key, tab] = location.hash.slice(1).split("/");
  const known = [...chooser.options].map((option) => option.value);
  const chosen = known.includes(key) ? key : known[0];
  chooser.value = chosen;
  try {
    await show(chosen, tab);
  } catch (error) {
    main.replaceChildren(el("p", { class: "wrong" }, error.message));
  }
}

async function start() {
  const games = await get("/api/games");
  chooser.replaceChildren(...games.map((game) => el("option", { value: game.id }, game.title)));
  chooser.addEventListener("change", () => go(chooser.value, location.hash.split("/")[1] ?? ""));
  window.addEventListener("hashchange", follow);
  await follow();
}
start();
