// The service's public log: whether it goes on from the head that was kept of it. Its leaves stand in a tree of hashes
// (RFC 6962), whose parts are files (C2SP tlog-tiles). Both roots are made again out of the same subtrees.

const NOTE = /^([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n\n(?:.+\n)+$/;
const HASH = 32, WIDTH = 256;

/** @typedef {{ log: string, size: number, root: string, text: string }} Checkpoint `root` in base64; `text`: as it is signed */
/** @typedef {[level: number, number: number]} Place a complete subtree: its level, 0 for leaves, and its number there */

/** @param {Checkpoint | null} head */
const told = (head) => head ? `${head.size} leaves of ${head.log} under ${head.root}` : "none";

/** The log does not go on from what it was: keep both heads, and ask why. */
export class OtherLog extends Error {
  /** @param {Checkpoint} kept @param {Checkpoint | null} found null where there is no log any more */
  constructor(kept, found) {
    super(`The public log had ${told(kept)}; now there is ${told(found)}, which does not go on from it.`);
    this.name = "OtherLog";
    this.kept = kept;
    this.found = found;
  }
}

/** A head as the log gives it; null for what is none. @param {string} text @returns {Checkpoint | null} */
export function read(text) {
  const found = NOTE.exec(text);
  return found && { log: found[1], size: Number(found[2]), root: found[3], text };
}

/** Whether no file is needed to see that the two are not of one log. @param {Checkpoint} kept @param {Checkpoint} found */
export function contradict(kept, found) {
  return found.log !== kept.log || found.size < kept.size || (found.size === kept.size && found.root !== kept.root);
}

/** The subtrees out of which both roots are made. @param {number} old @param {number} size @returns {Promise<Place[]>} */
export async function places(old, size) {
  /** @type {Map<string, Place>} */ const found = new Map();
  await roots(old, size, async (level, number) => {
    found.set(`${level}/${number}`, [level, number]);
    return new Uint8Array();
  });
  return [...found.values()];
}

/** Whether the larger tree begins with the smaller one, by the hashes of their subtrees. @param {Checkpoint} kept @param {Checkpoint} found @param {Map<string, Uint8Array>} hashes */
export async function goesOn(kept, found, hashes) {
  const made = await roots(kept.size, found.size, async (level, number) => hashes.get(`${level}/${number}`) ?? new Uint8Array());
  const [one, two] = made.map((root) => btoa(String.fromCharCode(...root)));
  return one === kept.root && two === found.root;
}

/** The file in which a subtree's hashes are in a tree of `size` leaves, and its name when it is full. @param {Place} place @param {number} size */
export function tileOf([level, index], size) {
  const tiled = Math.floor(level / 8);
  let number = Math.floor(index * 2 ** (level % 8) / WIDTH);
  const width = Math.min(WIDTH, Math.floor(size / 2 ** (8 * tiled)) - number * WIDTH);
  const groups = [String(number % 1000).padStart(3, "0")];
  for (; number >= 1000; groups.unshift(`x${String(number % 1000).padStart(3, "0")}`)) number = Math.floor(number / 1000);
  const full = `tile/${tiled}/${groups.join("/")}`;
  return { name: width === WIDTH ? full : `${full}.p/${width}`, full };
}

/** A subtree's hash, made of its part of the file. @param {Place} place @param {Uint8Array} tile */
export async function hashIn([level, index], tile) {
  const count = 2 ** (level % 8), first = index * count % WIDTH;
  const row = Array.from({ length: count }, (_, at) => tile.subarray((first + at) * HASH, (first + at + 1) * HASH));
  while (row.length > 1) for (let at = 0; at < row.length; at += 1) row.splice(at, 2, await joined(row[at], row[at + 1]));
  return row[0];
}

/** @typedef {(level: number, number: number) => Promise<Uint8Array>} Node */

/** @param {number} old @param {number} size @param {Node} node */
async function roots(old, size, node) {
  return [await root(0, old, old, node), await root(0, size, old, node)];
}

/** Of these leaves; what reaches over the old tree's end is made of its own subtrees. @param {number} first @param {number} end @param {number} old @param {Node} node @returns {Promise<Uint8Array>} */
async function root(first, end, old, node) {
  const count = end - first;
  let level = 0;
  while (2 ** level < count) level += 1;
  if (2 ** level === count && (end <= old || first >= old)) return node(level, first / count);
  const middle = first + 2 ** (level - 1);
  return joined(await root(first, middle, old, node), await root(middle, end, old, node));
}

/** @param {Uint8Array} left @param {Uint8Array} right */
async function joined(left, right) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.of(1, ...left, ...right)));
}
