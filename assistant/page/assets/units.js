// Trays of counters: pick them from all counters of a game, tap one for its states and inputs.
import { counter, nameOf } from "./position.js";
import { T } from "./texts.js";
import { button, chip, el, field, open, said } from "./tools.js";

export function inputs(shapes, values, change) {
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

const face = (game, one) => {
  const unit = game.units.find((known) => known.id === one.unit);
  return one.states.some((state) => unit?.back_states.includes(state)) ? "back" : "front";
};

// What the place of a unit would tell and nobody has inputs: it is taken as the pack has it.
const taken = (group, one) => Object.entries(group.inputs).filter(([key, shape]) => shape.read === "distance" && shape.default && !one.inputs[key]).map(([key, shape]) => [key, shape.default]);

// `side` is whose counters the picker shows first.
export function tray(game, battle, name, group, lay, side = "") {
  const units = (battle.groups[name] ??= []);
  const full = group.most !== null && units.reduce((sum, one) => sum + one.count, 0) >= group.most;
  return el("div", { class: "tray" },
    ...units.map((one, index) => {
      const back = game.units.find((unit) => unit.id === one.unit)?.back;
      const tags = [...one.states.filter((state) => state !== back).map((state) => game.states[state]), ...Object.entries(one.inputs).map(([key, value]) => `${said(key)} ${value}`),
        ...taken(group, one).map(([key, value]) => T.takenAs(said(key), value))];
      return counter(game, one.unit, {
        side: face(game, one), "aria-label": `${one.count} ${nameOf(game, one.unit)}${tags.length ? `, ${tags.join(", ")}` : ""}`,
        onclick: () => edit(game, group, units, index, lay),
      },
      one.count > 1 ? el("span", { class: "count" }, `×${one.count}`) : null,
      tags.length ? el("span", { class: "tag" }, tags.join(", ")) : null);
    }),
    full ? null : el("button", { class: "add", type: "button", "aria-label": T.add(group.title),
      onclick: () => pick(game, units, group, lay, side) }, "+"));
}

function pick(game, units, group, lay, side) {
  const grid = el("div", { class: "picker" });
  const room = () => group.most === null || units.reduce((sum, one) => sum + one.count, 0) < group.most;
  const add = (id) => {
    const same = units.find((one) => one.unit === id && !one.states.length && !Object.keys(one.inputs).length);
    if (room()) same ? (same.count += 1) : units.push({ unit: id, count: 1, states: [], inputs: {} });
    lay();
    if (!room()) sheet.close();
  };
  const own = (unit) => (game.nations[unit.nation]?.side === side ? 0 : 1);
  const filled = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const fits = (text) => words.every((word) => text.toLowerCase().includes(word));
    const listed = game.units.filter((unit) => (!nation.value || unit.nation === nation.value)
      && fits(`${unit.name} ${unit.formation} ${unit.id} ${game.nations[unit.nation]?.name ?? ""}`));
    const first = (unit) => (unit.name.toLowerCase().startsWith(words[0]) ? 0 : 1);
    listed.sort((a, b) => first(a) - first(b) || own(a) - own(b));
    const markers = nation.value || !group.markers ? [] : Object.entries(game.markers).filter(([id, label]) => fits(`${label} ${id}`));
    const entry = (id, label) => {
      const made = button("", () => { add(id); flash(made); });
      made.append(counter(game, id), label);
      return made;
    };
    grid.replaceChildren(...listed.map((unit) => entry(unit.id, unit.name)), ...markers.map(([id, label]) => entry(id, label)));
    if (!grid.children.length) grid.replaceChildren(el("p", { class: "quiet" }, T.noCounter));
  };
  const search = el("input", { type: "search", placeholder: T.search, "aria-label": T.searchCounters, oninput: filled });
  const nation = el("select", { "aria-label": T.nation, onchange: filled }, el("option", { value: "" }, T.all),
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
      button("−", () => step(-1), { "aria-label": T.oneLess }), number, button("+", () => step(1), { "aria-label": T.oneMore }),
      button(T.remove, () => { units.splice(index, 1); sheet.close(); lay(); })),
    el("div", { class: "chips" }, ...Object.entries(game.states).map(([id, label]) =>
      chip(label, one.states.includes(id), (now) => {
        one.states = now ? [...one.states, id] : one.states.filter((state) => state !== id);
        lay();
      }))),
    inputs(group.inputs, one.inputs, lay));
  const sheet = open(el("h2", { class: "grow" }, nameOf(game, one.unit)), body, true);
}

// A tray as the command line writes it: 2*unit+state, unit@place.
export function written(units) {
  return units.map((one) => {
    const name = [one.unit, ...one.states].join("+") + (one.inputs.at ? `@${one.inputs.at}` : "");
    return one.count > 1 ? `${one.count}*${name}` : name;
  }).join(",");
}
