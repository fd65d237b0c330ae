// The page's own verifier under Node: node second.mjs < LIST, a file's path a line; an answer a line.
import { readFileSync } from "node:fs";
import { Refuted, Unreadable, verify } from "../../service/web/verify.js";

for (const path of readFileSync(0, "utf-8").split("\n").filter(Boolean)) {
  let answer;
  try {
    const { grade, events } = await verify(new Uint8Array(readFileSync(path)));
    answer = { word: "CONSISTENT", grade, events };
  } catch (error) {
    const word = error instanceof Refuted ? "REFUTED" : error instanceof Unreadable ? "UNREADABLE" : "FAILED";
    answer = { word, check: error.check ?? "", seq: error.seq ?? 0, said: String(error.stack) };
  }
  console.log(JSON.stringify(answer));
}
