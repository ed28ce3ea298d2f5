// An answer's tree as the server tells it, drawn: sentences, values, bars, tables, ways and places. Places and units can be tapped.
import { T } from "./texts.js";
import { bars, el } from "./tools.js";

export function renderNodes(nodes, tap = {}) {
  return nodes.flatMap((node) => RENDERERS[node.kind]?.(node, tap) ?? []);
}

function renderText(value, tap) {
  if (Array.isArray(value)) return value.flatMap((part, index) => (index && typeof part === "object" && !part.place && !part.unit ? [", ", renderText(part, tap)] : [renderText(part, tap)])).flat();
  if (value && typeof value === "object") {
    const act = value.place ? tap.place : tap.unit;
    const name = value.place ?? value.unit;
    return act ? el("button", { type: "button", class: "link", onclick: () => act(name) }, value.text) : el("b", {}, value.text);
  }
  return value ?? "";
}

// The cells of a row that hold several things, with commas between them.
function cell(value, tap) {
  if (!Array.isArray(value)) return renderText(value, tap);
  return value.flatMap((part, index) => [index ? ", " : "", renderText(part, tap)]);
}

const rule = (node) => (node.rule ? el("small", { class: "rule" }, ` (${node.rule})`) : null);
const heading = (title) => (title?.length ? [el("h3", {}, title)] : []);

const RENDERERS = {
  line: (node, tap) => el("p", { class: "line" }, renderText(node.text, tap), rule(node)),
  warning: (node, tap) => el("p", { class: "line wrong" }, renderText(node.text, tap), rule(node)),
  value: (node, tap) => (node.shown ? el("p", { class: "line cells" }, el("span", {}, node.title, rule(node)), el("b", {}, cell(node.value, tap))) : []),
  chances: (node) => [...heading(node.title),
    bars(Object.fromEntries(node.rows.map((row) => [row.outcome, row.chance])), Object.fromEntries(node.rows.map((row) => [row.outcome, row.meaning])))],
  table: (node, tap) => [...heading(node.title), el("div", { class: "scroll" }, el("table", {},
    node.heads.length && node.rows.length ? el("thead", {}, el("tr", {}, ...node.heads.map((head) => el("th", { scope: "col" }, head)))) : null,
    el("tbody", {}, ...node.rows.map((row) => el("tr", {}, ...row.map((value) => el("td", {}, cell(value, tap))))))))],
  path: (node, tap) => el("p", { class: "line" }, node.title ? `${node.title}: ` : "",
    node.places.flatMap((place, at) => [at ? " → " : "", renderText({ place: place, text: place }, tap)]),
    node.cost === null ? null : `: ${T.pointCount(node.cost)}`, rule(node)),
  places: (node, tap) => {
    if (!node.listed || !node.places.length) return el("p", { class: "line cells" }, el("span", {}, node.title), el("b", {}, String(node.places.length || "none")));
    if (!node.columns.length) {
      return el("p", { class: "line" }, `${node.title}: `, node.places.flatMap((place, index) => [index ? " " : "", renderText({ place: place.place, text: place.title }, tap)]));
    }
    const rows = node.places.map((place) => [{ place: place.place, text: place.title }, ...node.columns.map((column) => place[column.key] ?? "")]);
    return RENDERERS.table({ title: node.title, heads: ["place", ...node.columns.map((column) => column.title)], rows }, tap);
  },
  assumptions: (node) => el("p", { class: "line quiet" }, node.text),
  unofficial: (node) => node.text.map((line) => el("p", { class: "line quiet" }, line)),
  section: (node, tap) => {
    const content = renderNodes(node.nodes, tap);
    if (!node.title.length) return el("section", {}, ...content);
    return content.length ? el("section", {}, el("h3", {}, renderText(node.title, tap)), ...content) : el("p", { class: "line" }, renderText(node.title, tap));
  },
  several: (node, tap) => [...heading(node.title), ...renderNodes(node.nodes, tap)],
};
