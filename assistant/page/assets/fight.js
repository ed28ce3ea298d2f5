// Odds: counters on trays, the inputs of the battle, and the answer at once. A battle is kept on this device.
import { get, post, whenServerIsBack } from "./api.js";
import { chosenMap, followSaves, tableChooser } from "./position.js";
import { T } from "./texts.js";
import { bars, button, el, storage, addToLog, readable, errorLine } from "./tools.js";
import { inputs, tray } from "./units.js";

export async function fight(game, main) {
  const battles = storage.get(`battles:${game.id}`, {});
  let key = storage.get(`attack:${game.id}`, game.attacks[0].id);
  if (!game.attacks.some((entry) => entry.id === key)) key = game.attacks[0].id;
  let undoSteps = [];
  const result = el("div", { class: "result", "aria-live": "polite" });
  const form = el("div");
  const chooser = el("select", { "aria-label": T.kindOfAttack, onchange: () => { key = chooser.value; undoSteps = []; storage.set(`attack:${game.id}`, key); render(); } },
    ...game.attacks.map((entry) => el("option", { value: entry.id, selected: entry.id === key }, entry.title)));
  // The scenario or save that the battle belongs to tells its turn, its year and what is in force.
  let inputsByAttack = {}, inputsSource = "";
  const table = el("div");
  const choose = () => table.replaceChildren(tableChooser(game, () => { choose(); loadInputs(); }));
  async function loadInputs() {
    const { scenario, save, turn, words } = chosenMap(game), source = JSON.stringify([scenario, save, turn, words]);
    if (source === inputsSource) return answer();
    const isAnother = inputsSource !== "";
    inputsSource = source;
    try {
      const reply = words || !scenario ? {} : await get(`api/${game.id}/given/${encodeURIComponent(scenario)}${save ? `/${save}` : ""}`);
      if (source !== inputsSource) return;
      inputsByAttack = reply;
      // Inputs of another scenario don't apply to this one.
      if (isAnother) for (const [attackId, sides] of Object.entries(inputsByAttack)) for (const name of Object.values(sides).flatMap(Object.keys)) delete battles[attackId]?.inputs[name];
      render();
    } catch (error) {
      inputsSource = "";
      result.replaceChildren(errorLine(error));
    }
  }
  const scenarioInputs = () => {
    const sides = inputsByAttack[key] ?? {}, groups = Object.entries(attack().groups);
    return (groups.length ? sides[likelySide(game, battle(), groups, 0)] : null) ?? Object.values(sides)[0] ?? {};
  };
  const inputShapes = () => Object.fromEntries(Object.entries(attack().inputs).map(([name, shape]) => [name, name in scenarioInputs() ? { ...shape, default: scenarioInputs()[name] } : shape]));
  if (Object.keys(game.scenarios).length) choose();
  main.replaceChildren(table, chooser, form, result);

  const attack = () => game.attacks.find((entry) => entry.id === key);
  const battle = () => (battles[key] ??= { groups: {}, inputs: {} });
  let stored = JSON.stringify(battle());
  // What changed is kept; what was before can be had back.
  function store(draw = true) {
    const current = JSON.stringify(battle());
    if (current !== stored) { undoSteps = [...undoSteps.slice(-30), stored]; stored = current; }
    storage.set(`battles:${game.id}`, battles);
    if (draw) render(); else answer();
  }
  function undo() {
    if (!undoSteps.length) return;
    stored = undoSteps.pop();
    battles[key] = JSON.parse(stored);
    storage.set(`battles:${game.id}`, battles);
    render();
  }
  function swap() {
    const [first, second] = Object.keys(attack().groups);
    const { groups } = battle();
    [groups[first], groups[second]] = [withoutInputs(groups[second]), withoutInputs(groups[first])];
    store();
  }

  function render() {
    const shape = attack(), current = battle(), groups = Object.entries(shape.groups);
    stored = JSON.stringify(current);
    const isFilled = Object.values(current.groups).some((units) => units?.length) || Object.keys(current.inputs).length > 0;
    form.replaceChildren(
      ...groups.flatMap(([name, group], number) => [
        el("h2", {}, group.title),
        tray(game, current, name, group, store, likelySide(game, current, groups, number)),
      ]),
      el("div", { class: "chips" },
        button(T.clear, () => { battles[key] = { groups: {}, inputs: {} }; store(); }, { disabled: !isFilled }),
        groups.length > 1 ? button(T.swapSides, swap, { disabled: !isFilled }) : null,
        button(T.undo, undo, { disabled: !undoSteps.length })),
      el("h2", {}, T.theBattle),
      inputs(inputShapes(), current.inputs, () => store(false)),
    );
    answer();
  }

  let lastRequest = 0;
  async function answer() {
    const request = ++lastRequest, shape = attack(), current = battle();
    const missing = Object.entries(shape.groups).find(([name, group]) => (current.groups[name] ?? []).length < group.least);
    if (missing) {
      result.replaceChildren(el("p", { class: "quiet" }, `${T.add(missing[1].title)}.`));
      return;
    }
    try {
      const odds = await post(game, "odds", { attack: key, groups: expandCounts(current.groups), inputs: { ...scenarioInputs(), ...current.inputs } });
      if (request === lastRequest) result.replaceChildren(...oddsLines(game, shape, odds));
    } catch (error) {
      if (request === lastRequest) result.replaceChildren(errorLine(error));
    }
  }
  render();
  if (Object.keys(game.scenarios).length) {
    followSaves(game, table, () => { choose(); loadInputs(); });
    await loadInputs();
  }
  whenServerIsBack(result, loadInputs);
}

