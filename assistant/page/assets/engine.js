// The assistant inside the browser: CPython by Pyodide, started with the first question; packs as they are asked for.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { T } from "./texts.js";

const at = (path) => new URL(path, self.location.href).href;
const bytes = async (path) => {
  const answer = await fetch(at(path));
  if (!answer.ok) throw new Error(T.missing);
  return new Uint8Array(await answer.arrayBuffer());
};

const TABLES = "/tables";
let starting = null;
async function start() {
  postMessage({ starting: T.starting });
  const [python, sources] = await Promise.all([loadPyodide({ indexURL: at("pyodide/") }), bytes("python.zip")]);
  python.unpackArchive(sources, "zip", { extractDir: "/mitla" });
  // Live tables are kept in the browser's own store.
  python.FS.mkdirTree(TABLES);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, TABLES);
  const sync = (load) => new Promise((done, fail) => python.FS.syncfs(load, (error) => (error ? fail(error) : done())));
  await sync(true).catch(() => {}); // a browser that keeps nothing: tables last for this visit
  const alone = python.runPython(`import sys; sys.path.insert(0, '/mitla'); from assistant.page.alone import Alone; Alone('${TABLES}')`);
  postMessage({ starting: "" });
  return { alone, python, sync };
}

const packs = new Map();
async function loaded({ alone, python }, game) {
  if (!packs.has(game)) packs.set(game, bytes(`data/${game}/pack.packed`).then((pack) => alone.take(game, python.toPy(pack).tobytes())));
  return packs.get(game);
}

self.onmessage = async ({ data: { id, method, target, body } }) => {
  try {
    starting ??= start();
    const engine = await starting;
    await loaded(engine, decodeURIComponent(target.split("/")[2]));
    const answer = engine.alone.ask(method, target, body);
    const [status, text] = answer.toJs();
    answer.destroy();
    if (target.endsWith("/play")) await engine.sync(false).catch(() => {});
    postMessage({ id, status, text });
  } catch (error) {
    postMessage({ id, broken: T.cantAnswerHere(String(error.message ?? error).trim().split("\n").at(-1)) });
  }
};
