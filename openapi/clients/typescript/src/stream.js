// A stream of server-sent events, cut into what it tells, and taken up again where it broke.

const OWN = ["moment", "offers", "table"];

/** @typedef {{ id: string, type: string, data: string }} Frame */
/** @typedef {{ kind: "event", data: any } | { kind: "moment", data: any } | { kind: "offers", data: any } | { kind: "table", data: any }} News */

/** Text in pieces of any size, cut into frames. */
export class Frames {
  #decoder = new TextDecoder();
  #rest = "";
  /** @type {Record<string, string[]>} */ #fields = {};

  /** @param {Uint8Array} piece @returns {Generator<Frame>} */
  *feed(piece) {
    const lines = (this.#rest + this.#decoder.decode(piece, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const text = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (text === "") {
        const { id = [""], event = ["message"], data } = this.#fields;
        this.#fields = {};
        if (data) yield { id: id.join("\n"), type: event.join("\n"), data: data.join("\n") };
      } else if (!text.startsWith(":")) {
        const [name] = text.split(":", 1);
        const value = text.slice(name.length + 1);
        (this.#fields[name] ??= []).push(value.startsWith(" ") ? value.slice(1) : value);
      }
    }
  }
}

/** What frames tell to a reader who has had the events up to `after`. */
export class Reader {
  #frames = new Frames();

  /** @param {number} after */
  constructor(after) {
    this.after = after;
  }

  /** A line was taken up again. */
  anew() {
    this.#frames = new Frames();
  }

  /** @param {Uint8Array} piece @returns {Generator<News>} */
  *feed(piece) {
    for (const { id, type, data } of this.#frames.feed(piece)) {
      if (OWN.includes(type)) yield { kind: /** @type {"moment"} */ (type), data: JSON.parse(data) };
      else if (/^[0-9]+$/.test(id) && Number(id) > this.after) {
        this.after = Number(id);
        yield { kind: "event", data: JSON.parse(data) };
      }
    }
  }
}
