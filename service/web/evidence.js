// The evidence page: drop a file, see the verdict. Nothing is sent anywhere.

import { announce, el, show } from "./dom.js";
import { Refuted, Unreadable, verify } from "./verify.js";

export async function evidence(signal) {
  const report = el("section", { "aria-live": "polite", "aria-label": "Verdict" });
  const file = el("input", { type: "file", accept: ".decklog,application/zip", id: "file",
    onchange: () => file.files[0] && judge(file.files[0], report) });
  const zone = el("div", { class: "drop" }, el("label", { for: "file" }, "Drop an evidence file here, or choose one: "), file);
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files[0]) judge(event.dataTransfer.files[0], report);
  });
  show(signal, el("h1", {}, "Evidence"),
    el("p", {}, "The file is judged in this browser and sent nowhere: its container, the chain of hashes, what was sealed, the orders, every die, and the secret behind the dice. ",
      "This is a second opinion without the rules: that the orders lead to these events, and to this winner, is checked by ", el("code", {}, "decklog verify FILE"), "."),
    crypto.subtle ? zone : el("p", { class: "problem" }, "This browser gives its cryptography to pages over HTTPS or from this machine only."), report);
}

async function judge(file, report) {
  const checks = el("ul", {});
  const verdict = el("h2", {}, `Judging ${file.name} ...`);
  report.replaceChildren(verdict, checks);
  const passed = (check, text) => checks.append(el("li", {}, el("strong", { class: "good" }, `${check}: `), text));
  try {
    const found = await verify(new Uint8Array(await file.arrayBuffer()), passed);
    verdict.textContent = "CONSISTENT, rules not judged; origin not proven: the file is unsigned";
    report.append(el("dl", {}, facts(found)));
  } catch (error) {
    const refuted = error instanceof Refuted;
    verdict.textContent = refuted ? "REFUTED" : error instanceof Unreadable ? "UNREADABLE" : "NOT JUDGED: this script failed";
    verdict.className = "bad";
    report.append(el("p", { class: "problem wide", role: "alert" },
      refuted ? `${error.check}, event ${error.seq}: ${error.message}` : error.message));
  }
  announce(verdict.textContent);
}

function facts(found) {
  const { manifest } = found;
  const rows = [["Game", manifest.game], ["Rules", `${manifest.rules.ruleset} ${manifest.rules.version}`],
    ["Seen by", manifest.viewer], ["Events", found.events], ["Last hash", manifest.head.hash], ["Grade of the dice", found.grade || "no dice"]];
  rows.push(["Not judged here", "whether the rules lead from the orders to these events, and so who won"]);
  if (found.sealed) rows.push(["Still sealed", `${found.sealed} batches`]);
  if (found.seedNamed) rows.push(["Note", "The creator named the seed of the dice, which proves repetition only: an unranked game."]);
  return rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", { class: "wide" }, String(value))]);
}
