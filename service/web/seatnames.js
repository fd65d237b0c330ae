// Who sits at a seat. There are no accounts, so that nobody has a name here: one's own seat is "You", a bot's is the house's, and anybody else's is the seat.

/** @typedef {import("./types.js").GameSummary} GameSummary */

const EMPTY = /** @type {Record<string, string>} */ ({ open: "free", invited: "invited" });

/** @param {GameSummary} summary @param {string} seat */
function seatOf(summary, seat) { return summary.seats.find((each) => each.seat === seat); }

/** In short, beside the badge of the seat. @param {GameSummary} summary @param {string} seat @param {string} [mine] the seat that one plays */
export function seatName(summary, seat, mine = "") {
  const its = seatOf(summary, seat), empty = EMPTY[its?.held ?? ""];
  if (seat === mine) return "You";
  return its?.bot ? "House bot" : empty ? `${seat}, ${empty}` : seat;
}

/** Which bot it is, in words; "" of a seat that none plays. @param {GameSummary} summary @param {string} seat */
export function botWords(summary, seat) {
  const its = seatOf(summary, seat);
  return its?.bot ? `${seat}: the bot "${its.bot}" of the service${its.strength === "easy" ? ", which plays easily" : ""}` : "";
}

/** A sentence that names seats, with the names of those that bots play: "House bot (p2) fires", "House bot’s (p2) Akagi". @param {GameSummary} summary @param {string} text */
export function namingBots(summary, text) {
  return text.replaceAll(/(?<![\w-])(p\d+)([’']s)?(?![\w-])/g, (said, seat, of = "") => (seatOf(summary, seat)?.bot ? `House bot${of} (${seat})` : said));
}
