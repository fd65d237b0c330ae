// How the pages speak: names before codes, odds in words, time as it runs.

// Units bear an ID behind their name where a sentence must not be mistaken; a player sees which one is meant.
/** @param {string} text */
export function plain(text) { return text.replaceAll(/ \(p\d+-\d+\)/g, ""); }

// "USS Alaska (CB 1)": what fits on a piece.
/** @param {string} name */
export function brief(name) {
  return plain(name).replace(/^(USS|USMC|HMS|HMAS|HMCS|HMNZS|HNLMS|ORP|FS|RN|IJN|KMS|KM|RM|DKM|MN) /, "").replace(/ \([A-Z0-9 ]+\)$/, "").replaceAll('"', "").replace(/^(\S+) \1$/, "$1");
}

/** @param {string} text @param {number} letters */
export function cut(text, letters) { return text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}…` : text; }

// What a button says of a way on: "Pass: no defense now" is "No defense now"; what else stands behind a colon is its title.
/** @param {string} text */
export function short(text) {
  const said = plain(text).replace(/^Pass: /, ""), [first] = said.split(": ");
  const chosen = said.length > 36 ? first : said;
  return chosen.charAt(0).toUpperCase() + chosen.slice(1);
}

/** @param {string | null | undefined} code */
export function words(code) { return String(code ?? "").replaceAll("-", " "); }

/** @param {string} code */
export function sentence(code) { const text = words(code); return text.charAt(0).toUpperCase() + text.slice(1); }

/** @param {number} thousandths */
export function per(thousandths) {
  if (thousandths <= 0) return "0 %";
  if (thousandths >= 1000) return "100 %";
  if (thousandths > 990) return "over 99 %";
  if (thousandths < 10) return "under 1 %";
  return `${Math.round(thousandths / 10)} %`;
}

// [what, how likely] of what an offer with odds may do: the same in short for every game, and results between.
/** @param {any} item @returns {string[][]} */
export function worthWords({ odds, oddsSummary: { hit, destroyed, hopeless } }) {
  if (hopeless) return [["hopeless", ""]];
  if (odds.success) return [["success", per(hit)]];
  const found = [["hit", per(hit)]];
  for (const { outcome, perMille } of odds.outcomes ?? []) {
    if (!["miss", "no-effect", "nothing", "hit", "destroyed", "failure"].includes(outcome) && perMille >= 5) found.push([words(outcome), per(perMille)]);
  }
  if (destroyed) found.push(["destroyed", per(destroyed)]);
  return found;
}

/** The same in a line; "" where an offer has no odds. @param {any} item */
export function worthText(item) { return item?.oddsSummary ? worthWords(item).map((pair) => pair.join(" ").trim()).join(", ") : ""; }

/** @param {string} seat */
export function number(seat) { return Number(/\d+$/.exec(seat)?.[0] ?? 1); }

/** @param {number} milliseconds */
export function left(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
