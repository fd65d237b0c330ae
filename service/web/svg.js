// Elements of pictures, and the sheet of symbols that all of them use.

const SPACE = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, any>} attributes @param {...any} children */
export function s(name, attributes = {}, ...children) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

let sheet;

// The sheet is set into the page once; every later picture refers to it.
export function art() {
  sheet ??= fetch("/pages/art.svg").then((answer) => answer.text()).then((text) => {
    const whole = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
    whole.setAttribute("class", "sheet-of-art");
    document.body.append(whole);
  });
  return sheet;
}

/** @param {string} id */
export function icon(id, more = "ico") {
  return s("svg", { class: more, "aria-hidden": "true" }, s("use", { href: `#${id}` }));
}

// A seat by number, shape and pattern, before its colour.
/** @param {number} number */
export function badge(number) {
  const made = document.createElement("span");
  made.className = `shape s${number}`;
  const digit = document.createElement("span");
  digit.textContent = String(number);
  made.append(s("svg", { "aria-hidden": "true" }, s("use", { href: `#seat${number}` })), digit);
  return made;
}
