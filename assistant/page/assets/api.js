// How the page asks: a server, or, where the page was built to stand alone, the assistant inside the browser.
// What never changes (maps, faces, forms) are files in both; questions go one way or the other.
import { T } from "./texts.js";

const PAUSE = 2000; // milliseconds between two questions to a server that is away
export const alone = "engine" in document.documentElement.dataset;

async function fetched(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    if (alone) throw new Error(T.notOnDevice);
    waitForServer();
    throw Object.assign(new Error(T.noServer), { lost: true });
  }
  return answer;
}

// Once the server doesn't answer, it is asked until it does; then the page shows again what it couldn't get.
let isLost = false;
async function waitForServer() {
  if (isLost) return;
  isLost = true;
  while (isLost) {
    await new Promise((done) => setTimeout(done, PAUSE));
    isLost = await fetch("data/games.json", { cache: "no-store" }).then((answer) => !answer.ok, () => true);
  }
  document.dispatchEvent(new CustomEvent("server"));
}

// Does a job whenever the server has come back, until `shown` is gone from the page.
export function whenServerIsBack(shown, job) {
  document.addEventListener("server", function again() {
    if (shown.isConnected) job();
    else document.removeEventListener("server", again);
  });
}

async function read(answer) {
  const body = await answer.json();
  if (!answer.ok) throw new Error([...(body.preface ?? []), body.wrong ?? T.noAnswer].join("\n"));
  return body;
}

const once = new Map();
// A file of the page: fetched once.
export function file(path) {
  if (!once.has(path)) {
    const made = fetched(alone ? `${path}.packed` : path).then(async (answer) => {
      if (!answer.ok) throw new Error(T.missing);
      const whole = alone ? new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))) : answer;
      return path.endsWith(".json") ? whole.json() : whole.text();
    });
    made.catch(() => once.delete(path));
    once.set(path, made);
  }
  return once.get(path);
}

// The assistant inside the browser: a worker that is started with the first question.
let engine = null, asked = 0;
const waiting = new Map();
function ask(method, target, body) {
  if (!engine) {
    engine = new Worker(document.documentElement.dataset.engine, { type: "module" });
    engine.onmessage = ({ data }) => {
      if (data.starting !== undefined) return document.dispatchEvent(new CustomEvent("engine", { detail: data.starting }));
      const { done, fail } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.broken) fail?.(new Error(data.broken));
      else done?.(data);
    };
    engine.onerror = (event) => {
      for (const { fail } of waiting.values()) fail(new Error(T.notStarted(event.message)));
      waiting.clear();
      engine = null;
    };
  }
  const id = ++asked;
  return new Promise((done, fail) => {
    waiting.set(id, { done, fail });
    engine.postMessage({ id, method, target, body });
  }).then(({ status, text }) => new Response(text, { status }));
}

export async function get(path) {
  return read(alone ? await ask("GET", `/${path}`, "") : await fetched(path));
}

// Hands a file to the browser's downloads; an answer that isn't one becomes an error.
export async function download(path, name) {
  const answer = alone ? await ask("GET", `/${path}`, "") : await fetched(path);
  if (!answer.ok) await read(answer);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export async function post(game, question, body) {
  const path = `api/${game.id}/${question}`, text = JSON.stringify(body);
  return read(alone ? await ask("POST", `/${path}`, text) : await fetched(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: text }));
}

// The faces of counters: those that are asked for within a moment come in one request.
const faces = new Map();
let wanted = new Map();
export function face(game, unit, side = "front") {
  const key = `${game.id}/${unit}/${side}`;
  if (!faces.has(key)) {
    faces.set(key, new Promise((done) => {
      if (!wanted.size) setTimeout(fill, 8);
      wanted.set(key, { game, name: `${unit}/${side}`, done });
    }));
  }
  return faces.get(key);
}

async function fill() {
  const now = [...wanted.values()];
  wanted = new Map();
  for (const game of new Set(now.map((one) => one.game))) {
    const mine = now.filter((one) => one.game === game);
    let drawn = {};
    try {
      drawn = alone ? await file(`data/${game.id}/faces.json`) : await post(game, "faces", { faces: mine.map((one) => one.name) });
    } catch { /* a counter without its picture can still be tapped */ }
    for (const one of mine) one.done(drawn[one.name] ?? "");
  }
}

export function picture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return parsed.tagName === "svg" ? document.importNode(parsed, true) : null;
}
