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

/** Words for screen readers alone. */
export const hidden = (textContent) => element("span", { className: "visually-hidden", textContent });

/**
 * Puts other children into a place; the focus stays on the button that says the same, or goes to the first one.
 * "lost" where the focus was there and nothing is left to take it.
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

/** Notes that every script of the page has arrived; what else did not, `theme.js` has told already. */
export function loaded() {
  const place = byId("loading");
  place.classList.remove("loading");
  const missing = globalThis.marquisMissing;
  if (!missing) place.firstChild.textContent = "A part of the page could not be loaded (theme.js): ";
  else if (missing.length === 0) place.hidden = true;
}

/** Text in which what stands between backticks is code. */
export function prose(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", { textContent: part }) : part));
}

/** Tells screen readers, and nobody else. */
export function say(words) {
  byId("said").textContent = words;
}

export function trouble(error) {
  const place = byId("trouble");
  place.hidden = !error;
  place.textContent = error ? error.message : "";
}

/** Copies a link and says so on the button for a moment. */
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
