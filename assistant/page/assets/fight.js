// Odds: counters on two trays, what is told of the battle, and the answer at once.
import { bars, chip, counter, el, field, open, post, said } from "/page.js";

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

function inputs(shapes, values, change) {
  const flags = Object.entries(shapes).filter(([, shape]) => shape.kind === "flag");
  const others = Object.entries(shapes).filter(([, shape]) => shape.kind !== "flag");
  return el("div", {},
    el("div", { class: "fields" }, ...others.map(([name, shape]) =>
      field(name, shape, values[name], (value) => { values[name] = value; change(); }))),
    el("div", { class: "chips" }, ...flags.map(([name, shape]) => {
      const pressed = values[name] === undefined ? shape.default === "true" : values[name] === "true";
      return chip(shape.title, pressed, (now) => { values[name] = String(now); change(); });
    })));
}

function tray(game, battle, name, group, lay) {
  const units = (battle.groups[name] ??= []);
  const full = group.most !== null && units.reduce((sum, one) => sum + one.count, 0) >= group.most;
  return el("div", { class: "tray" },
    ...units.map((one, index) => {
      const known = game.units.find((unit) => unit.id === one.unit);
      const label = known?.name ?? game.markers[one.unit] ?? one.unit;
      const tags = [...one.states.map((state) => game.states[state]), ...Object.entries(one.told).map(([key, value]) => `${said(key)} ${value}`)];
      return counter(game, one.unit, {
        "aria-label": `${one.count} ${label}`,
        onclick: () => edit(game, group, units, index, lay),
      },
      one.count > 1 ? el("span", { class: "count" }, `×${one.count}`) : null,
      tags.length ? el("span", { class: "tag" }, tags.join(", ")) : null);
    }),
    full ? null : el("button", { class: "add", type: "button", "aria-label": `Add ${group.title.toLowerCase()}`,
      onclick: () => pick(game, units, group, lay) }, "+"));
}

function pick(game, units, group, lay) {
  const grid = el("div", { class: "picker" });
  const room = () => group.most === null || units.reduce((sum, one) => sum + one.count, 0) < group.most;
  const add = (id) => {
    const same = units.find((one) => one.unit === id && !one.states.length && !Object.keys(one.told).length);
    if (room()) same ? (same.count += 1) : units.push({ unit: id, count: 1, states: [], told: {} });
    lay();
    if (!room()) sheet.close();
  };
  const filled = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const fits = (text) => words.every((word) => text.toLowerCase().includes(word));
    const listed = game.units.filter((unit) => (!nation.value || unit.nation === nation.value)
      && fits(`${unit.name} ${unit.formation} ${unit.id} ${game.nations[unit.nation]?.name ?? ""}`));
    const first = (unit) => (unit.name.toLowerCase().startsWith(words[0]) ? 0 : 1);
    listed.sort((a, b) => first(a) - first(b));
    const markers = nation.value ? [] : Object.entries(game.markers).filter(([id, label]) => fits(`${label} ${id}`));
    const button = (id, label) => {
      const made = el("button", { type: "button", onclick: () => { add(id); flash(made); } }, counter(game, id), label);
      return made;
    };
    grid.replaceChildren(...listed.map((unit) => button(unit.id, unit.name)), ...markers.map(([id, label]) => button(id, label)));
  };
  const search = el("input", { type: "search", placeholder: "Search", "aria-label": "Search counters", oninput: filled });
  const nation = el("select", { "aria-label": "Nation", onchange: filled }, el("option", { value: "" }, "All"),
    ...Object.entries(game.nations).map(([id, one]) => el("option", { value: id }, one.name)));
  filled();
  const sheet = open([search, nation], grid);
}

function flash(made) {
  made.animate([{ transform: "scale(.85)" }, { transform: "scale(1)" }], { duration: 160 });
}

function edit(game, group, units, index, lay) {
  const one = units[index];
  const known = game.units.find((unit) => unit.id === one.unit);
  const number = el("b", {}, String(one.count));
  const step = (by) => {
    one.count = Math.max(1, one.count + by);
    number.textContent = String(one.count);
    lay();
  };
  const factors = known ? Object.entries(known.factors).map(([key, value]) => `${game.factors[key] ?? said(key)} ${value}`).join(" · ") : "";
  const body = el("div", {},
    el("p", { class: "quiet" }, factors),
    el("div", { class: "chips" },
      el("button", { type: "button", onclick: () => step(-1), "aria-label": "one less" }, "−"), number,
      el("button", { type: "button", onclick: () => step(1), "aria-label": "one more" }, "+"),
      el("button", { type: "button", onclick: () => { units.splice(index, 1); sheet.close(); lay(); } }, "Remove")),
    el("div", { class: "chips" }, ...Object.entries(game.states).map(([id, label]) =>
      chip(label, one.states.includes(id), (now) => {
        one.states = now ? [...one.states, id] : one.states.filter((state) => state !== id);
        lay();
      }))),
    inputs(group.inputs, one.told, lay));
  const sheet = open(el("h2", { style: "flex:1;margin:auto 0" }, known?.name ?? game.markers[one.unit] ?? one.unit), body, true);
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
