// The evidence page: drop a file, see the verdict. Nothing is sent anywhere.

import { announce, el, show } from "./dom.js";
import { judge as program } from "./judge.js";
import { Refuted, Unreadable, verify } from "./verify.js";

/** @param {AbortSignal} signal */
export async function evidence(signal) {
  const said = el("section", { "aria-label": "Judge" });
  const report = el("section", { "aria-live": "polite", "aria-label": "Verdict" });
  const file = el("input", { type: "file", accept: ".decklog,application/zip", id: "file",
    onchange: () => file.files?.[0] && judge(file.files[0], said, report, known()) });
  const root = el("input", { id: "root", spellcheck: "false", autocomplete: "off", placeholder: "name+id+base64" });
  const taken = el("input", { type: "file", id: "receipts", multiple: "" });
  const known = async () => ({ root: root.value.trim(), receipts: await Promise.all([...taken.files ?? []].map((each) => each.text())) });
  const more = el("details", {}, el("summary", {}, "What you know of the service"),
    el("p", {}, el("label", { for: "root" }, "Its root key: "), root),
    el("p", {}, el("label", { for: "receipts" }, "Receipts that it gave you: "), taken),
    el("p", { class: "small quiet" }, "For the second opinion; choose the evidence file after them."));
  const zone = el("div", { class: "drop" }, el("label", { for: "file" }, "Drop an evidence file here, or choose one: "), file);
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const dropped = event.dataTransfer?.files[0];
    if (dropped) judge(dropped, said, report, known());
  });
  show(signal, el("h1", {}, "Evidence"),
    el("p", {}, "The file is judged in this browser and sent nowhere: its container, the chain of hashes, what was sealed, the orders, every die, and the secret behind the dice. ",
      "The judge is the program's own, rules included; below it stands a second opinion by other code, which has no rules. The same is said by ", el("code", {}, "decklog verify FILE"), "."),
    more, crypto.subtle ? zone : el("p", { class: "problem" }, "This browser gives its cryptography to pages over HTTPS or from this machine only."), said, report);
}

/** @param {File} file @param {HTMLElement} said @param {HTMLElement} report @param {Promise<{root?: string, receipts?: string[]}>} known */
async function judge(file, said, report, known) {
  await Promise.all([byProgram(file, said), bySecond(file, report, await known)]);
}

// The same judge as the command line's, in a worker.
/** @param {File} file @param {HTMLElement} said */
async function byProgram(file, said) {
  const bar = el("progress", { "aria-label": "Progress of the judge" }), word = el("h2", {}, "The judge is loading ...");
  said.replaceChildren(word, bar);
  const progress = (/** @type {string} */ what, /** @type {number} */ done, /** @type {number} */ total) => { bar.max = total || 1; bar.value = done; word.textContent = `Judging: ${what}`; };
  try {
    const answer = await program(new Uint8Array(await file.arrayBuffer()), progress);
    if (answer === null) { said.replaceChildren(el("p", {}, "This service has no judge for the page: what follows is a second opinion only.")); return; }
    const told = answer.slice(answer.indexOf("\n") + 1), { code } = JSON.parse(answer.slice(0, answer.indexOf("\n")));
    const verdict = told.split("\n", 1)[0]; // with what it does not prove, not the bare word
    said.replaceChildren(el("h2", { class: code === 0 ? "good" : "bad" }, verdict), el("pre", { class: "wide", tabindex: "0" }, told));
    announce(verdict);
  } catch (error) {
    said.replaceChildren(el("h2", { class: "bad" }, "NOT JUDGED"), el("p", { class: "problem wide", role: "status" }, `The judge failed: ${/** @type {Error} */ (error).message}`));
  }
}

/** @param {File} file @param {HTMLElement} report @param {{root?: string, receipts?: string[]}} known */
async function bySecond(file, report, known) {
  const checks = el("ul", {});
  const verdict = el("h2", {}, `Judging ${file.name} ...`);
  report.replaceChildren(verdict, checks);
  const passed = (/** @type {string} */ check, /** @type {string} */ text) => checks.append(el("li", {}, el("strong", { class: "good" }, `${check}: `), text));
  try {
    const found = await verify(new Uint8Array(await file.arrayBuffer()), passed, known);
    verdict.textContent = `CONSISTENT, rules not judged; origin ${found.origin}`;
    report.append(el("dl", {}, facts(found)));
  } catch (error) {
    const refuted = error instanceof Refuted;
    verdict.textContent = refuted ? "REFUTED" : error instanceof Unreadable ? "UNREADABLE" : "NOT JUDGED: this script failed";
    verdict.className = "bad";
    report.append(el("p", { class: "problem wide", role: "alert" },
      refuted ? `${error.check}, event ${error.seq}: ${error.message}` : /** @type {Error} */ (error).message));
  }
  announce(verdict.textContent);
}

/** @param {Awaited<ReturnType<typeof verify>>} found */
function facts(found) {
  const { manifest } = found;
  const rows = /** @type {[string, unknown][]} */ ([["Game", manifest.game], ["Rules", `${manifest.rules.ruleset} ${manifest.rules.version}`],
    ["Seen by", manifest.viewer], ["Events", found.events], ["Last hash", manifest.head.hash], ["Grade of the dice", found.grade || "no dice"]]);
  rows.push(...Object.entries(found.bots).map(([seat, { name, strength }]) => /** @type {[string, string]} */ ([`Seat ${seat}`, `played by the bot ${name} of the service (${strength})`])));
  rows.push(["Not judged here", "whether the rules lead from the orders to these events, and so who won"]);
  if (found.unjudged) rows.push(["Not judged here", `${found.unjudged} signatures of orders: this browser has no Ed25519`]);
  if (found.sealed) rows.push(["Still sealed", `${found.sealed} batches`]);
  if (found.seedNamed) rows.push(["Note", "The creator named the seed of the dice, which proves repetition only: an unranked game."]);
  return rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", { class: "wide" }, String(value))]);
}
