// Small helpers for the document.

export const byId = (id) => document.getElementById(id);

/** An element with properties and children. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("aria-") || key.startsWith("data-") || key === "role") {
      if (value !== undefined && value !== null) made.setAttribute(key, value);
    } else if (value !== undefined) {
      made[key] = value;
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Text for screen readers only. */
export const hidden = (textContent) => element("span", { className: "visually-hidden", textContent });

/**
 * Replaces the children of an element. The focus stays on the button with the same text, or moves to the first
 * button. Returns "lost" if the focus was inside and no button is left to take it.
 */
export function refill(place, ...children) {
  const focused = document.activeElement;
  const held = place.contains(focused) && focused !== place;
  const said = focused?.textContent;
  place.replaceChildren(...children);
  if (!held) return "elsewhere";
  const buttons = [...place.querySelectorAll("button:enabled")];
  (buttons.find(({ textContent }) => textContent === said) ?? buttons[0])?.focus({ preventScroll: true });
  return buttons.length ? "kept" : "lost";
}

/** Notes that every script of the page has loaded; `theme.js` has already reported other missing files. */
export function loaded() {
  const place = byId("loading");
  place.classList.remove("loading");
  const missing = globalThis.marquisMissing;
  if (!missing) place.firstChild.textContent = "A part of the page could not be loaded (theme.js): ";
  else if (missing.length === 0) place.hidden = true;
}

export const button = (textContent, onclick, className) => element("button", { type: "button", textContent, onclick, className });

/** Shows the visitor's task in the game on the board, above the analysis; nothing without words. */
export function showTask(words, ...buttons) {
  byId("task").hidden = !words;
  byId("task").replaceChildren(element("p", { textContent: words }), element("div", { className: "row" }, ...buttons));
}

/** Text in which parts between backticks become code. */
export function prose(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", { textContent: part }) : part));
}

/** Announces a text to screen readers only. */
export function say(words) {
  byId("said").textContent = words;
}

export function trouble(error) {
  const place = byId("trouble");
  place.hidden = !error;
  place.textContent = error ? error.message : "";
}

/** Brings the board into sight; for another game, with its analysis. */
export function showBoard(isOther) {
  const main = document.querySelector("main");
  if (!isOther) byId("table").scrollIntoView({ block: "nearest" });
  else if (main.getBoundingClientRect().top < 0) main.scrollIntoView();
}

/** Marks a list that has more below; `isNew` starts it at its top. */
export function scrollable(place, isNew) {
  const draw = () => place.classList.toggle("more", place.scrollHeight - place.scrollTop - place.clientHeight > 4);
  if (!place.onscroll) new ResizeObserver(() => place.onscroll()).observe(place);
  place.onscroll = draw;
  if (isNew) place.scrollTop = 0;
  draw();
}

/** Copies a link; the button confirms it for a moment. */
export async function copyLink(button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy the address above";
  }
  setTimeout(() => { button.textContent = label; }, 2000);
}
