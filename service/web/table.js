// The table: the board, what may be done, what happened; it follows the game as it goes on.

import { ask, follow, get, held, lamp, post } from "./api.js";
import { board, pieceAt } from "./board.js";
import { chances } from "./chances.js";
import { OtherRecord } from "./heads.js";
import { SEED_NAMED, announce, choice, el, scores, show, teams, trouble } from "./dom.js";

export async function table(signal, game) {
  await new Table(signal, game).open();
}

// Lines of the record that are no news for players: they stand at the replay desk.
const BOOKS = ["decklog.batch-rolled"];

class Table {
  constructor(signal, game) {
    this.game = game;
    this.signal = signal;
    this.kept = held()[game] ?? { seats: {}, invitations: {} };
    this.seats = Object.keys(this.kept.seats);
    this.seat = this.seats[0] ?? "";
    this.unit = "";
    this.last = 0;
    this.waiting = false;
    this.picture = el("div", { class: "board", tabindex: 0, role: "region", "aria-label": "Board" });
    this.log = el("ol", { class: "plain" });
    this.told = el("div", { class: "log", tabindex: 0, role: "log", "aria-label": "What happened" }, this.log);
    this.turn = el("p", { class: "turn", "aria-live": "polite", tabindex: -1 });
    this.offer = el("section", { "aria-label": "What you may do" });
    this.said = el("div", {});
    this.clock = el("p", {});
    this.seed = el("p", { class: "aside" });
    this.invited = el("div", {});
  }

  get token() { return this.kept.seats[this.seat] ?? ""; }

  // A what-if game is known to those who hold a token of it only.
  summary() {
    return get(`/v1/games/${this.game}`, { token: this.token || this.kept.organiser || "" });
  }

  async open() {
    const summary = await this.summary();
    const heading = el("h1", {}, summary.name || `${summary.rules.ruleset}, ${summary.scenario}`);
    const who = this.seats.length > 1
      ? choice([...this.seats.map((seat) => [seat, `play ${seat}`]), ["", "look on"]], this.seat,
        { "aria-label": "Seat", onchange: (event) => { this.seat = event.target.value; this.restart(); } })
      : el("span", {}, this.seat ? `You play ${this.seat}.` : "You look on.");
    const larger = el("button", { type: "button", "aria-pressed": "false", onclick: () => {
      const on = this.picture.classList.toggle("large");
      larger.setAttribute("aria-pressed", String(on));
    } }, "Larger board");
    show(this.signal, heading,
      el("div", { class: "controls" }, who, larger, el("a", { href: `#/replay/${this.game}` }, "Replay desk")),
      teams(summary) ? el("p", { class: "teams" }, `${teams(summary)}.`) : "",
      this.invited,
      el("div", { class: "columns" },
        el("div", {}, this.picture),
        el("div", {}, this.turn, this.clock, this.seed, this.said, this.offer, el("h2", {}, "Log"), this.told)));
    this.picture.addEventListener("click", (event) => this.point(pieceAt(event)));
    await this.restart();
  }

  invitations(summary) {
    return summary.seats
      .filter((seat) => seat.held !== "kept" && seat.held !== "taken" && this.kept.invitations?.[seat.seat])
      .map((seat) => {
        const link = `${location.origin}/#/join/${this.game}/${seat.seat}/${this.kept.invitations[seat.seat]}`;
        return el("p", { class: "wide" }, `Invitation to ${seat.seat}: `, el("a", { href: link }, link));
      });
  }

  async restart() {
    this.following?.abort();
    const following = new AbortController();
    this.following = following;
    this.signal.addEventListener("abort", () => following.abort(), { signal: following.signal });
    this.log.replaceChildren();
    this.last = 0;
    await this.refresh();
    this.listen(following.signal);
  }

