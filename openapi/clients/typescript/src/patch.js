// A state, patched by the difference between two versions (`getDiff`).

/** @typedef {{ path: string, kind: string, after?: unknown }} Change */

/**
 * Another state: the changes made in order. The one that is given stays as it is, and what did not change is in both:
 * write into neither. Throws RangeError where the state has no such place: then read the view anew.
 * @template T
 * @param {T} state
 * @param {Iterable<Change>} changes
 * @returns {T}
 */
export function patched(state, changes) {
  /** @type {any} */ const root = { "": state };
  const own = new Set([root]);
  for (const change of changes) {
    const way = change.path.split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = /** @type {string} */ (way.pop());
    const place = way.reduce((within, step) => opened(within, step, own), root);
    put(place, last, change);
  }
  return root[""];
}

/** What lies there, to be written: a copy, once for all changes. @param {any} place @param {string} step @param {Set<any>} own */
function opened(place, step, own) {
  const found = inside(place, step);
  if (typeof found !== "object" || found === null || own.has(found)) return found;
  const copy = Array.isArray(found) ? [...found] : { ...found };
  own.add(copy);
  place[step] = copy;
  return copy;
}

/** @param {any} place @param {string} step */
function inside(place, step) {
  if (typeof place !== "object" || place === null || !Object.hasOwn(place, step)) throw new RangeError(`the state has no place "${step}"`);
  return place[step];
}

/** @param {any} place @param {string} step @param {Change} change */
function put(place, step, change) {
  if (change.kind !== "added") inside(place, step);
  const listed = Array.isArray(place), { after } = change;
  if (change.kind === "changed") place[step] = after;
  else if (change.kind === "removed") { if (listed) place.splice(Number(step), 1); else delete place[step]; }
  else if (listed) place.splice(Number(step), 0, after);
  else Object.defineProperty(place, step, { value: after, configurable: true, enumerable: true, writable: true });
}
