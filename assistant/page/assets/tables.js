// Tables and dice rolls, and the scenarios' cards.
import { get, post } from "./api.js";
import { wholeTable } from "./fight.js";
import { renderNodes } from "./nodes.js";
import { scenarioTitle } from "./position.js";
import { T } from "./texts.js";
import { bars, button, el, field, addToLog, openSheet, readable, errorLine } from "./tools.js";

export async function tables(game, main) {
  const answer = el("div", { class: "card", "aria-live": "polite" });
  const form = el("div", { class: "fields" });
  const inputs = { column: "", row: "", shift: "", die: "" };
  const buttons = el("div", { class: "chips" });
  const chooser = el("select", { "aria-label": T.table, onchange: () => render() },
    ...game.tables.map((table) => el("option", { value: table.id }, table.title)));
  main.replaceChildren(chooser, form, buttons, answer, dice(game));

  function render() {
    const table = game.tables.find((entry) => entry.id === chooser.value);
    Object.assign(inputs, { column: table.columns[0], row: table.dice ? "" : table.rows[0], shift: "", die: "" });
    const change = (key) => (value) => { inputs[key] = value; showChances(); };
    form.replaceChildren(
      ...(table.columns.length > 1 ? [field("column", { title: T.column, choices: table.columns, default: table.columns[0] }, null, change("column"))] : []),
      ...(table.dice
        ? [field("shift", { title: T.shift, kind: "number", default: "0" }, null, change("shift")),
          field("die", { title: T.addedToDie, kind: "number", default: "0" }, null, change("die"))]
        : [field("row", { title: T.row, choices: table.rows, default: table.rows[0] }, null, change("row"))]),
    );
    buttons.replaceChildren(...(table.dice ? [button(T.rollDice(table.dice), () => rollOnTable(table), { class: "main" })] : []),
      button(T.wholeTable, () => openSheet(el("h2", { class: "grow" }, table.title), wholeTable(table, inputs.column))));
    showChances();
  }
  async function showChances() {
    try {
      const reply = await post(game, "table", { table: chooser.value, ...inputs });
      answer.replaceChildren(el("b", {}, `${reply.title}, ${reply.column}`),
        reply.chances ? bars(reply.chances, reply.meanings) : el("p", {}, `${readable(reply.row)}: `, el("b", {}, reply.result), ` ${reply.meaning}`));
    } catch (error) {
      answer.replaceChildren(errorLine(error));
    }
  }
  async function rollOnTable(table) {
    try {
      const reply = await post(game, "roll", { what: table.id, column: inputs.column, shift: inputs.shift, die: inputs.die });
      const diceRoll = reply.rolls[0];
      answer.replaceChildren(el("div", { class: "headline" }, el("b", {}, diceRoll.result), el("span", {}, `${diceRoll.dice.join(" + ")}${diceRoll.modifier ? ` → ${diceRoll.total}` : ""}`)),
        el("p", {}, diceRoll.meaning), el("p", { class: "quiet" }, `${reply.title}, column ${reply.column}`));
      addToLog(game, `${reply.title}, ${reply.column}: rolled ${diceRoll.dice.join(" + ")}; ${diceRoll.result}`);
    } catch (error) {
      answer.replaceChildren(errorLine(error));
    }
  }
  render();
}

// Roll any dice and record the roll in the log.
function dice(game) {
  const line = el("p", { class: "headline", role: "status" });
  const rollDice = async (what) => {
    try {
      const diceRoll = (await post(game, "roll", { what })).rolls[0], sum = diceRoll.dice.reduce((a, b) => a + b, 0);
      line.replaceChildren(el("b", {}, String(sum)), el("span", {}, diceRoll.dice.length > 1 ? diceRoll.dice.join(" + ") : what));
      addToLog(game, `${what}: ${diceRoll.dice.join(" + ")}${diceRoll.dice.length > 1 ? ` = ${sum}` : ""}`);
    } catch (error) { line.replaceChildren(errorLine(error)); }
  };
  const other = el("input", { "aria-label": T.otherDice, placeholder: "3d6", autocapitalize: "off" });
  return el("div", {}, el("h2", {}, T.dice), el("div", { class: "chips" }, ...["1d6", "2d6", "1d10"].map((what) => button(what, () => rollDice(what)))),
    el("form", { class: "table", onsubmit: (event) => { event.preventDefault(); if (other.value.trim()) rollDice(other.value.trim()); } }, other, el("button", {}, T.roll)), line);
}

export async function scenarios(game, main) {
  const card = el("div", { class: "card" });
  const load = async () => {
    const reply = await get(`api/${game.id}/scenario/${encodeURIComponent(chooser.value)}`);
    card.replaceChildren(...renderNodes(reply.nodes));
  };
  const chooser = el("select", { "aria-label": T.scenario, onchange: load },
    ...Object.entries(game.scenarios).map(([id, title]) => el("option", { value: id }, scenarioTitle(id, title))));
  main.replaceChildren(chooser, card);
  await load();
}
