// The program's own judge in a worker: its files are got once, when somebody has a file to judge.

import { ask } from "./ask.js";
import { judged } from "./walled.js";

let begun = null;

// The verdict as `inside.py` gives it; null where this service has no judge for pages.
// `progress(what, done, total)` is told what is being done.
/** @typedef {(what: string, done: number, total: number) => void} Progress */

/** @param {Uint8Array} bundle @param {Progress} progress */
export async function judge(bundle, progress) {
  begun ??= begin(progress);
  let worker;
  try { worker = await begun; } catch (error) { begun = null; throw error; }
  if (!worker) return null;
  return judged(worker, bundle, progress, () => parts(progress));
}

/** @param {Progress} progress */
async function begin(progress) {
  const files = await parts(progress);
  if (!files) return null;
  const worker = new Worker("/pages/judge-worker.js", { type: "module" });
  await ask(worker, { files }, progress, "ready");
  return worker;
}

// The judge's files by name; null where there are none. A browser has them at hand the second time.
/** @param {Progress} progress */
async function parts(progress) {
  const names = await (await fetch("/pages/judge.json")).json(), files = /** @type {Record<string, Uint8Array>} */ ({});
  if (!names.length) return null;
  for (const [done, name] of names.entries()) {
    progress(`loading ${name}`, done, names.length);
    const answer = await fetch(`/pages/${name}`);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    files[name] = new Uint8Array(await answer.arrayBuffer());
  }
  return files;
}
