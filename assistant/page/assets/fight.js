// Odds: counters on trays, the inputs of the battle, and the answer at once. A battle is kept on this device.
import { get, post, whenServerIsBack } from "./api.js";
import { chosenMap, followSaves, tableChooser } from "./position.js";
import { T } from "./texts.js";
import { bars, button, el, kept, log, said, wrong } from "./tools.js";
import { inputs, tray } from "./units.js";

export async function fight(game, main) {
  const battles = kept.get(`battles:${game.id}`, {});
  let key = kept.get(`attack:${game.id}`, game.attacks[0].id);
  if (!game.attacks.some((one) => one.id === key)) key = game.attacks[0].id;
  let past = [];
  const result = el("div", { class: "result", "aria-live": "polite" });
  const form = el("div");
  const chooser = el("select", { "aria-label": T.kindOfAttack, onchange: () => { key = chooser.value; past = []; kept.set(`attack:${game.id}`, key); lay(); } },
    ...game.attacks.map((one) => el("option", { value: one.id, selected: one.id === key }, one.title)));
  // The scenario or save that the battle belongs to tells its turn, its year and what is in force.
  let given = {}, takenFrom = "";
  const table = el("div");
  const choose = () => table.replaceChildren(tableChooser(game, () => { choose(); retake(); }));
  async function retake() {
    const { scenario, save, turn, words } = chosenMap(game), from = JSON.stringify([scenario, save, turn, words]);
    if (from === takenFrom) return answer();
    const another = takenFrom !== "";
    takenFrom = from;
    try {
      const found = words || !scenario ? {} : await get(`api/${game.id}/given/${encodeURIComponent(scenario)}${save ? `/${save}` : ""}`);
      if (from !== takenFrom) return;
      given = found;
      // Inputs of another scenario don't apply to this one.
      if (another) for (const [one, sides] of Object.entries(given)) for (const name of Object.values(sides).flatMap(Object.keys)) delete battles[one]?.inputs[name];
      lay();
    } catch (error) {
      takenFrom = "";
      result.replaceChildren(wrong(error));
    }
  }
  const givenHere = () => {
    const sides = given[key] ?? {}, groups = Object.entries(attack().groups);
    return (groups.length ? sides[likely(game, battle(), groups, 0)] : null) ?? Object.values(sides)[0] ?? {};
  };
  const known = () => Object.fromEntries(Object.entries(attack().inputs).map(([name, shape]) => [name, name in givenHere() ? { ...shape, default: givenHere()[name] } : shape]));
  if (Object.keys(game.scenarios).length) choose();
  main.replaceChildren(table, chooser, form, result);

  const attack = () => game.attacks.find((one) => one.id === key);
  const battle = () => (battles[key] ??= { groups: {}, inputs: {} });
  let last = JSON.stringify(battle());
  // What changed is kept; what was before can be had back.
  function changed(draw = true) {
    const now = JSON.stringify(battle());
    if (now !== last) { past = [...past.slice(-30), last]; last = now; }
    kept.set(`battles:${game.id}`, battles);
    if (draw) lay(); else answer();
  }
  function undo() {
    if (!past.length) return;
    last = past.pop();
    battles[key] = JSON.parse(last);
    kept.set(`battles:${game.id}`, battles);
    lay();
  }
  function swap() {
    const [one, other] = Object.keys(attack().groups);
    const { groups } = battle();
    [groups[one], groups[other]] = [bare(groups[other]), bare(groups[one])];
    changed();
  }

  function lay() {
    const shape = attack(), held = battle(), groups = Object.entries(shape.groups);
    last = JSON.stringify(held);
    const filled = Object.values(held.groups).some((units) => units?.length) || Object.keys(held.inputs).length > 0;
    form.replaceChildren(
      ...groups.flatMap(([name, group], number) => [
        el("h2", {}, group.title),
        tray(game, held, name, group, changed, likely(game, held, groups, number)),
      ]),
      el("div", { class: "chips" },
        button(T.clear, () => { battles[key] = { groups: {}, inputs: {} }; changed(); }, { disabled: !filled }),
        groups.length > 1 ? button(T.swapSides, swap, { disabled: !filled }) : null,
        button(T.undo, undo, { disabled: !past.length })),
      el("h2", {}, T.theBattle),
      inputs(known(), held.inputs, () => changed(false)),
    );
    answer();
  }

  let asked = 0;
  async function answer() {
    const now = ++asked, shape = attack(), held = battle();
    const short = Object.entries(shape.groups).find(([name, group]) => (held.groups[name] ?? []).length < group.least);
    if (short) {
      result.replaceChildren(el("p", { class: "quiet" }, `${T.add(short[1].title)}.`));
      return;
    }
    try {
      const told = await post(game, "odds", { attack: key, groups: counted(held.groups), inputs: { ...givenHere(), ...held.inputs } });
      if (now === asked) result.replaceChildren(...shown(game, shape, told));
    } catch (error) {
      if (now === asked) result.replaceChildren(wrong(error));
    }
  }
  lay();
  if (Object.keys(game.scenarios).length) {
    followSaves(game, table, () => { choose(); retake(); });
    await retake();
  }
  whenServerIsBack(result, retake);
}

