// Little tools that all tabs use: elements, fields, bars, sheets, what is kept on this device.
import { T } from "./texts.js";

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function svgElement(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export const readable = (name) => name.replaceAll("_", " ");
export const questionTitle = (id) => T.questions[id] ?? title(id);
export const title = (text) => { const plain = readable(text); return plain.charAt(0).toUpperCase() + plain.slice(1); };

export function fraction(text) {
  const [numerator, denominator = "1"] = String(text).split("/");
  return Number(numerator) / Number(denominator);
}

// What is kept on this device, by a name: over a reload, another tab, a locked screen.
export const storage = {
  get(name, fallback) {
    try { return JSON.parse(localStorage.getItem(`mitla:${name}`)) ?? fallback; } catch { return fallback; }
  },
  set(name, value) {
    try { localStorage.setItem(`mitla:${name}`, JSON.stringify(value)); } catch { /* a full or forbidden store: kept for this visit alone */ }
  },
};

// Opens a tab of a game; `given` is what it begins with.
export function go(key, tab, inputs = {}) {
  const query = new URLSearchParams(inputs).toString();
  location.hash = `${key}/${tab}${query ? `?${query}` : ""}`;
}

export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

export function field(name, shape, value, change) {
  const chosen = value ?? shape.default ?? "";
  const label = el("span", {}, shape.title, shape.hint ? el("small", {}, `: ${shape.hint}`) : null);
  if (shape.choices?.length) {
    const texts = shape.choices.map((choice) => el("option", { value: choice, selected: choice === chosen }, shape.names?.[choice] ?? readable(choice)));
    return el("label", {}, label, el("select", { onchange: (event) => change(event.target.value) },
      ...(shape.default == null ? [el("option", { value: "" }, "–")] : []), ...texts));
  }
  const number = shape.kind === "number";
  const input = el("input", { value: chosen, inputmode: number ? "decimal" : "text", autocapitalize: "off", autocomplete: "off",
    spellcheck: "false", oninput: (event) => change(event.target.value.trim()) });
  return el("label", {}, label, number ? stepper(shape.title, input, change) : input);
}

// A number with a button on each side: a phone's keys for numbers have no minus.
export function stepper(title, input, change) {
  const step = (by) => (event) => {
    event.preventDefault();
    input.value = String((Number(input.value) || 0) + by);
    change(input.value);
  };
  return el("span", { class: "stepper" },
    button("−", step(-1), { "aria-label": `${title}: ${T.oneLess}` }), input,
    button("+", step(1), { "aria-label": `${title}: ${T.oneMore}` }));
}

export function chip(text, pressed, change) {
  const element = el("button", { type: "button", "aria-pressed": String(pressed) }, text);
  element.addEventListener("click", () => {
    const isPressed = element.getAttribute("aria-pressed") !== "true";
    element.setAttribute("aria-pressed", String(isPressed));
    change(isPressed);
  });
  return element;
}

// A chance as people read it. One that is not quite 0 or 1 doesn't look as if it were.
const percent = (share) => (share > 0 && share < 0.0005 ? "<0.1 %" : share < 1 && share > 0.9995 ? ">99.9 %" : `${(share * 100).toFixed(1)} %`);

export function bars(chances, meanings = {}) {
  const lines = Object.entries(chances).flatMap(([code, chance]) => {
    const share = fraction(chance);
    return [
      el("span", { class: "code" }, code),
      el("span", { class: "bar" }, el("i", { style: `width:${(share * 100).toFixed(2)}%` })),
      el("span", { class: "number" }, percent(share)),
      meanings[code] ? el("span", { class: "means" }, meanings[code]) : null,
    ].filter(Boolean);
  });
  return el("div", { class: "bars" }, ...lines);
}

export const errorLine = (error) => el("p", { class: error.lost ? "wrong lost" : "wrong", role: "alert" }, error.message ?? String(error));

// A sheet over the page. Where the focus was, it is again when the sheet closes.
const sheet = document.getElementById("sheet");
export function openSheet(title, body, low = false) {
  sheet.className = low ? "low" : "";
  sheet.replaceChildren(
    el("div", { class: "top" }, ...[title].flat(), button(T.done, () => sheet.close())),
    el("div", { class: "body" }, body),
  );
  sheet.showModal();
  return sheet;
}
sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });

// The log of dice rolls and answers, to read again or to send.
export function addToLog(game, text) {
  const lines = storage.get(`log:${game.id}`, []);
  const now = new Date();
  lines.push({ at: new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace("T", " "), text }); // local time
  storage.set(`log:${game.id}`, lines.slice(-300));
}

export function showLog(game) {
  const lines = storage.get(`log:${game.id}`, []).reverse();
  const text = () => [...lines].reverse().map((line) => `${line.at}  ${line.text}`).join("\n");
  const note = el("p", { class: "quiet", role: "status" });
  const send = async () => {
    try {
      if (navigator.share) await navigator.share({ title: `${game.title}: ${T.log}`, text: text() });
      else { await navigator.clipboard.writeText(text()); note.textContent = T.copied; }
    } catch (error) {
      if (error.name !== "AbortError") note.textContent = T.cantSend;
    }
  };
  const body = el("div", {}, el("div", { class: "chips" }, button(navigator.share ? T.send : T.copy, send),
    button(T.clear, () => { storage.set(`log:${game.id}`, []); sheet.close(); })), note,
  lines.length ? el("ol", { class: "log" }, ...lines.map((line) => el("li", {}, el("small", {}, `${line.at} `), line.text)))
    : el("p", { class: "quiet" }, T.emptyLog));
  openSheet(el("h2", { class: "grow" }, T.log), body);
}
