// A game's own questions: a form for each, with counters and places to pick, and the answer in lines and bars.
import { file, post } from "./api.js";
import { shownNodes } from "./nodes.js";
import { chosenMap, chosenTable, followSaves, tableChooser } from "./position.js";
import { T } from "./texts.js";
import { chip, el, field, kept, log, questionTitle, title, wrong } from "./tools.js";
import { tray, written } from "./units.js";

const placed = ["placed", "put"], trays = ["unit", "units", ...placed];

export async function questions(game, main, given) {
  const state = kept.get(`question:${game.id}`, { question: game.questions[0].id, inputs: {}, groups: {} });
  if (!game.questions.some((one) => one.id === state.question)) state.question = game.questions[0].id;
  const keep = () => kept.set(`question:${game.id}`, state);
  if (given.question) {
    state.question = given.question;
    for (const [name, value] of Object.entries(given)) if (name !== "question") take(game, state, name, value);
  }
  const answer = el("div", { "aria-live": "polite" });
  const form = el("div");
  const chooser = el("select", { "aria-label": T.question, onchange: () => { state.question = chooser.value; answer.replaceChildren(); lay(); } },
    ...game.questions.map((one) => el("option", { value: one.id, selected: one.id === state.question }, questionTitle(one.id))));
  const about = el("p", { class: "quiet about" });
  const table = el("div");
  const choose = () => table.replaceChildren(tableChooser(game, () => { choose(); lay(); }));
  choose();
  main.replaceChildren(chooser, about, form, answer);

  function lay() {
    const one = game.questions.find((held) => held.id === state.question);
    keep();
    about.textContent = `${title(one.about)}.`;
    const drawn = (list) => list.filter((shape) => shape.kind !== "flag").map((shape) => control(game, state, shape, lay));
    const flags = (list) => el("div", { class: "chips" }, ...list.filter((shape) => shape.kind === "flag").map((shape) =>
      flag(title(shape.about), state.inputs[shape.name], (now) => { state.inputs[shape.name] = now; })));
    const asked = one.fields.filter((shape) => fits(shape, state));
    const first = asked.filter((shape) => !shape.what_if && ["unit", "units", "place", "places", "choice"].includes(shape.kind)).slice(0, 6);
    const later = asked.filter((shape) => !shape.what_if && !first.includes(shape));
    const whatIf = asked.filter((shape) => shape.what_if);
    const long = later.length > 8 && first.length > 0;
    form.replaceChildren(
      ...(one.placed ? [table] : []),
      ...fields(drawn(first)),
      long ? fold(T.moreAbout, later, state, [...fields(drawn(later)), flags(later)]) : el("div", {}, ...fields(drawn(later)), flags(later)),
      ...(whatIf.length ? [fold(T.whatIf, whatIf, state, [...fields(drawn(whatIf)), flags(whatIf)])] : []),
      el("button", { class: "main wide", type: "button", onclick: ask }, T.ask));
  }

  let asked = 0;
  async function ask() {
    const now = ++asked;
    keep();
    const one = game.questions.find((held) => held.id === state.question);
    const inputs = {};
    for (const shape of one.fields.filter((shape) => fits(shape, state))) {
      const value = trays.includes(shape.kind) ? written(state.groups[shape.name] ?? []) : state.inputs[shape.name];
      if (value) inputs[shape.name] = value;
    }
    if (one.placed) Object.assign(inputs, chosenTable(game));
    if (!one.starts) delete inputs.scenario;
    try {
      const found = await post(game, "ask", { question: one.id, inputs });
      if (now !== asked) return;
      log(game, `${questionTitle(one.id)} ${Object.values(inputs).join(" ")}`);
      answer.replaceChildren(el("div", { class: "card answer" }, ...shownNodes(found.nodes)));
    } catch (error) {
      if (now !== asked) return;
      answer.replaceChildren(wrong(error));
    }
    answer.scrollIntoView({ behavior: "smooth", block: "start" });
  }
  lay();
  followSaves(game, form, choose);
  if (given.question) history.replaceState(null, "", `#${game.id}/ask`);
}