const bare = (units) => (units ?? []).map((unit) => ({ ...unit, inputs: {} }));

// The side that a tray is likely to hold: not that of the other tray.
function likely(game, battle, groups, number) {
  const side = (name) => {
    const unit = battle.groups[name]?.[0]?.unit;
    return game.nations[game.units.find((one) => one.id === unit)?.nation]?.side;
  };
  const own = side(groups[number][0]);
  if (own) return own;
  const other = groups.map(([name]) => side(name)).find(Boolean);
  return other ? Object.keys(game.sides).find((one) => one !== other) : Object.keys(game.sides)[number];
}

function counted(groups) {
  return Object.fromEntries(Object.entries(groups).map(([name, units]) => [
    name, (units ?? []).flatMap((one) => Array(one.count).fill({ unit: one.unit, states: one.states, inputs: one.inputs })),
  ]));
}

function effect(one) {
  const amount = one.amount;
  if (one.effect === "multiply") return `×${amount}`;
  const signed = String(amount).startsWith("-") ? `${amount}` : `+${amount}`;
  return one.effect === "add" ? signed : `${one.effect} ${signed}`;
}

function shown(game, attack, told) {
  const against = told.defense_strength === undefined ? "" : ` to ${told.defense_strength}`;
  const lines = [
    ...(told.assumptions?.length ? [el("p", { class: "line quiet" }, T.assumed(told.assumptions))] : []),
    ...(told.missing_factors ?? []).map((one) => el("p", { class: "line quiet" }, one.text)),
  ];
  const table = game.tables.find((one) => one.id === attack.table);
  if (told.column !== null) {
    const thrown = el("div", { class: "thrown", role: "status" });
    lines.push(el("div", { class: "headline" }, el("b", {}, told.column),
      el("span", {}, `${told.attack_strength}${against}`),
      told.die ? el("span", {}, `die ${told.die > 0 ? "+" : ""}${told.die}`) : null,
      button(T.rollDice(table?.dice ?? ""), async () => {
        try {
          thrown.replaceChildren(...await toss(game, attack, told));
        } catch (error) { thrown.replaceChildren(wrong(error)); }
      }, { class: "main" })), thrown);
  } else {
    lines.push(el("div", { class: "headline" }, el("b", {}, T.noAttack), el("span", {}, `${told.attack_strength}${against}`)));
  }
  lines.push(...told.refused.map((one) => el("p", { class: "wrong" }, T.notAllowed(one))));
  if (told.column !== null) {
    if (told.targets.length) {
      for (const one of told.targets) {
        const why = one.applied.map((part) => `${part.text} ${effect(part)}`).join(", ");
        lines.push(el("div", {}, el("b", {}, one.name), el("small", {}, why ? ` die ${one.die}: ${why}` : "")), bars(one.chances, one.meanings));
      }
    } else lines.push(bars(told.chances, told.meanings));
  }
  const why = [
    ...told.units.map((one) => `${one.name}: ${one.value}` + (one.applied.length ? ` (${one.printed}; ${one.applied.map((part) => `${part.text} ${effect(part)}`).join(", ")})` : "")),
    ...told.applied.map((one) => `${one.text}: ${effect(one)}${one.rule ? ` (${one.rule})` : ""}`),
  ];
  lines.push(el("details", {}, el("summary", {}, T.why), el("ul", { class: "why" }, ...why.map((line) => el("li", {}, line)))));
  if (table && told.column !== null) lines.push(el("details", {}, el("summary", {}, table.title), wholeTable(table, told.column)));
  return lines;
}

// One throw: its result, or that of each target where targets have modifiers of their own.
async function toss(game, attack, told) {
  const roll = await post(game, "roll", { what: attack.table, column: told.column, die: told.targets.length ? 0 : told.die });
  const one = roll.rolls[0], dice = one.dice.join(" + ");
  const lines = told.targets.length
    ? await Promise.all(told.targets.map(async (target) => `${target.name}: ${await result(game, attack, told, one, target)}`))
    : [`${one.result}${one.meaning ? `: ${one.meaning}` : ""}`];
  log(game, `${attack.title}, ${told.column}: rolled ${dice}; ${lines.join("; ")}`);
  return [el("b", {}, T.rolled(dice)), ...lines.map((line) => el("p", { class: "line" }, line))];
}

async function result(game, attack, told, one, target) {
  const found = await post(game, "table", { table: attack.table, column: told.column, row: String(one.dice.reduce((a, b) => a + b, 0)), die: target.die });
  return `${found.result}${found.meaning ? `, ${found.meaning}` : ""}`;
}

// A whole table with the column marked.
export function wholeTable(table, column) {
  const cell = (tag, text, at, attributes = {}) => el(tag, { ...attributes, class: table.columns[at] === column ? "marked" : "" }, text);
  return el("div", { class: "scroll" }, el("table", { class: "chart" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, table.dice || ""), ...table.columns.map((text, at) => cell("th", said(text), at, { scope: "col" })))),
    el("tbody", {}, ...Object.entries(table.cells).map(([row, cells]) =>
      el("tr", {}, el("th", { scope: "row" }, said(row)), ...cells.map((text, at) => cell("td", text, at)))))));
}
