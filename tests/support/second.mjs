// The page's own verifier under Node: node second.mjs [ROOT [RECEIPT...]] < LIST, a file's path a line; an answer a line.
import { readFileSync } from "node:fs";
import process from "node:process";
import { Refuted, Unreadable, verify } from "../../service/web/verify.js";

if (process.env.WITHOUT_ED25519) { // as an older browser is
  const own = crypto.subtle.importKey.bind(crypto.subtle);
  crypto.subtle.importKey = async (form, key, kind, ...rest) => {
    if (kind.name === "Ed25519") throw new DOMException("no such algorithm", "NotSupportedError");
    return own(form, key, kind, ...rest);
  };
}
const [root, ...taken] = process.argv.slice(2), receipts = taken.map((path) => readFileSync(path, "utf-8"));
for (const path of readFileSync(0, "utf-8").split("\n").filter(Boolean)) {
  let answer;
  try {
    const checks = {}, passed = (check, text) => { checks[check] = text; };
    const { grade, events, origin, unjudged } = await verify(new Uint8Array(readFileSync(path)), passed, { root, receipts });
    answer = { word: "CONSISTENT", grade, events, origin, unjudged, checks };
  } catch (error) {
    const word = error instanceof Refuted ? "REFUTED" : error instanceof Unreadable ? "UNREADABLE" : "FAILED";
    answer = { word, check: error.check ?? "", seq: error.seq ?? 0, said: String(error.stack) };
  }
  console.log(JSON.stringify(answer));
}
