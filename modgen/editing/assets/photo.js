// A photo under the grid: sent, pinned by four hexes or more, straightened.
import { button, el } from "../tools.js";
import { W } from "./words.js";

export function photoTool({ loadedMap, key, view, used, ask, showNote }) {
  const input = el("input", { type: "file", hidden: true, accept: "image/png,image/jpeg,image/webp", onchange: () => take(input.files[0]) });
  const place = el("div", {});
  place.append(button(loadedMap.flat ? W.otherPhoto : W.choosePhoto, () => input.click(), { class: "main" }), input);

  async function take(file) {
    if (!file) return;
    try {
      showNote(W.sending);
      const data = await new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
        reader.onerror = () => reject(new Error(W.failed));
        reader.readAsDataURL(file);
      });
      const size = await ask("photo", { map: key, data });
      showNote("");
      pin(size);
    } catch (error) { showNote(error.message, true); }
  }

  // Pins on the photo; each belongs to a hex. The first four are the corners of the board.
  function pin(size) {
    const frame = el("div", { style: `position:absolute;transform-origin:0 0;width:${size.width}px;height:${size.height}px` });
    frame.naturalWidth = size.width;
    frame.naturalHeight = size.height;
    frame.append(el("img", { src: `api/photo/${key.split("/")[1]}?${Date.now()}`, alt: "", width: size.width, height: size.height, draggable: "false", style: "position:absolute;left:0;top:0" }));
    const handle = view(frame);
    const pins = new Map();
    const names = loadedMap.hexes.map(([name]) => name);
    const hexWithMost = (weigh) => loadedMap.hexes.reduce((best, hex) => (weigh(hex) > weigh(best) ? hex : best))[0];
    const corners = [hexWithMost(([, x, y]) => -x - y), hexWithMost(([, x, y]) => x - y), hexWithMost(([, x, y]) => x + y), hexWithMost(([, x, y]) => y - x)];
    const spots = [[0.12, 0.12], [0.88, 0.12], [0.88, 0.88], [0.12, 0.88]];
    const big = Math.max(size.width, size.height) / 55;
    const add = (name, x, y) => {
      const mark = el("div", { class: "pin", tabindex: "0", role: "button", "aria-label": `${W.hexName} ${name}`,
        style: `position:absolute;width:${2 * big}px;height:${2 * big}px;margin:${-big}px;border:${big / 9}px solid #c2182b;border-radius:50%;background:linear-gradient(#c2182b,#c2182b) center/100% ${big / 12}px no-repeat,linear-gradient(#c2182b,#c2182b) center/${big / 12}px 100% no-repeat;touch-action:none` },
      el("b", { style: `position:absolute;left:100%;top:-${big * 0.6}px;font-size:${big}px;color:#fff;background:#c2182b;padding:0 ${big / 4}px;border-radius:${big / 4}px;white-space:nowrap` }, name));
      const movePin = (nx, ny) => { pins.set(name, [nx, ny]); mark.style.left = `${nx}px`; mark.style.top = `${ny}px`; };
      movePin(x, y);
      mark.addEventListener("pointerdown", (event) => { event.stopPropagation(); mark.setPointerCapture(event.pointerId); });
      mark.addEventListener("pointermove", (event) => {
        if (!mark.hasPointerCapture(event.pointerId)) return;
        const [px, py] = pins.get(name), { zoom } = handle.at();
        movePin(px + event.movementX / zoom, py + event.movementY / zoom);
      });
      mark.addEventListener("keydown", (event) => {
        const offset = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (offset) { event.preventDefault(); const [px, py] = pins.get(name); movePin(px + offset[0], py + offset[1]); }
      });
      frame.append(mark);
    };
    corners.forEach((name, number) => add(name, spots[number][0] * size.width, spots[number][1] * size.height));
    const { clientWidth, clientHeight } = document.getElementById("board");
    const fit = Math.min(clientWidth / size.width, clientHeight / size.height) * 0.94;
    handle.zoomTo({ zoom: fit, x: (clientWidth - size.width * fit) / 2, y: (clientHeight - size.height * fit) / 2 });
    const more = el("input", { placeholder: W.hexName, "aria-label": W.addPin, list: "pins" });
    place.replaceChildren(el("p", { class: "quiet" }, W.pinHint),
      el("div", { class: "table" }, more, el("datalist", { id: "pins" }, ...names.map((value) => el("option", { value }))),
        button("+", () => { if (names.includes(more.value) && !pins.has(more.value)) { add(more.value, size.width / 2, size.height / 2); more.value = ""; go.textContent = W.pinned(pins.size); } }, { "aria-label": W.addPin })));
    const go = button(W.pinned(pins.size), async () => {
      try {
        showNote(W.straightening);
        used(await ask("fix", { map: key, hexes: Object.fromEntries(pins) }));
        showNote(W.straight);
      } catch (error) { showNote(error.message, true); }
    }, { class: "main wide" });
    place.append(go, button(W.cancel, () => { view(null); place.replaceChildren(button(W.choosePhoto, () => input.click(), { class: "main" }), input); }));
  }
  return [place];
}
