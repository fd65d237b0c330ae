// What else an order could have been, why another was not possible, and how a rule may be read otherwise.

import { get, pages, post } from "./api.js";
import { vain, worth } from "./choices.js";
import { choice, el, trouble } from "./dom.js";
import { plain, words, worthText } from "./words.js";

/** @typedef {import("./types.js").ReadyCommand} Offer */
/** @typedef {{key: string, name: string, seat: string}} Named */
/**
 * Of an order that was given: who gave it, the version before it, and the unit that it was about.
 * @typedef {{game: string, ruleset: string, token: string, seat: string, at: number, unit: string, units: Named[]}} Order
 */

const TOLD = 8; // orders that are told at once, the best ones
const AIMED = new Set(["target", "place"]);

/** What the seat could order instead, and a question why it could not order something else. @param {Order} order */
export async function whyNot(order) {
  const { game, token, seat, at } = order;
  const query = new URLSearchParams({ at: String(at), as: seat, limit: "200" });
  /** @type {Offer[]} */
  const offers = await pages(`/v1/games/${game}/commands?${query}`, { token });
  if (!offers.length) return [el("p", {}, `${seat} had nothing to choose from.`)];
  return [...open(offers, order), ...question(offers, order)];
}

/** @param {Offer[]} offers @param {Order} order */
function open(offers, { seat, unit }) {
  const own = (/** @type {Offer} */ offer) => Number(unit !== "" && offer.unit === unit);
  const best = [...offers].sort((one, other) => own(other) - own(one) || worth(other) - worth(one)).slice(0, TOLD);
  const rest = offers.length - best.length;
  return [el("h3", { class: "label" }, `Open to ${seat}`), el("ul", { class: "open" }, best.map((offer) => el("li", {}, plain(offer.text), el("span", { class: "small quiet" }, ` ${value(offer)}`)))),
    rest ? el("p", { class: "small quiet" }, `and ${rest} more`) : null].filter((each) => each !== null);
}

/** @param {Offer} offer */
function value(offer) {
  const none = vain(offer);
  if (none) return `${none.word}: ${none.why}`;
  return worthText(offer);
}

/** "Why not the Naka at USS Laffey?": asked of the rules, of what the seat saw. @param {Offer[]} offers @param {Order} order */
function question(offers, order) {
  const models = offers.filter((offer) => offer.unit && aim(offer));
  const [first] = models;
  if (!first) return [];
  const own = order.units.filter(({ seat }) => seat === order.seat);
  const who = choice(own.map(({ key, name }) => [key, plain(name)]), own.some(({ key }) => key === order.unit) ? order.unit : first.unit, { "aria-label": "Unit" });
  const whom = choice(aims(models, order), "", { "aria-label": "Target or place" });
  const said = el("div", { "aria-live": "polite" });
  const put = async () => {
    const model = likest(models, who.value, whom.value);
    const wanted = who.selectedOptions[0]?.textContent, at = whom.selectedOptions[0]?.textContent;
    const command = reworded(model, who.value, whom.value), other = who.value !== model.unit || whom.value !== aim(model)?.key;
    const same = other && JSON.stringify(command) === JSON.stringify(model.command);
    said.replaceChildren(el("p", {}, el("b", {}, `${wanted}, ${at}: `), el("span", { class: "small quiet" }, `asked like "${plain(model.text)}"`)), ...(same ? [el("p", {}, "That cannot be asked like an order that was open.")] : await answer(command, order)));
  };
  return [el("h3", { class: "label" }, "Why not"), el("form", { class: "row whether", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); put(); } }, who, whom, el("button", { type: "submit", class: "btn" }, "Why not?")), said];
}

/** @param {Offer} offer */
function aim(offer) { return offer.parts.findLast(({ role }) => AIMED.has(role)); }

/** Whom and where: the units of others where something is aimed at, and every place that some order names. @param {Offer[]} models @param {Order} order */
function aims(models, { seat, units }) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const parts = models.map(aim).filter((part) => part !== undefined);
  if (parts.some(({ role }) => role === "target")) for (const unit of units) if (unit.seat !== seat) found.set(unit.key, plain(unit.name));
  for (const { key, text } of parts) if (!found.has(key)) found.set(key, text || key);
  return [...found];
}