// Yes, no, or no answer: then the map decides, or the default of the rules.
function flag(text, value, change) {
  const made = el("button", { type: "button" });
  const show = (now) => {
    made.textContent = now === "no" ? T.not(text) : text;
    made.setAttribute("aria-pressed", now === "no" ? "mixed" : String(now === "yes"));
  };
  let choice = value ?? "";
  made.addEventListener("click", () => {
    choice = { "": "yes", yes: "no", no: "" }[choice];
    show(choice);
    change(choice);
  });
  show(choice);
  return made;
}

// Whether the values of the other inputs call for an input.
function fits(shape, state) {
  return !shape.only?.input || shape.only.values.includes(state.inputs[shape.only.input] ?? "");
}

// Puts a place or unit that was tapped on the map where the question takes it.
function take(game, state, name, value) {
  const shape = game.questions.find((one) => one.id === state.question)?.fields.find((one) => one.name === name);
  if (trays.includes(shape?.kind)) state.groups[name] = [{ unit: value, count: 1, states: [], inputs: {} }];
  else state.inputs[name] = value;
}

// Trays and texts over the whole width; choices and numbers two in a row.
function fields(controls) {
  const grid = controls.filter((one) => !one.classList.contains("whole"));
  return [...controls.filter((one) => one.classList.contains("whole")), ...(grid.length ? [el("div", { class: "fields" }, ...grid)] : [])];
}

function fold(name, shapes, state, inside) {
  const isFilled = shapes.some((shape) => state.inputs[shape.name] || state.groups[shape.name]?.length);
  return el("details", { open: isFilled }, el("summary", {}, name), ...inside);
}

function control(game, state, shape, lay) {
  const decides = game.questions.find((one) => one.id === state.question).fields.some((one) => one.only?.input === shape.name);
  const change = (value) => { state.inputs[shape.name] = value; if (decides) lay(); };
  if (trays.includes(shape.kind)) {
    const inputs = placed.includes(shape.kind) ? { at: { title: T.where, kind: "text", choices: [] } } : {};
    const group = { title: shape.title, most: shape.many || placed.includes(shape.kind) ? null : 1, inputs };
    return el("div", { class: "whole" }, el("h2", {}, shape.title, el("small", {}, `: ${shape.about}`)), tray(game, state, shape.name, group, lay));
  }
  if (shape.kind === "several" || (shape.kind === "choice" && shape.many)) {
    const on = () => (state.inputs[shape.name] ?? "").split(",").filter(Boolean);
    return el("div", { class: "whole" }, el("h2", {}, shape.title), el("div", { class: "chips" }, ...shape.choices.map((choice) =>
      chip(title(choice), on().includes(choice), (now) => change((now ? [...on(), choice] : on().filter((one) => one !== choice)).join(","))))));
  }
  const choices = shape.kind === "choice" ? shape.choices : [];
  const made = field(shape.name, { ...shape, choices, hint: shape.about, default: null }, state.inputs[shape.name], change);
  if (shape.example && made.querySelector("input")) made.querySelector("input").placeholder = shape.example;
  if (shape.kind === "place" || shape.kind === "places") {
    const list = `places-${shape.name}`;
    made.querySelector("input").setAttribute("list", list);
    made.append(el("datalist", { id: list }));
    named(game, chosenMap(game).scenario).then((names) => made.querySelector("datalist").replaceChildren(...names.map(([value, label]) => el("option", { value }, label))));
  }
  if (["text", "place", "places", "pairs"].includes(shape.kind)) made.classList.add("whole");
  return made;
}

const places = new Map();
function named(game, scenario) {
  const key = `${game.id}/${scenario}`;
  if (!places.has(key)) {
    places.set(key, file(`data/${game.id}/spots/${encodeURIComponent(scenario)}.json`).then((answer) =>
      answer.places.filter((one) => one.title).map((one) => [one.name, one.title])));
  }
  return places.get(key);
}
