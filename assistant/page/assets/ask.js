// A game's own questions: a form for each, with counters and places to pick, and the answer in lines and bars.
import { file, post } from "./api.js";
import { renderNodes } from "./nodes.js";
import { chosenMap, chosenTable, followSaves, tableChooser } from "./position.js";
import { T } from "./texts.js";
import { chip, el, field, storage, addToLog, questionTitle, title, errorLine } from "./tools.js";
import { tray, unitsText } from "./units.js";

const PLACED_KINDS = ["placed", "put"], TRAY_KINDS = ["unit", "units", ...PLACED_KINDS];

export async function questions(game, main, initial) {
  const state = storage.get(`question:${game.id}`, { question: game.questions[0].id, inputs: {}, groups: {} });
  if (!game.questions.some((question) => question.id === state.question)) state.question = game.questions[0].id;
  const store = () => storage.set(`question:${game.id}`, state);
  if (initial.question) {
    state.question = initial.question;
    for (const [name, value] of Object.entries(initial)) if (name !== "question") setInput(game, state, name, value);
  }
  const answer = el("div", { "aria-live": "polite" });
  const form = el("div");
  const chooser = el("select", { "aria-label": T.question, onchange: () => { state.question = chooser.value; answer.replaceChildren(); render(); } },
    ...game.questions.map((question) => el("option", { value: question.id, selected: question.id === state.question }, questionTitle(question.id))));
  const about = el("p", { class: "quiet about" });
  const table = el("div");
  const choose = () => table.replaceChildren(tableChooser(game, () => { choose(); render(); }));
  choose();
  main.replaceChildren(chooser, about, form, answer);

  function render() {
    const question = game.questions.find((candidate) => candidate.id === state.question);
    store();
    about.textContent = `${title(question.about)}.`;
    const controls = (list) => list.filter((shape) => shape.kind !== "flag").map((shape) => control(game, state, shape, render));
    const flags = (list) => el("div", { class: "chips" }, ...list.filter((shape) => shape.kind === "flag").map((shape) =>
      triStateButton(title(shape.about), state.inputs[shape.name], (value) => { state.inputs[shape.name] = value; })));
    const shapes = question.fields.filter((shape) => isOffered(shape, state));
    const mainShapes = shapes.filter((shape) => !shape.what_if && ["unit", "units", "place", "places", "choice"].includes(shape.kind)).slice(0, 6);
    const moreShapes = shapes.filter((shape) => !shape.what_if && !mainShapes.includes(shape));
    const whatIf = shapes.filter((shape) => shape.what_if);
    const isLong = moreShapes.length > 8 && mainShapes.length > 0;
    form.replaceChildren(
      ...(question.placed ? [table] : []),
      ...fields(controls(mainShapes)),
      isLong ? fold(T.moreAbout, moreShapes, state, [...fields(controls(moreShapes)), flags(moreShapes)]) : el("div", {}, ...fields(controls(moreShapes)), flags(moreShapes)),
      ...(whatIf.length ? [fold(T.whatIf, whatIf, state, [...fields(controls(whatIf)), flags(whatIf)])] : []),
      el("button", { class: "main wide", type: "button", onclick: ask }, T.ask));
  }

  let lastRequest = 0;
  async function ask() {
    const request = ++lastRequest;
    store();
    const question = game.questions.find((candidate) => candidate.id === state.question);
    const inputs = {};
    for (const shape of question.fields.filter((shape) => isOffered(shape, state))) {
      const value = TRAY_KINDS.includes(shape.kind) ? unitsText(state.groups[shape.name] ?? []) : state.inputs[shape.name];
      if (value) inputs[shape.name] = value;
    }
    if (question.placed) Object.assign(inputs, chosenTable(game));
    if (!question.starts) delete inputs.scenario;
    try {
      const reply = await post(game, "ask", { question: question.id, inputs });
      if (request !== lastRequest) return;
      addToLog(game, `${questionTitle(question.id)} ${Object.values(inputs).join(" ")}`);
      answer.replaceChildren(el("div", { class: "card answer" }, ...renderNodes(reply.nodes)));
    } catch (error) {
      if (request !== lastRequest) return;
      answer.replaceChildren(errorLine(error));
    }
    answer.scrollIntoView({ behavior: "smooth", block: "start" });
  }
  render();
  followSaves(game, form, choose);
  if (initial.question) history.replaceState(null, "", `#${game.id}/ask`);
}

