// Trays of counters: pick them from all counters of a game, tap one for its states and inputs.
import { counter, nameOf } from "./position.js";
import { T } from "./texts.js";
import { button, chip, el, field, openSheet, readable } from "./tools.js";

export function inputs(shapes, values, change) {
  const flags = Object.entries(shapes).filter(([, shape]) => shape.kind === "flag");
  const others = Object.entries(shapes).filter(([, shape]) => shape.kind !== "flag");
  return el("div", {},
    el("div", { class: "fields" }, ...others.map(([name, shape]) =>
      field(name, shape, values[name], (value) => { values[name] = value; change(); }))),
    el("div", { class: "chips" }, ...flags.map(([name, shape]) => {
      const pressed = values[name] === undefined ? shape.default === "true" : values[name] === "true";
      return chip(shape.title, pressed, (isPressed) => { values[name] = String(isPressed); change(); });
    })));
}

const shownSide = (game, piece) => {
  const unit = game.units.find((entry) => entry.id === piece.unit);
  return piece.states.some((state) => unit?.back_states.includes(state)) ? "back" : "front";
};

// What the place of a unit would tell and nobody has inputs: it is taken as the pack has it.
const defaultInputs = (group, piece) => Object.entries(group.inputs).filter(([key, shape]) => shape.read === "distance" && shape.default && !piece.inputs[key]).map(([key, shape]) => [key, shape.default]);

// `side` is whose counters the picker shows first.
export function tray(game, battle, name, group, render, side = "") {
  const units = (battle.groups[name] ??= []);
  const full = group.most !== null && units.reduce((sum, piece) => sum + piece.count, 0) >= group.most;
  return el("div", { class: "tray" },
    ...units.map((piece, index) => {
      const back = game.units.find((unit) => unit.id === piece.unit)?.back;
      const tags = [...piece.states.filter((state) => state !== back).map((state) => game.states[state]), ...Object.entries(piece.inputs).map(([key, value]) => `${readable(key)} ${value}`),
        ...defaultInputs(group, piece).map(([key, value]) => T.takenAs(readable(key), value))];
      return counter(game, piece.unit, {
        side: shownSide(game, piece), "aria-label": `${piece.count} ${nameOf(game, piece.unit)}${tags.length ? `, ${tags.join(", ")}` : ""}`,
        onclick: () => edit(game, group, units, index, render),
      },
      piece.count > 1 ? el("span", { class: "count" }, `×${piece.count}`) : null,
      tags.length ? el("span", { class: "tag" }, tags.join(", ")) : null);
    }),
    full ? null : el("button", { class: "add", type: "button", "aria-label": T.add(group.title),
      onclick: () => pick(game, units, group, render, side) }, "+"));
}

function pick(game, units, group, render, side) {
  const grid = el("div", { class: "picker" });
  const hasRoom = () => group.most === null || units.reduce((sum, piece) => sum + piece.count, 0) < group.most;
  const add = (id) => {
    const match = units.find((piece) => piece.unit === id && !piece.states.length && !Object.keys(piece.inputs).length);
    if (hasRoom()) match ? (match.count += 1) : units.push({ unit: id, count: 1, states: [], inputs: {} });
    render();
    if (!hasRoom()) sheet.close();
  };
  const sideRank = (unit) => (game.nations[unit.nation]?.side === side ? 0 : 1);
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const matches = (text) => words.every((word) => text.toLowerCase().includes(word));
    const listed = game.units.filter((unit) => (!nation.value || unit.nation === nation.value)
      && matches(`${unit.name} ${unit.formation} ${unit.id} ${game.nations[unit.nation]?.name ?? ""}`));
    const nameRank = (unit) => (unit.name.toLowerCase().startsWith(words[0]) ? 0 : 1);
    listed.sort((a, b) => nameRank(a) - nameRank(b) || sideRank(a) - sideRank(b));
    const markers = nation.value || !group.markers ? [] : Object.entries(game.markers).filter(([id, label]) => matches(`${label} ${id}`));
    const entry = (id, label) => {
      const element = button("", () => { add(id); flash(element); });
      element.append(counter(game, id), label);
      return element;
    };
    grid.replaceChildren(...markers.map(([id, label]) => entry(id, label)), ...listed.map((unit) => entry(unit.id, unit.name)));
    if (!grid.children.length) grid.replaceChildren(el("p", { class: "quiet" }, T.noCounter));
  };
  const search = el("input", { type: "search", placeholder: T.search, "aria-label": T.searchCounters, oninput: fill });
  const nation = el("select", { "aria-label": T.nation, onchange: fill }, el("option", { value: "" }, T.all),
    ...Object.entries(game.nations).map(([id, entry]) => el("option", { value: id }, entry.name)));
  fill();
  const sheet = openSheet([search, nation], grid);
}

function flash(element) {
  element.animate([{ transform: "scale(.85)" }, { transform: "scale(1)" }], { duration: 160 });
}

function edit(game, group, units, index, render) {
  const piece = units[index];
  const entry = game.units.find((unit) => unit.id === piece.unit);
  const number = el("b", {}, String(piece.count));
  const step = (by) => {
    piece.count = Math.max(1, piece.count + by);
    number.textContent = String(piece.count);
    render();
  };
  const factors = entry ? Object.entries(entry.factors).map(([key, value]) => `${game.factors[key] ?? readable(key)} ${value}`).join(" · ") : "";
  const body = el("div", {},
    el("p", { class: "quiet" }, factors),
    el("div", { class: "chips" },
      button("−", () => step(-1), { "aria-label": T.oneLess }), number, button("+", () => step(1), { "aria-label": T.oneMore }),
      button(T.remove, () => { units.splice(index, 1); sheet.close(); render(); })),
    el("div", { class: "chips" }, ...Object.entries(game.states).map(([id, label]) =>
      chip(label, piece.states.includes(id), (isPressed) => {
        piece.states = isPressed ? [...piece.states, id] : piece.states.filter((state) => state !== id);
        render();
      }))),
    inputs(group.inputs, piece.inputs, render));
  const sheet = openSheet(el("h2", { class: "grow" }, nameOf(game, piece.unit)), body, true);
}

// A tray as the command line writes it: 2*unit+state, unit@place.
export function unitsText(units) {
  return units.map((piece) => {
    const name = [piece.unit, ...piece.states].join("+") + (piece.inputs.at ? `@${piece.inputs.at}` : "");
    return piece.count > 1 ? `${piece.count}*${name}` : name;
  }).join(",");
}