/** @param {Offer[]} models @param {string} who @param {string} whom */
function likest(models, who, whom) {
  const like = (/** @type {Offer} */ offer) => 2 * Number(offer.unit === who) + Number(aim(offer)?.key === whom);
  return models.reduce((best, each) => (like(each) > like(best) ? each : best));
}

/** The order with another unit and another target, and all else as it was. @param {Offer} model @param {string} who @param {string} whom */
export function reworded(model, who, whom) {
  const at = bare(aim(model)?.key ?? ""), to = bare(whom);
  return JSON.parse(JSON.stringify(model.command), (_, each) => (each === model.unit ? who : each === at ? to : each));
}

// A sector and a card have their kind before them as parts, and none in a command.
/** @param {string} key */
function bare(key) { return key.replace(/^(sector|card):/, ""); }

/** @param {unknown} command @param {Order} order */
async function answer(command, { game, ruleset, token, seat, at }) {
  try {
    const told = await post("/v1/odds", { game, command, at, viewer: seat }, { token });
    return [el("p", { class: "good" }, `It was possible: ${plain(told.text)} ${worthText(told)}`)];
  } catch (error) {
    const { code, rule, hint } = /** @type {import("./wire.js").Problem} */ (error);
    if (code === "odds.none") return [el("p", { class: "good" }, "It was possible, and asks for no dice.")];
    if (!rule) return [trouble(error)];
    return [el("p", { class: "bad" }, plain(hint || words(code))), await inPlace(ruleset, rule)];
  }
}

/** A rule's text where it is asked for. @param {string} ruleset @param {string} id */
async function inPlace(ruleset, id) {
  /** @type {import("./types.js").RuleText | null} */
  const rule = await get(`/v1/rulesets/${ruleset}/rules/${id}`).catch(() => null);
  return rule ? entry(rule) : el("p", {}, id);
}

/** @param {{id: string, title: string, text: string}} rule @param {...(Node | null)} more */
function entry({ id, title, text }, ...more) {
  return el("dl", { class: "rules" }, el("dt", {}, title, " ", el("span", { class: "tag" }, id)), el("dd", {}, text, ...more));
}

/**
 * The rulings that touch the rules of an event, and what the games may agree on instead.
 * @param {{ruleset: string, rules: {id: string}[], agreed: Record<string, unknown>}} asked
 */
export async function otherReadings({ ruleset, rules, agreed }) {
  /** @type {[import("./types.js").RulesetDetail, import("./types.js").RuleText[]]} */
  const [detail, texts] = await Promise.all([get(`/v1/rulesets/${ruleset}`), Promise.all(rules.map(({ id }) => get(`/v1/rulesets/${ruleset}/rules/${id}`)))]);
  const told = new Map(texts.map((text) => [text.id, text])), touched = new Set(texts.flatMap(({ rulings }) => rulings));
  for (const id of touched) if (!told.has(id)) told.set(id, await get(`/v1/rulesets/${ruleset}/rules/${id}`));
  const options = optionsOf(detail), found = [...told.values()].filter(({ id, kind }) => kind === "ruling" || options.some(({ rule }) => rule === id));
  if (!found.length) return [el("p", {}, "The rules of this event leave nothing open: there is no other reading of them.")];
  return found.map((rule) => entry(rule, ...options.filter((each) => each.rule === rule.id).map((option) => reading(option, agreed))));
}

/** @typedef {{name: string, rule: string, about: string, values: unknown[]}} Option */

/** @param {import("./types.js").RulesetDetail} detail @returns {Option[]} */
function optionsOf({ options }) {
  const schema = /** @type {Record<string, any>} */ (options);
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const of = { ...schema.$defs?.[given.$ref?.split("/").at(-1)], ...given };
    return { name, rule: of["x-rule"] ?? "", about: of.description ?? "", values: of.enum ?? (of.type === "boolean" ? [false, true] : []) };
  });
}

/** @param {Option} option @param {Record<string, unknown>} agreed */
function reading({ name, about, values }, agreed) {
  const others = values.filter((each) => each !== agreed[name]).slice(0, 3).map((each) => `${name}=${each}`);
  return el("p", { class: "reading" }, el("b", {}, `This game was played with ${name}=${agreed[name]}. `), about.replaceAll("`", ""),
    others.length ? el("span", { class: "small quiet" }, " The whole game by the other reading: ", others.map((each) => el("code", {}, `decklog impact installed FILE --option ${each} `))) : null);
}
