// Wycheproof's figures by the page's own modules under Node: node wycheproof.mjs FILE; how many, and which fail.
import { readFileSync } from "node:fs";
import process from "node:process";
import { able, signedBy } from "../../service/web/ed25519.js";
import { expand, hex, hmac, unhex } from "../../service/web/nwd1.js";

const told = JSON.parse(readFileSync(process.argv[2]));
// WebCrypto takes no key of HMAC without a byte; 32 zeros are the same key.
const key = (text) => unhex(text || "00".repeat(32));

const HOLDS = {
  ed25519: (each) => signedBy(unhex(each.public), unhex(each.message), unhex(each.signature)),
  hmac: async (each) => hex(await hmac(key(each.key), unhex(each.text))).startsWith(each.tag),
  async hkdf(each) {
    const made = await hmac(key(each.salt), unhex(each.ikm));
    const out = await expand(made, unhex(each.info), each.size).catch(() => null);
    return out !== null && hex(out) === each.out;
  },
};

const wrong = [], counted = {};
if (!(await able())) throw new Error("this Node has no Ed25519");
for (const [kind, holds] of Object.entries(HOLDS)) {
  counted[kind] = told[kind].length;
  for (const each of told[kind]) if ((await holds(each)) !== each.holds) wrong.push(`${kind} ${each.test}`);
}
console.log(JSON.stringify({ counted, wrong }));
