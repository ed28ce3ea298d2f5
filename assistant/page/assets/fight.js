// Odds: counters on two trays, what is told of the battle, and the answer at once.
import { bars, el, post } from "/page.js";
import { inputs, tray } from "/units.js";

const kept = new Map(); // a battle stays while another tab is looked at

export async function fight(game, main) {
  const battle = kept.get(game.id) ?? { attack: game.attacks[0].id, groups: {}, inputs: {} };
  kept.set(game.id, battle);
  const result = el("div", { class: "result", "aria-live": "polite" });
  const form = el("div");
  const chooser = el("select", { "aria-label": "Kind of attack", onchange: (event) => {
    battle.attack = event.target.value;
    battle.groups = {};
    battle.inputs = {};
    lay();
  } }, ...game.attacks.map((one) => el("option", { value: one.id, selected: one.id === battle.attack }, one.title)));
  main.replaceChildren(chooser, form, result);

  function lay() {
    const attack = game.attacks.find((one) => one.id === battle.attack);
    form.replaceChildren(
      ...Object.entries(attack.groups).flatMap(([name, group]) => [
        el("h2", {}, group.title),
        tray(game, battle, name, group, lay),
      ]),
      el("h2", {}, "The battle"),
      inputs(attack.inputs, battle.inputs, answer),
    );
    answer();
  }

  let asked = 0;
  async function answer() {
    const now = ++asked;
    const attack = game.attacks.find((one) => one.id === battle.attack);
    const short = Object.entries(attack.groups).find(([name, group]) => (battle.groups[name] ?? []).length < group.least);
    if (short) {
      result.replaceChildren(el("p", { class: "quiet" }, `Add ${short[1].title.toLowerCase()}.`));
      return;
    }
    try {
      const told = await post(game, "odds", { attack: battle.attack, groups: counted(battle.groups), inputs: battle.inputs });
      if (now === asked) result.replaceChildren(...shown(game, attack, told));
    } catch (error) {
      if (now === asked) result.replaceChildren(el("p", { class: "wrong" }, error.message));
    }
  }
  lay();
}

function counted(groups) {
  return Object.fromEntries(Object.entries(groups).map(([name, units]) => [
    name, units.flatMap((one) => Array(one.count).fill({ unit: one.unit, states: one.states, told: one.told })),
  ]));
}

function effect(one) {
  const amount = one.amount;
  if (one.effect === "multiply") return `×${amount}`;
  const signed = String(amount).startsWith("-") ? `${amount}` : `+${amount}`;
  return one.effect === "add" ? signed : `${one.effect} ${signed}`;
}

function shown(game, attack, told) {
  const against = told.defense_strength === null ? "" : ` to ${told.defense_strength}`;
  const lines = [];
  const table = game.tables.find((one) => one.id === attack.table);
  if (told.column !== null) {
    const thrown = el("span", { class: "quiet" });
    lines.push(el("div", { class: "headline" }, el("b", {}, told.column),
      el("span", {}, `${told.attack_strength}${against}`),
      told.die ? el("span", {}, `die ${told.die > 0 ? "+" : ""}${told.die}`) : null, thrown,
      el("button", { class: "main", type: "button", onclick: async () => {
        const roll = await post(game, "roll", { what: attack.table, column: told.column, die: told.die });
        const one = roll.throws[0];
        const total = one.total !== one.dice[0] ? ` → ${one.total}` : "";
        thrown.textContent = told.targets.length ? `${one.dice.join(" + ")} thrown` : `${one.dice.join(" + ")}${total}: ${one.result}`;
      } }, `Throw ${table?.dice ?? ""}`)));
  } else {
    lines.push(el("div", { class: "headline" }, el("b", {}, "No attack"), el("span", {}, `${told.attack_strength}${against}`)));
  }
  lines.push(...told.failures.map((text) => el("p", { class: "wrong" }, `Not allowed: ${text}`)));
  if (told.column !== null) {
    if (told.targets.length) {
      for (const one of told.targets) {
        const why = one.applied.map((part) => `${part.text} ${effect(part)}`).join(", ");
        lines.push(el("div", {}, el("b", {}, one.name), el("small", {}, why ? ` die ${one.die}: ${why}` : "")), bars(one.chances, told.meanings));
      }
    } else lines.push(bars(told.chances, told.meanings));
  }
  const why = [
    ...told.units.map((one) => `${one.name}: ${one.value}` + (one.applied.length ? ` (${one.printed}; ${one.applied.map((part) => `${part.text} ${effect(part)}`).join(", ")})` : "")),
    ...told.applied.map((one) => `${one.text}: ${effect(one)}${one.rule ? ` (${one.rule})` : ""}`),
  ];
  lines.push(el("details", {}, el("summary", {}, "Why"), el("ul", { class: "why" }, ...why.map((line) => el("li", {}, line)))));
  return lines;
}
