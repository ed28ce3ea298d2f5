// The numbers that a rulebook lacks, in one form.
import { button, el } from "../tools.js";
import { W } from "./words.js";

const SHOWN = 200;

export async function numbersTab(main, ask, showNote) {
  const { numbers } = await ask("numbers");
  const changes = {};
  const body = el("tbody", {});
  const more = el("p", { class: "quiet" });
  const search = el("input", { type: "search", placeholder: W.search, "aria-label": W.search, oninput: render });
  const save = button(W.saveNumbers, async () => {
    try {
      const { saved } = await ask("numbers", { numbers: changes, opened: Object.fromEntries(numbers.map((row) => [row.address, String(row.value)])) });
      showNote(W.savedTo(saved));
      await numbersTab(main, ask, showNote);
    } catch (error) { showNote(error.message, true); }
  }, { class: "main wide", disabled: true });
  function render() {
    const words = search.value.toLowerCase().split(/\s+/);
    const listed = numbers.filter((row) => words.every((word) => `${row.address} ${row.why}`.toLowerCase().includes(word)));
    body.replaceChildren(...listed.slice(0, SHOWN).map((row) => el("tr", {},
      el("td", {}, row.address.replaceAll("/", " › ").replaceAll("_", " "), el("div", { class: "why" }, row.source === "mine" ? W.mine : row.why)),
      el("td", {}, el("input", { value: changes[row.address] ?? row.value, "aria-label": row.address, oninput: (event) => {
        if (event.target.value === String(row.value)) delete changes[row.address]; else changes[row.address] = event.target.value;
        save.disabled = !Object.keys(changes).length;
      } })))));
    more.textContent = listed.length > SHOWN ? W.tooMany(listed.length - SHOWN) : "";
  }
  render();
  main.replaceChildren(el("div", { class: "numbers" }, el("p", {}, numbers.length ? W.numbersAbout : W.noNumbers), search, el("table", {}, body), more, save));
}
