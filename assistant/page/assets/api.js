// How the page asks: a server, or, where the page was built to stand alone, the assistant inside the browser.
// What never changes (maps, faces, forms) are files in both; questions go one way or the other.
import { T } from "./texts.js";

const PAUSE = 2000; // milliseconds between two questions to a server that is away
export const standalone = "engine" in document.documentElement.dataset;

async function fetchOrWait(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    if (standalone) throw new Error(T.notOnDevice);
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
export function whenServerIsBack(element, job) {
  document.addEventListener("server", function again() {
    if (element.isConnected) job();
    else document.removeEventListener("server", again);
  });
}

async function read(answer) {
  const body = await answer.json();
  if (!answer.ok) throw new Error([...(body.preface ?? []), body.wrong ?? T.noAnswer].join("\n"));
  return body;
}

const files = new Map();
// A file of the page: fetched once.
export function file(path) {
  if (!files.has(path)) {
    const request = fetchOrWait(standalone ? `${path}.packed` : path).then(async (answer) => {
      if (!answer.ok) throw new Error(T.missing);
      const content = standalone ? new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))) : answer;
      return path.endsWith(".json") ? content.json() : content.text();
    });
    request.catch(() => files.delete(path));
    files.set(path, request);
  }
  return files.get(path);
}

// The assistant inside the browser: a worker that is started with the first question.
let engine = null, lastId = 0;
const pending = new Map();
function ask(method, target, body) {
  if (!engine) {
    engine = new Worker(document.documentElement.dataset.engine, { type: "module" });
    engine.onmessage = ({ data }) => {
      if (data.starting !== undefined) return document.dispatchEvent(new CustomEvent("engine", { detail: data.starting }));
      const { done: resolve, fail: reject } = pending.get(data.id) ?? {};
      pending.delete(data.id);
      if (data.broken) reject?.(new Error(data.broken));
      else resolve?.(data);
    };
    engine.onerror = (event) => {
      for (const { fail: reject } of pending.values()) reject(new Error(T.notStarted(event.message)));
      pending.clear();
      engine = null;
    };
  }
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, { done: resolve, fail: reject });
    engine.postMessage({ id, method, target, body });
  }).then(({ status, text }) => new Response(text, { status }));
}

export async function get(path) {
  return read(standalone ? await ask("GET", `/${path}`, "") : await fetchOrWait(path));
}

// Hands a file to the browser's downloads; an answer that isn't one becomes an error.
export async function download(path, name) {
  const answer = standalone ? await ask("GET", `/${path}`, "") : await fetchOrWait(path);
  if (!answer.ok) await read(answer);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export async function post(game, question, body) {
  const path = `api/${game.id}/${question}`, text = JSON.stringify(body);
  return read(standalone ? await ask("POST", `/${path}`, text) : await fetchOrWait(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: text }));
}

// The faces of counters: those that are asked for within a moment come in one request.
const faces = new Map();
let queue = new Map();
export function face(game, unit, side = "front") {
  const key = `${game.id}/${unit}/${side}`;
  if (!faces.has(key)) {
    faces.set(key, new Promise((done) => {
      if (!queue.size) setTimeout(fill, 8);
      queue.set(key, { game, name: `${unit}/${side}`, done });
    }));
  }
  return faces.get(key);
}

async function fill() {
  const batch = [...queue.values()];
  queue = new Map();
  for (const game of new Set(batch.map((entry) => entry.game))) {
    const entries = batch.filter((entry) => entry.game === game);
    let pictures = {};
    try {
      pictures = standalone ? await file(`data/${game.id}/faces.json`) : await post(game, "faces", { faces: entries.map((entry) => entry.name) });
    } catch { /* a counter without its picture can still be tapped */ }
    for (const entry of entries) entry.done(pictures[entry.name] ?? "");
  }
}

export function picture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return parsed.tagName === "svg" ? document.importNode(parsed, true) : null;
}
