// The assistant inside the browser: CPython by Pyodide, started with the first question; packs as they are asked for.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { T } from "./texts.js";

const urlOf = (path) => new URL(path, self.location.href).href;
const fetchBytes = async (path) => {
  const answer = await fetch(urlOf(path));
  if (!answer.ok) throw new Error(T.missing);
  return new Uint8Array(await answer.arrayBuffer());
};

const TABLES = "/tables";
// Every tab has a copy of the tables, and one store is behind them all: a copy is loaded and stored by one tab at a time.
const changes = new BroadcastChannel("mitla-tables");
let queue = Promise.resolve();
function withLock(job) {
  if (navigator.locks) return navigator.locks.request("mitla-tables", job);
  return (queue = queue.then(job, job)); // a page without a secure address has no locks; this tab's own jobs keep their order
}

let starting = null;
async function start() {
  postMessage({ starting: T.starting });
  const [python, sources] = await Promise.all([loadPyodide({ indexURL: urlOf("pyodide/") }), fetchBytes("python.zip")]);
  python.unpackArchive(sources, "zip", { extractDir: "/mitla" });
  // Live tables are kept in the browser's own store.
  python.FS.mkdirTree(TABLES);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, TABLES);
  const sync = (load) => new Promise((resolve, reject) => python.FS.syncfs(load, (error) => (error ? reject(error) : resolve())));
  const isPersistent = await withLock(() => sync(true)).then(() => true, () => false); // a browser that keeps nothing: tables last for this visit
  const site = python.runPython(`import sys; sys.path.insert(0, '/mitla'); from assistant.page.browser_site import BrowserSite; BrowserSite('${TABLES}')`);
  postMessage({ starting: "" });
  return { alone: site, python, sync, keeps: isPersistent };
}

// An answer, from the tables as the last tab left them; a change is stored before another tab may make one.
async function answerRequest(engine, method, target, body) {
  const isChange = method === "POST" && target.endsWith("/play");
  const ask = () => {
    const answer = engine.alone.ask(method, target, body);
    const pair = answer.toJs();
    answer.destroy();
    return pair;
  };
  if (!engine.keeps) return ask();
  return withLock(async () => {
    await engine.sync(true);
    const pair = ask();
    if (isChange) {
      await engine.sync(false).catch(() => { engine.keeps = false; }); // a full store: from now on tables last for this visit
      changes.postMessage(target.split("/")[2]);
    }
    return pair;
  });
}

const packs = new Map();
async function loadPack({ alone: site, python }, game) {
  if (!packs.has(game)) packs.set(game, fetchBytes(`data/${game}/pack.packed`).then((pack) => site.take(game, python.toPy(pack).tobytes())));
  return packs.get(game);
}

self.onmessage = async ({ data: { id, method, target, body } }) => {
  try {
    starting ??= start();
    const engine = await starting;
    await loadPack(engine, decodeURIComponent(target.split("/")[2]));
    const [status, text] = await answerRequest(engine, method, target, body);
    postMessage({ id, status, text });
  } catch (error) {
    postMessage({ id, broken: T.cantAnswerHere(String(error.message ?? error).trim().split("\n").at(-1)) });
  }
};
