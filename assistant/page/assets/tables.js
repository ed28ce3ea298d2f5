// Tables and dice rolls, and the scenarios' cards.
import { get, post } from "./api.js";
import { wholeTable } from "./fight.js";
import { shownNodes } from "./nodes.js";
import { named } from "./position.js";
import { T } from "./texts.js";
import { bars, button, el, field, log, open, said, wrong } from "./tools.js";

export async function tables(game, main) {
  const answer = el("div", { class: "card", "aria-live": "polite" });
  const form = el("div", { class: "fields" });
  const asked = { column: "", row: "", shift: "", die: "" };
  const buttons = el("div", { class: "chips" });
  const chooser = el("select", { "aria-label": T.table, onchange: () => lay() },
    ...game.tables.map((one) => el("option", { value: one.id }, one.title)));
  main.replaceChildren(chooser, form, buttons, answer, dice(game));

  function lay() {
    const table = game.tables.find((one) => one.id === chooser.value);
    Object.assign(asked, { column: table.columns[0], row: table.dice ? "" : table.rows[0], shift: "", die: "" });
    const change = (key) => (value) => { asked[key] = value; look(); };
    form.replaceChildren(
      ...(table.columns.length > 1 ? [field("column", { title: T.column, choices: table.columns, default: table.columns[0] }, null, change("column"))] : []),
      ...(table.dice
        ? [field("shift", { title: T.shift, kind: "number", default: "0" }, null, change("shift")),
          field("die", { title: T.addedToDie, kind: "number", default: "0" }, null, change("die"))]
        : [field("row", { title: T.row, choices: table.rows, default: table.rows[0] }, null, change("row"))]),
    );
    buttons.replaceChildren(...(table.dice ? [button(T.rollDice(table.dice), () => toss(table), { class: "main" })] : []),
      button(T.wholeTable, () => open(el("h2", { class: "grow" }, table.title), wholeTable(table, asked.column))));
    look();
  }
  async function look() {
    try {
      const told = await post(game, "table", { table: chooser.value, ...asked });
      answer.replaceChildren(el("b", {}, `${told.title}, ${told.column}`),
        told.chances ? bars(told.chances, told.meanings) : el("p", {}, `${said(told.row)}: `, el("b", {}, told.result), ` ${told.meaning}`));
    } catch (error) {
      answer.replaceChildren(wrong(error));
    }
  }
  async function toss(table) {
    try {
      const told = await post(game, "roll", { what: table.id, column: asked.column, shift: asked.shift, die: asked.die });
      const one = told.rolls[0];
      answer.replaceChildren(el("div", { class: "headline" }, el("b", {}, one.result), el("span", {}, `${one.dice.join(" + ")}${one.modifier ? ` → ${one.total}` : ""}`)),
        el("p", {}, one.meaning), el("p", { class: "quiet" }, `${told.title}, column ${told.column}`));
      log(game, `${told.title}, ${told.column}: rolled ${one.dice.join(" + ")}; ${one.result}`);
    } catch (error) {
      answer.replaceChildren(wrong(error));
    }
  }
  lay();
}

// Roll any dice and record the roll in the log.
function dice(game) {
  const shown = el("p", { class: "headline", role: "status" });
  const toss = async (what) => {
    try {
      const one = (await post(game, "roll", { what })).rolls[0], sum = one.dice.reduce((a, b) => a + b, 0);
      shown.replaceChildren(el("b", {}, String(sum)), el("span", {}, one.dice.length > 1 ? one.dice.join(" + ") : what));
      log(game, `${what}: ${one.dice.join(" + ")}${one.dice.length > 1 ? ` = ${sum}` : ""}`);
    } catch (error) { shown.replaceChildren(wrong(error)); }
  };
  const other = el("input", { "aria-label": T.otherDice, placeholder: "3d6", autocapitalize: "off" });
  return el("div", {}, el("h2", {}, T.dice), el("div", { class: "chips" }, ...["1d6", "2d6", "1d10"].map((what) => button(what, () => toss(what)))),
    el("form", { class: "table", onsubmit: (event) => { event.preventDefault(); if (other.value.trim()) toss(other.value.trim()); } }, other, el("button", {}, T.roll)), shown);
}

export async function scenarios(game, main) {
  const card = el("div", { class: "card" });
  const load = async () => {
    const told = await get(`api/${game.id}/scenario/${encodeURIComponent(chooser.value)}`);
    card.replaceChildren(...shownNodes(told.nodes));
  };
  const chooser = el("select", { "aria-label": T.scenario, onchange: load },
    ...Object.entries(game.scenarios).map(([id, title]) => el("option", { value: id }, named(id, title))));
  main.replaceChildren(chooser, card);
  await load();
}
