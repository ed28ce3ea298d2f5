// The turn: phases to tick off, what is due, the points so far.
import { get, post, whenServerIsBack } from "./api.js";
import { renderNodes } from "./nodes.js";
import { changeTable, chosenMap, chosenTable, counter, followSaves, liveTable, tableChooser } from "./position.js";
import { T } from "./texts.js";
import { button, el, storage, stepper, errorLine } from "./tools.js";

export async function turn(game, main) {
  const head = el("div"), due = el("div"), list = el("div"), points = el("div", { "aria-live": "polite" });
  const choose = () => head.replaceChildren(tableChooser(game, () => { choose(); render(); }, false));
  choose();
  main.replaceChildren(head, due, list, points);

  let lastRender = 0;
  async function render() {
    const request = ++lastRender, table = liveTable(game);
    const { scenario, save, turn: savedTurn } = chosenMap(game);
    const name = `turn:${game.id}:${save ?? scenario}`;
    const start = game.starts[scenario] ?? { turn: 1, sequence: "" };
    const sequence = game.sequences[start.sequence] ?? Object.values(game.sequences)[0];
    const state = storage.get(name, { turn: savedTurn ?? start.turn, done: [] });
    // The turn of a live table is everybody's; that of a save goes on from there.
    if (savedTurn && (table ? state.turn !== savedTurn : state.turn < savedTurn)) Object.assign(state, { turn: savedTurn, done: [] });
    const store = () => storage.set(name, state);
    const input = el("input", { value: state.turn, inputmode: "numeric", "aria-label": T.turn });
    const set = async (value) => {
      const next = Math.max(1, Number(value) || 1);
      try {
        if (table) await changeTable(game, { turn: next }, table.live);
        Object.assign(state, { turn: next, done: [] });
        store();
        choose();
        await render();
      } catch (error) {
        await render();
        list.append(errorLine(error));
      }
    };
    input.addEventListener("change", () => set(input.value));
    const phases = sequence.filter((phase) => (!phase.turn || phase.turn === state.turn) && phase.since <= state.turn);
    list.replaceChildren(
      el("h2", {}, T.turn), stepper(T.turn, input, set), el("h2", {}, T.phases),
      el("ol", { class: "phases" }, ...phases.map((phase) => el("li", {}, el("label", { class: "tick" },
        el("input", { type: "checkbox", checked: state.done.includes(phase.id), onchange: (event) => {
          state.done = event.target.checked ? [...state.done, phase.id] : state.done.filter((id) => id !== phase.id);
          store();
        } }), el("span", {}, phase.name, phase.note ? el("small", {}, ` ${phase.note}`) : null))))),
      el("div", { class: "chips" }, button(T.nextTurn, () => set(state.turn + 1), { class: "main" })));
    points.replaceChildren();
    if (game.questions.some((question) => question.id === "score")) points.append(el("h2", {}, T.points), button(T.countPoints, score));
    due.replaceChildren();
    try {
      const waiting = await get(`api/${game.id}/waiting/${encodeURIComponent(scenario)}/${state.turn}${save ? `/${save}` : ""}`);
      if (request === lastRender && waiting.length) {
        due.replaceChildren(el("h2", {}, T.dueOn(state.turn)), el("div", { class: "tray small" },
          ...waiting.map((unit) => counter(game, unit.unit, { side: unit.side, "aria-label": unit.name, title: unit.name }))));
      }
    } catch (error) { if (request === lastRender) due.replaceChildren(errorLine(error)); }
  }
  async function score() {
    const { turn: now } = storage.get(`turn:${game.id}:${chosenMap(game).save ?? chosenMap(game).scenario}`, {});
    const takesTurn = game.questions.find((entry) => entry.id === "score").fields.some((entry) => entry.name === "turn");
    try {
      const reply = await post(game, "ask", { question: "score", inputs: { ...chosenTable(game), ...(takesTurn && now ? { turn: String(now) } : {}) } });
      points.replaceChildren(el("h2", {}, T.points), el("div", { class: "card answer" }, ...(reply.nodes ? renderNodes(reply.nodes) : reply.lines.map((line) => el("p", { class: "line" }, line)))));
    } catch (error) { points.append(errorLine(error)); }
  }
  const refresh = () => { choose(); render(); };
  followSaves(game, list, refresh);
  whenServerIsBack(list, refresh);
  await render();
}