  async listen(signal) {
    // To the last event, also of a game that is over before anybody looks.
    const whole = () => this.over && this.last >= this.version;
    while (!signal.aborted && !whole()) {
      try {
        await follow(this.game, this.last, this.token, signal, (event) => this.hear(event));
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof OtherRecord) { this.said.replaceChildren(trouble(error)); return; }
        lamp(false);
        this.lost = true;
      }
      if (!whole()) await new Promise((later) => setTimeout(later, 1000));
    }
  }

  hear(event) {
    if (event.seq <= this.last) return;
    this.last = event.seq;
    if (event.text.en && !BOOKS.includes(event.type)) {
      const heading = event.roles.some(({ role }) => role === "turn" || role === "phase");
      this.log.append(el("li", { class: heading ? "heading" : undefined }, event.text.en));
      while (this.log.children.length > 400) this.log.firstChild.remove();
      this.told.scrollTop = this.told.scrollHeight;
    }
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => { this.waiting = false; this.refresh(); }, 60);
  }

  // One after the other: an older answer must never be drawn over a newer one.
  refresh() {
    this.queue = (this.queue ?? Promise.resolve()).then(() => this.once());
    return this.queue;
  }

  async once() {
    try {
      const summary = await this.summary();
      this.over = summary.status === "finished";
      this.version = summary.version;
      if (summary.version !== this.drawn || this.unit !== this.pointed) await this.draw(summary.version);
      this.invited.replaceChildren(...this.invitations(summary));
      this.tell(summary);
      await this.choices(summary);
    } catch (error) { this.said.replaceChildren(trouble(error)); }
  }

  async draw(version) {
    try {
      this.picture.replaceChildren(await board(this.game, { at: version, unit: this.unit, token: this.token }));
      this.drawn = version;
      this.pointed = this.unit;
    } catch (error) {
      if (error.code !== "version.unknown") throw error;
      this.picture.replaceChildren(el("p", {}, "There is no board yet."));
    }
  }

  tell(summary) {
    const asked = summary.toMove.map((question) => question.seat);
    const yours = asked.includes(this.seat);
    this.turn.classList.toggle("yours", yours);
    if (summary.abandoned) this.turn.textContent = `The game is over without a result: ${summary.ruling || "nobody joined it, or nobody played."}`;
    if (summary.paused) this.turn.textContent = `${summary.paused.orders ? "The clocks are stopped." : "The game is frozen."} ${summary.paused.reason}`;
    else if (this.over) {
      const winners = summary.result?.winners?.join(" and ") || "nobody";
      this.turn.textContent = `The game is over: ${summary.result?.reason ?? ""}. ${winners} won. Score: ${scores(summary)}.`;
    } else if (yours) this.turn.textContent = `Your move, ${this.seat}: ${questions(summary, this.seat)}.`;
    else this.turn.textContent = asked.length ? `Waiting for ${[...new Set(asked)].join(", ")}: ${questions(summary, asked[0])}.` : "Waiting for players.";
    this.seed.textContent = summary.seedNamed ? SEED_NAMED : "";
    const due = Object.entries(summary.due);
    this.clock.textContent = due.map(([seat, at]) => `To be answered by ${seat} before ${new Date(at).toLocaleString()}.`).join(" ");
  }

  // Every page of the list, and what ends the phase first. A list of a version that is gone is begun again.
  async offered() {
    const { token } = this;
    const path = `/v1/games/${this.game}/commands?limit=200`;
    for (;;) {
      try {
        const first = await get(path, { token });
        const items = [...first.items];
        for (let { next } = first; next;) {
          const page = await get(`${path}&cursor=${encodeURIComponent(next)}`, { token });
          items.push(...page.items);
          ({ next } = page);
        }
        items.sort((one, other) => ends(other) - ends(one));
        return { ...first, items };
      } catch (error) { if (error.code !== "cursor.stale") throw error; }
    }
  }

  async choices(summary) {
    if (!this.seat || this.over) { this.offer.replaceChildren(); return; }
    const { seat } = this;
    const offer = await this.offered();
    if (seat !== this.seat) return; // The player changed seats meanwhile: the next answer is for that seat.
    // The same offer is left alone: somebody may be writing a command in it.
    const shape = [this.seat, this.unit, offer.version].join(" ");
    if (this.offer.dataset.shape === shape && this.offer.children.length) {
      for (const each of this.offer.querySelectorAll("button")) each.disabled = false;
      return;
    }
    const mine = offer.pending.some((question) => question.seat === this.seat);
    const shown = offer.items.filter((item) => !this.unit || item.unit === this.unit || item.target === this.unit || !offer.items.some((each) => each.unit === this.unit || each.target === this.unit));
    const filtered = this.unit && shown.length < offer.items.length;
    const parts = [];
    if (mine || offer.items.length) parts.push(el("h2", {}, "You may"));
    if (filtered) parts.push(el("p", {}, `For ${this.unit}. `, el("button", { type: "button", onclick: () => this.point("") }, "Show all")));
    parts.push(el("ul", { class: "plain actions" }, shown.map((item) => this.line(item, offer.version))));
    if (offer.concessions?.length) {
      parts.push(el("details", {}, el("summary", {}, "Ways out"), el("ul", { class: "plain actions" }, offer.concessions.map((item) =>
        this.concession(item, offer.version)))));
    }
    parts.push(...offer.templates.map((template) => this.template(template, offer)));
    const keyed = this.keyed || this.offer.contains(document.activeElement);
    this.offer.replaceChildren(...parts);
    this.offer.dataset.version = offer.version;
    this.offer.dataset.shape = shape;
    if (keyed) this.focus();
  }

  // Who gave a command from the list goes on from there: at the next list, or at the line that says whose turn it is.
  focus() {
    this.keyed = false;
    (this.offer.querySelector("button.command") ?? this.turn).focus();
  }

  // What is certain to achieve nothing says so in a word or two, and is asked twice.
  line(item, version) {
    if (!item.pointless) return el("li", {}, this.button(item, version));
    const [why] = item.pointless.split(":");
    const attributes = { class: "command pointless", "data-type": item.command.type, title: item.pointless };
    return this.twice(item, version, attributes, `${item.text} (${why})`, `It is ${item.pointless}. Go on? `);
  }

  button(item, version) {
    const odds = item.odds ? ` (${chances(item.odds)})` : "";
    return el("button", { type: "button", class: "command", "data-type": item.command.type, title: item.rule || undefined,
      onclick: () => this.give(item.command, version) }, item.text + odds);
  }

  // What cannot be taken back is asked twice.
  concession(item, version) {
    return this.twice(item, version, { class: "concession" }, item.text, "Are you sure? ");
  }

  twice(item, version, attributes, label, question) {
    const line = el("li", {});
    const first = el("button", { type: "button", ...attributes, onclick: () => {
      const sure = el("button", { type: "button", class: "sure", onclick: () => this.give(item.command, version) }, `Yes: ${item.text}`);
      const no = el("button", { type: "button", onclick: () => { line.replaceChildren(first); first.focus(); } }, "No, go on");
      line.replaceChildren(el("span", {}, question), sure, " ", no);
      no.focus();
    } }, label);
    line.append(first);
    return line;
  }

  template(template, offer) {
    const example = offer.items.find((item) => item.command.type === template.type)?.command ?? { type: template.type };
    const text = el("textarea", { "aria-label": `Command: ${template.text}`, spellcheck: "false" });
    text.value = JSON.stringify(example, null, 1);
    const answer = el("div", {});
    const read = () => JSON.parse(text.value);
    const check = async () => {
      try {
        await post(`/v1/games/${this.game}/commands/check`, read(), { token: this.token });
        answer.replaceChildren(el("p", { class: "good" }, "That would be accepted."));
      } catch (error) { answer.replaceChildren(trouble(error)); }
    };
    const send = async () => {
      try { await this.give(read(), offer.version); } catch (error) { answer.replaceChildren(trouble(error)); }
    };
    return el("details", {}, el("summary", {}, template.text), text,
      el("div", { class: "controls" }, el("button", { type: "button", onclick: check }, "Check"), el("button", { type: "button", onclick: send }, "Send")),
      answer, el("details", {}, el("summary", {}, "What it may hold"), el("pre", { tabindex: 0 }, JSON.stringify(template.schema, null, 1))),
      this.leftOpen(template.refusals));
  }

  // What the schema cannot say: why a command that fits it may still be refused.
  leftOpen(refusals) {
    if (!refusals.length) return null;
    const told = refusals.map((each) => `${each.code} (${each.rule})`).join(", ");
    return el("p", { class: "aside" }, `It may still be refused: ${told}.`);
  }

  async give(command, version) {
    this.keyed = this.offer.contains(document.activeElement);
    for (const each of this.offer.querySelectorAll("button")) each.disabled = true;
    try {
      await ask(`/v1/games/${this.game}/commands`, { method: "POST", body: command, token: this.token, version });
      this.said.replaceChildren();
      this.unit = "";
    } catch (error) {
      if (error.code === "version.stale") announce("The game had moved on; look again.");
      else this.said.replaceChildren(trouble(error));
    }
    await this.refresh();
    if (this.keyed) this.focus();
  }

  async point(key) {
    this.unit = key.includes(":") ? "" : key;
    await this.refresh();
  }
}

// Whether a command does no more in this step.
function ends(item) {
  return item.command.type.endsWith(".pass") ? 1 : 0;
}

function questions(summary, seat) {
  return [...new Set(summary.toMove.filter((each) => each.seat === seat).map((each) => each.question.replaceAll("-", " ")))].join(", ");
}
