// A page's file with receipts in it, under Node: node with_receipts.mjs FILE OUT < TEXTS, a receipt a line; says why not.
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { withReceipts } from "../../service/web/bundle.js";

const [file, out] = process.argv.slice(2), texts = readFileSync(0, "utf-8").split("\n").filter(Boolean);
try {
  writeFileSync(out, await withReceipts(new Uint8Array(readFileSync(file)), texts));
} catch (error) { process.stdout.write(`${error.message}\n`); }
