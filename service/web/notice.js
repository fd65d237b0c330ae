// A turn that comes while nobody looks: a notification, and a sound. Both are off until somebody wants them.

import { el } from "./dom.js";

const KEPT = "decklog.notice";
const TONES = [[660, 0], [880, 0.16]]; // hertz, and seconds after the first
const LASTS = 0.14;

/** @returns {{notify?: boolean, sound?: boolean}} */
function wishes() {
  try { return JSON.parse(localStorage.getItem(KEPT) ?? "{}"); } catch { return {}; }
}

/** @param {"notify" | "sound"} name @param {boolean} on */
function keep(name, on) { localStorage.setItem(KEPT, JSON.stringify({ ...wishes(), [name]: on })); }

export class Notice {
  audio = /** @type {AudioContext | null} */ (null);
  yours = /** @type {boolean | null} */ (null); // as it was when looked at last

  /** @param {string} game */
  constructor(game) { this.game = game; }

  // Only a turn that begins is news: not one that was there when the page was opened, nor each order of it.
  /** @param {boolean} yours @param {string} title @param {string} text */
  look(yours, title, text) {
    const begins = yours && this.yours === false;
    this.yours = yours;
    if (!begins) return;
    const { notify, sound } = wishes();
    if (sound) this.ring();
    if (notify && document.hidden && globalThis.Notification?.permission === "granted") this.show(title, text);
  }

  /** @param {string} title @param {string} text */
  show(title, text) {
    const shown = new Notification(title, { body: text, tag: `decklog ${this.game}` });
    shown.onclick = () => { globalThis.focus(); shown.close(); };
  }

  ring() {
    const audio = this.audio ??= new AudioContext();
    audio.resume();
    for (const [pitch, after] of TONES) {
      const tone = audio.createOscillator(), loud = audio.createGain(), at = audio.currentTime + after;
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.12, at);
      loud.gain.exponentialRampToValueAtTime(0.001, at + LASTS);
      tone.connect(loud).connect(audio.destination);
      tone.start(at);
      tone.stop(at + LASTS);
    }
  }

  box() {
    const wish = wishes(), said = el("p", { class: "small", "aria-live": "polite" });
    const sound = el("input", { type: "checkbox", checked: Boolean(wish.sound), onchange: () => { keep("sound", sound.checked); if (sound.checked) this.ring(); } });
    const notify = el("input", { type: "checkbox", checked: Boolean(wish.notify), onchange: async () => {
      const may = !notify.checked || (globalThis.Notification && await Notification.requestPermission() === "granted");
      if (!may) notify.checked = false;
      said.textContent = may ? "" : "This browser does not let the page notify you.";
      keep("notify", notify.checked);
    } });
    return el("details", {}, el("summary", {}, "When it is my turn"), el("label", { class: "inline" }, notify, " notify me while I look elsewhere"), el("label", { class: "inline" }, sound, " ring"), said);
  }
}
