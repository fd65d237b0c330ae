// An evidence bundle, opened in the browser: a ZIP of stored files, in the one form that it has.

import { hex, sha256 } from "./nwd1.js";

const decoder = new TextDecoder("utf-8", { fatal: true });

export class Unreadable extends Error {}

export async function unpack(bytes) {
  const files = entries(bytes);
  if (!files.has("manifest.json")) throw new Unreadable("manifest.json is missing");
  const manifest = JSON.parse(text(files, "manifest.json"));
  if (manifest.format !== "decklog-evidence" || manifest.v !== 1) throw new Unreadable("the format is not known here");
  const listed = manifest.files.map((file) => file.name);
  const present = [...files.keys()].filter((name) => name !== "manifest.json");
  if (JSON.stringify(listed) !== JSON.stringify(present)) throw new Unreadable("the manifest lists other files than there are");
  for (const file of manifest.files) {
    const found = files.get(file.name);
    const digest = hex(await sha256(found));
    if (found.length !== file.size || digest !== file.sha256) throw new Unreadable(`${file.name} is damaged: its SHA-256 is ${digest}`);
  }
  return { manifest, files };
}

export function text(files, name) {
  const found = files.get(name);
  if (!found) throw new Unreadable(`${name} is missing`);
  return decoder.decode(found);
}

export function lines(files, name) {
  const whole = text(files, name);
  if (whole && !whole.endsWith("\n")) throw new Unreadable(`${name} does not end its last line`);
  return whole.split("\n").slice(0, -1);
}

function entries(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Unreadable("this is no ZIP file of a bundle");
  const count = view.getUint16(end + 10, true), start = view.getUint32(end + 16, true);
  const found = new Map();
  let at = start, expected = 0;
  for (let n = 0; n < count; n += 1) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Unreadable("the ZIP file's list is damaged");
    const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 24, true)];
    const [length, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const header = view.getUint32(at + 42, true);
    const name = decoder.decode(bytes.subarray(at + 46, at + 46 + length));
    if (method !== 0 || extra || comment || header !== expected || found.has(name)) throw new Unreadable(`${name} is not stored as a bundle stores it`);
    if (view.getUint32(header, true) !== 0x04034b50 || view.getUint16(header + 26, true) !== length) throw new Unreadable(`${name} is damaged`);
    const from = header + 30 + length;
    found.set(name, bytes.subarray(from, from + size));
    expected = from + size;
    at += 46 + length;
  }
  if (expected !== start || at !== end) throw new Unreadable("there are bytes between the files");
  return found;
}

// Canonical JSON as it is hashed: keys in order, no spaces, whole numbers.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