// Yes, no, or no answer: then the map decides, or the default of the rules.
function triStateButton(text, value, change) {
  const element = el("button", { type: "button" });
  const showValue = (shownValue) => {
    element.textContent = shownValue === "no" ? T.not(text) : text;
    element.setAttribute("aria-pressed", shownValue === "no" ? "mixed" : String(shownValue === "yes"));
  };
  let choice = value ?? "";
  element.addEventListener("click", () => {
    choice = { "": "yes", yes: "no", no: "" }[choice];
    showValue(choice);
    change(choice);
  });
  showValue(choice);
  return element;
}

// Whether the values of the other inputs call for an input.
function isOffered(shape, state) {
  return !shape.only?.input || shape.only.values.includes(state.inputs[shape.only.input] ?? "");
}

// Puts a place or unit that was tapped on the map where the question takes it.
function setInput(game, state, name, value) {
  const shape = game.questions.find((candidate) => candidate.id === state.question)?.fields.find((candidate) => candidate.name === name);
  if (TRAY_KINDS.includes(shape?.kind)) state.groups[name] = [{ unit: value, count: 1, states: [], inputs: {} }];
  else state.inputs[name] = value;
}

// Trays and texts over the whole width; choices and numbers two in a row.
function fields(controls) {
  const grid = controls.filter((control) => !control.classList.contains("whole"));
  return [...controls.filter((control) => control.classList.contains("whole")), ...(grid.length ? [el("div", { class: "fields" }, ...grid)] : [])];
}

function fold(name, shapes, state, content) {
  const isFilled = shapes.some((shape) => state.inputs[shape.name] || state.groups[shape.name]?.length);
  return el("details", { open: isFilled }, el("summary", {}, name), ...content);
}

// Whether the sentence about an input says more than its title.
const explains = (shape) => shape.about.toLowerCase() !== shape.title.toLowerCase();

function control(game, state, shape, render) {
  const isDeciding = game.questions.find((candidate) => candidate.id === state.question).fields.some((candidate) => candidate.only?.input === shape.name);
  const change = (value) => { state.inputs[shape.name] = value; if (isDeciding) render(); };
  if (TRAY_KINDS.includes(shape.kind)) {
    const inputs = PLACED_KINDS.includes(shape.kind) ? { at: { title: T.where, kind: "text", choices: [] } } : {};
    const group = { title: shape.title, markers: shape.markers, most: shape.many || PLACED_KINDS.includes(shape.kind) ? null : 1, inputs };
    return el("div", { class: "whole" }, el("h2", {}, shape.title, explains(shape) ? el("small", {}, `: ${shape.about}`) : null), tray(game, state, shape.name, group, render));
  }
  if (shape.kind === "several" || (shape.kind === "choice" && shape.many)) {
    const selected = () => (state.inputs[shape.name] ?? "").split(",").filter(Boolean);
    return el("div", { class: "whole" }, el("h2", {}, shape.title), el("div", { class: "chips" }, ...shape.choices.map((choice) =>
      chip(title(choice), selected().includes(choice), (isPressed) => change((isPressed ? [...selected(), choice] : selected().filter((id) => id !== choice)).join(","))))));
  }
  const choices = shape.kind === "choice" ? shape.choices : [];
  const element = field(shape.name, { ...shape, choices, hint: shape.about, default: null }, state.inputs[shape.name], change);
  if (shape.example && element.querySelector("input")) element.querySelector("input").placeholder = shape.example;
  if (shape.kind === "place" || shape.kind === "places") {
    const list = `places-${shape.name}`;
    element.querySelector("input").setAttribute("list", list);
    element.append(el("datalist", { id: list }));
    loadPlaceNames(game, chosenMap(game).scenario).then((names) => element.querySelector("datalist").replaceChildren(...names.map(([value, label]) => el("option", { value }, label))));
  }
  if (["text", "place", "places", "pairs"].includes(shape.kind)) element.classList.add("whole");
  return element;
}

const places = new Map();
function loadPlaceNames(game, scenario) {
  const key = `${game.id}/${scenario}`;
  if (!places.has(key)) {
    places.set(key, file(`data/${game.id}/spots/${encodeURIComponent(scenario)}.json`).then((answer) =>
      answer.places.filter((place) => place.title).map((place) => [place.name, place.title])));
  }
  return places.get(key);
}
