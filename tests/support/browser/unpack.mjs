// Unpacks what the package carries: node unpack.mjs FOLDER
import { chmodSync, createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const packed = new URL("./node_modules/@sparticuz/chromium/bin/", import.meta.url);
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
for (const name of ["chromium", "al2023.tar", "swiftshader.tar", "fonts.tar"]) {
  const from = createReadStream(new URL(`${name}.br`, packed));
  await pipeline(from, createBrotliDecompress(), createWriteStream(`${folder}/${name}`));
}
chmodSync(`${folder}/chromium`, 0o755);
