// A verdict for which rules have to be asked that nobody vouches for. They run behind a wall: in a worker of their own,
// inside a sandboxed frame without an origin, which may load nothing, ask nobody and go nowhere. What they answered is
// all that comes back, and the judge alone says what follows from it.

import { ask } from "./ask.js";

const START = 120_000, EACH = 20_000, WHOLE = 600_000; // milliseconds: until the rules are loaded, for each answer, in all

// The verdict of the judge's worker; `parts()` gives the files of the judge, with the frame's page and the worker.
/** @param {Worker} worker @param {any} bundle @param {(what: string, done: number, all: number) => void} progress @param {() => Promise<any>} parts */
export async function judged(worker, bundle, progress, parts) {
  const first = await ask(worker, { bundle }, progress, "judged");
  if (!first.wanted) return first.verdict;
  const heard = await behindWall(await parts(), bundle, progress);
  return (await ask(worker, { bundle, heard }, progress, "judged")).verdict;
}

// The answers of the rules that a file brings, in order, and why there are no more.
/** @param {Record<string, any>} files @param {any} bundle @param {(what: string, done: number, all: number) => void} progress @returns {Promise<{answers: Uint8Array[], failed: string}>} */
function behindWall(files, bundle, progress) {
  return new Promise((resolve) => {
    const frame = document.createElement("iframe"), answers = /** @type {Uint8Array[]} */ ([]);
    let late = /** @type {any} */ (null), began = false;
    const end = (/** @type {string} */ failed) => {
      for (const timer of [late, whole]) clearTimeout(timer);
      removeEventListener("message", heard);
      frame.remove();
      resolve({ answers, failed });
    };
    const wait = (/** @type {number} */ time) => { clearTimeout(late); late = setTimeout(end, time, "it was late with its answer"); };
    const whole = setTimeout(end, WHOLE, "it was late with all of its answers");
    const heard = (/** @type {MessageEvent} */ { source, data }) => {
      if (source !== frame.contentWindow) return;
      if (data.ended) { end(String(data.failed)); return; }
      if (data.answer) { wait(EACH); if (data.answer.length) answers.push(data.answer); }
      progress(`asking the file's own rules, behind a wall: ${answers.length} answers`, 0, 0);
    };
    addEventListener("message", heard);
    frame.setAttribute("sandbox", "allow-scripts");
    frame.hidden = true;
    frame.srcdoc = new TextDecoder().decode(files["engine-frame.html"]);
    frame.addEventListener("load", () => {
      if (began) { end("it left its frame"); return; }
      began = true;
      frame.contentWindow?.postMessage({ files, bundle }, "*");
    });
    wait(START);
    document.body.append(frame);
  });
}
