// A key in words, so that two people, or one with two devices, can compare it by reading it out.

/** 256 plain words, one for each byte. */
export const WORDS = [
  "acid acorn actor adult agent album alley amber angle ankle apple april apron arena arrow aunt autumn badge baker banjo barn basil basin beach bean bell bench berry bike birch bird biscuit",
  "blanket boat bone book bottle bowl branch bread brick bridge broom brush bucket butter button cabin cable cake camel candle canoe carpet carrot castle cedar cellar chain chair chalk cheese cherry chess",
  "chimney choir circle circus clay cliff clock cloud clover coat cobra coffee coin collar comet copper coral corn cotton cousin cradle cream cricket crown cup curtain daisy dance deer desert desk dinner",
  "doctor dog dolphin donkey door dragon drawer dress drum duck eagle east echo egg elbow elephant engine evening falcon family farm feather fence ferry fiddle field finger fire flag flute forest fork",
  "fountain fox frog garden garlic gate ghost ginger giraffe glass globe glove goat gold goose grape grass guitar hammer harp hat hazel hedge hill honey horse hotel house hunter ice ink iron",
  "island ivory ivy jacket jam jelly jewel judge juice jungle kettle king kitchen kite knife knot ladder lake lamp lantern laundry leaf lemon letter lion lizard lock lotus lunch magnet mango maple",
  "marble market meadow melon milk mirror monkey moon morning mother mouse museum mushroom music nail needle nest night north novel nurse oak oboe ocean olive onion orange orchard otter oven owl oyster",
  "paint palace panda paper parrot peach pencil pepper piano pigeon pillow pilot pirate planet plum pocket pond potato puppet queen quilt rabbit radio rain ribbon river robin rocket rope rose saddle salt",
].join(" ").split(" ");

const MANY = 8; // words of one key: 64 bits, which nobody finds another key for while somebody waits

/** The words of a key that is to be a seat's: other ones for another game, another seat, another key. @param {string} game @param {string} seat @param {string} publicKey @returns {Promise<string[]>} */
export async function wordsOf(game, seat, publicKey) {
  const text = new TextEncoder().encode(`decklog/pairing ${game} ${seat} ${publicKey}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return [...digest.subarray(0, MANY)].map((byte) => WORDS[byte]);
}