const withoutInputs = (units) => (units ?? []).map((unit) => ({ ...unit, inputs: {} }));

// The side that a tray is likely to hold: not that of the other tray.
function likelySide(game, battle, groups, number) {
  const side = (name) => {
    const unit = battle.groups[name]?.[0]?.unit;
    return game.nations[game.units.find((entry) => entry.id === unit)?.nation]?.side;
  };
  const ownSide = side(groups[number][0]);
  if (ownSide) return ownSide;
  const otherSide = groups.map(([name]) => side(name)).find(Boolean);
  return otherSide ? Object.keys(game.sides).find((candidate) => candidate !== otherSide) : Object.keys(game.sides)[number];
}

function expandCounts(groups) {
  return Object.fromEntries(Object.entries(groups).map(([name, units]) => [
    name, (units ?? []).flatMap((unit) => Array(unit.count).fill({ unit: unit.unit, states: unit.states, inputs: unit.inputs })),
  ]));
}

function effect(modifier) {
  const amount = modifier.amount;
  if (modifier.effect === "multiply") return `×${amount}`;
  const signed = String(amount).startsWith("-") ? `${amount}` : `+${amount}`;
  return modifier.effect === "add" ? signed : `${modifier.effect} ${signed}`;
}

function oddsLines(game, attack, odds) {
  const defense = odds.defense_strength === undefined ? "" : ` to ${odds.defense_strength}`;
  const lines = [
    ...(odds.assumptions?.length ? [el("p", { class: "line quiet" }, T.assumed(odds.assumptions))] : []),
    ...(odds.missing_factors ?? []).map((factor) => el("p", { class: "line quiet" }, factor.text)),
  ];
  const table = game.tables.find((entry) => entry.id === attack.table);
  if (odds.column !== null) {
    const rollLine = el("div", { class: "thrown", role: "status" });
    lines.push(el("div", { class: "headline" }, el("b", {}, odds.column),
      el("span", {}, `${odds.attack_strength}${defense}`),
      odds.die ? el("span", {}, `die ${odds.die > 0 ? "+" : ""}${odds.die}`) : null,
      button(T.rollDice(table?.dice ?? ""), async () => {
        try {
          rollLine.replaceChildren(...await rollDice(game, attack, odds));
        } catch (error) { rollLine.replaceChildren(errorLine(error)); }
      }, { class: "main" })), rollLine);
  } else {
    lines.push(el("div", { class: "headline" }, el("b", {}, T.noAttack), el("span", {}, `${odds.attack_strength}${defense}`)));
  }
  lines.push(...odds.refused.map((reason) => el("p", { class: "wrong" }, T.notAllowed(reason))));
  if (odds.column !== null) {
    if (odds.targets.length) {
      for (const target of odds.targets) {
        const reason = target.applied.map((modifier) => `${modifier.text} ${effect(modifier)}`).join(", ");
        lines.push(el("div", {}, el("b", {}, target.name), el("small", {}, reason ? ` die ${target.die}: ${reason}` : "")), bars(target.chances, target.meanings));
      }
    } else lines.push(bars(odds.chances, odds.meanings));
  }
  const reasons = [
    ...odds.units.map((unit) => `${unit.name}: ${unit.value}` + (unit.applied.length ? ` (${unit.printed}; ${unit.applied.map((modifier) => `${modifier.text} ${effect(modifier)}`).join(", ")})` : "")),
    ...odds.applied.map((modifier) => `${modifier.text}: ${effect(modifier)}${modifier.rule ? ` (${modifier.rule})` : ""}`),
  ];
  lines.push(el("details", {}, el("summary", {}, T.why), el("ul", { class: "why" }, ...reasons.map((line) => el("li", {}, line)))));
  if (table && odds.column !== null) lines.push(el("details", {}, el("summary", {}, table.title), wholeTable(table, odds.column)));
  return lines;
}

// One throw: its result, or that of each target where targets have modifiers of their own.
async function rollDice(game, attack, odds) {
  const roll = await post(game, "roll", { what: attack.table, column: odds.column, die: odds.targets.length ? 0 : odds.die });
  const diceRoll = roll.rolls[0], dice = diceRoll.dice.join(" + ");
  const lines = odds.targets.length
    ? await Promise.all(odds.targets.map(async (target) => `${target.name}: ${await result(game, attack, odds, diceRoll, target)}`))
    : [`${diceRoll.result}${diceRoll.meaning ? `: ${diceRoll.meaning}` : ""}`];
  addToLog(game, `${attack.title}, ${odds.column}: rolled ${dice}; ${lines.join("; ")}`);
  return [el("b", {}, T.rolled(dice)), ...lines.map((line) => el("p", { class: "line" }, line))];
}

async function result(game, attack, odds, diceRoll, target) {
  const reply = await post(game, "table", { table: attack.table, column: odds.column, row: String(diceRoll.dice.reduce((a, b) => a + b, 0)), die: target.die });
  return `${reply.result}${reply.meaning ? `, ${reply.meaning}` : ""}`;
}

// A whole table with the column marked.
export function wholeTable(table, column) {
  const cell = (tag, text, index, attributes = {}) => el(tag, { ...attributes, class: table.columns[index] === column ? "marked" : "" }, text);
  return el("div", { class: "scroll" }, el("table", { class: "chart" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, table.dice || ""), ...table.columns.map((text, index) => cell("th", readable(text), index, { scope: "col" })))),
    el("tbody", {}, ...Object.entries(table.cells).map(([row, cells]) =>
      el("tr", {}, el("th", { scope: "row" }, readable(row)), ...cells.map((text, index) => cell("td", text, index)))))));
}
