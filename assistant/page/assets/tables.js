// Tables and throws, and the scenarios' cards.
import { bars, el, field, get, post, said } from "/page.js";

export async function tables(game, main) {
  const answer = el("div", { class: "card", "aria-live": "polite" });
  const form = el("div", { class: "fields" });
  const asked = { column: "", row: "", shift: "", die: "" };
  const buttons = el("div", { class: "chips" });
  const chooser = el("select", { "aria-label": "Table", onchange: () => lay() },
    ...game.tables.map((one) => el("option", { value: one.id }, one.title)));
  main.replaceChildren(chooser, form, buttons, answer);

  function lay() {
    const table = game.tables.find((one) => one.id === chooser.value);
    Object.assign(asked, { column: table.columns[0], row: table.dice ? "" : table.rows[0], shift: "", die: "" });
    const change = (key) => (value) => { asked[key] = value; look(); };
    form.replaceChildren(
      ...(table.columns.length > 1 ? [field("column", { title: "Column", choices: table.columns, default: table.columns[0] }, null, change("column"))] : []),
      ...(table.dice
        ? [field("shift", { title: "Shift", kind: "number", default: "0" }, null, change("shift")),
          field("die", { title: "Added to the die", kind: "number", default: "0" }, null, change("die"))]
        : [field("row", { title: "Row", choices: table.rows, default: table.rows[0] }, null, change("row"))]),
    );
    buttons.replaceChildren(...(table.dice ? [el("button", { class: "main", type: "button", onclick: () => toss(table) }, `Throw ${table.dice}`)] : []));
    look();
  }
  async function look() {
    try {
      const told = await post(game, "table", { table: chooser.value, ...asked });
      answer.replaceChildren(el("b", {}, `${told.title}, ${told.column}`),
        told.chances ? bars(told.chances, told.meanings) : el("p", {}, `${said(told.row)}: `, el("b", {}, told.result), ` ${told.meaning}`));
    } catch (error) {
      answer.replaceChildren(el("p", { class: "wrong" }, error.message));
    }
  }
  async function toss(table) {
    try {
      const told = await post(game, "roll", { what: table.id, column: asked.column, shift: asked.shift, die: asked.die });
      const one = told.throws[0];
      answer.replaceChildren(el("div", { class: "headline" }, el("b", {}, one.result), el("span", {}, `${one.dice.join(" + ")}${one.modifier ? ` → ${one.total}` : ""}`)),
        el("p", {}, one.meaning), el("p", { class: "quiet" }, `${told.title}, column ${told.column}`));
    } catch (error) {
      answer.replaceChildren(el("p", { class: "wrong" }, error.message));
    }
  }
  lay();
}

export async function scenarios(game, main) {
  const card = el("div", { class: "card" });
  const load = async () => {
    const told = await get(`/api/${game.id}/scenario/${encodeURIComponent(chooser.value)}`);
    const [head, ...more] = told.lines;
    card.replaceChildren(el("h2", { style: "margin-top:0" }, head), ...more.map((line) =>
      el("p", { class: "line", style: `margin-left:${(line.length - line.trimStart().length) / 4}rem` }, line.trim())));
  };
  const chooser = el("select", { "aria-label": "Scenario", onchange: load },
    ...Object.entries(game.scenarios).map(([id, title]) => el("option", { value: id }, id === "standard" ? title : `${id} ${title}`)));
  main.replaceChildren(chooser, card);
  await load();
}
