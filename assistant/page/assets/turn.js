// The turn: phases to tick off, what is due, the points so far.
import { get, post, whenServerIsBack } from "./api.js";
import { shownNodes } from "./nodes.js";
import { changeTable, chosenMap, chosenTable, counter, followSaves, liveTable, tableChooser } from "./position.js";
import { T } from "./texts.js";
import { button, el, kept, stepper, wrong } from "./tools.js";

export async function turn(game, main) {
  const head = el("div"), due = el("div"), list = el("div"), points = el("div", { "aria-live": "polite" });
  const choose = () => head.replaceChildren(tableChooser(game, () => { choose(); lay(); }, false));
  choose();
  main.replaceChildren(head, due, list, points);

  let laid = 0;
  async function lay() {
    const now = ++laid, table = liveTable(game);
    const { scenario, save, turn: saved } = chosenMap(game);
    const name = `turn:${game.id}:${save ?? scenario}`;
    const start = game.starts[scenario] ?? { turn: 1, sequence: "" };
    const sequence = game.sequences[start.sequence] ?? Object.values(game.sequences)[0];
    const state = kept.get(name, { turn: saved ?? start.turn, done: [] });
    // The turn of a live table is everybody's; that of a save goes on from there.
    if (saved && (table ? state.turn !== saved : state.turn < saved)) Object.assign(state, { turn: saved, done: [] });
    const keep = () => kept.set(name, state);
    const input = el("input", { value: state.turn, inputmode: "numeric", "aria-label": T.turn });
    const set = async (value) => {
      const next = Math.max(1, Number(value) || 1);
      try {
        if (table) await changeTable(game, { turn: next }, table.live);
        Object.assign(state, { turn: next, done: [] });
        keep();
        choose();
        await lay();
      } catch (error) {
        await lay();
        list.append(wrong(error));
      }
    };
    input.addEventListener("change", () => set(input.value));
    const phases = sequence.filter((phase) => (!phase.turn || phase.turn === state.turn) && phase.since <= state.turn);
    list.replaceChildren(
      el("h2", {}, T.turn), stepper(T.turn, input, set), el("h2", {}, T.phases),
      el("ol", { class: "phases" }, ...phases.map((phase) => el("li", {}, el("label", { class: "tick" },
        el("input", { type: "checkbox", checked: state.done.includes(phase.id), onchange: (event) => {
          state.done = event.target.checked ? [...state.done, phase.id] : state.done.filter((id) => id !== phase.id);
          keep();
        } }), el("span", {}, phase.name, phase.note ? el("small", {}, ` ${phase.note}`) : null))))),
      el("div", { class: "chips" }, button(T.nextTurn, () => set(state.turn + 1), { class: "main" })));
    points.replaceChildren();
    if (game.questions.some((one) => one.id === "score")) points.append(el("h2", {}, T.points), button(T.countPoints, score));
    due.replaceChildren();
    try {
      const waiting = await get(`api/${game.id}/waiting/${encodeURIComponent(scenario)}/${state.turn}${save ? `/${save}` : ""}`);
      if (now === laid && waiting.length) {
        due.replaceChildren(el("h2", {}, T.dueOn(state.turn)), el("div", { class: "tray small" },
          ...waiting.map((unit) => counter(game, unit.unit, { side: unit.side, "aria-label": unit.name, title: unit.name }))));
      }
    } catch (error) { if (now === laid) due.replaceChildren(wrong(error)); }
  }
  async function score() {
    const { turn: now } = kept.get(`turn:${game.id}:${chosenMap(game).save ?? chosenMap(game).scenario}`, {});
    const takesTurn = game.questions.find((one) => one.id === "score").fields.some((one) => one.name === "turn");
    try {
      const found = await post(game, "ask", { question: "score", inputs: { ...chosenTable(game), ...(takesTurn && now ? { turn: String(now) } : {}) } });
      points.replaceChildren(el("h2", {}, T.points), el("div", { class: "card answer" }, ...(found.nodes ? shownNodes(found.nodes) : found.lines.map((line) => el("p", { class: "line" }, line)))));
    } catch (error) { points.append(wrong(error)); }
  }
  const again = () => { choose(); lay(); };
  followSaves(game, list, again);
  whenServerIsBack(list, again);
  await lay();
}
