// The rules of the game next to its board: the page of the service, and the glossary.

import { rulesPage } from "./api.js";
import { byId, element } from "./dom.js";
import { gameOf } from "./games.js";
import { glossary } from "./glossary.js";

export class Rulebook {
  constructor() {
    this.game = this.drawn = null;
    byId("rules-open").addEventListener("click", () => this.turn(byId("rulebook").hidden));
  }

  /** The game now on the board. */
  show(game) {
    this.game = game;
    if (!byId("rulebook").hidden) this.draw();
  }

  /** Opens or closes the rules, which hide the panels next to the board while open. */
  turn(open) {
    byId("rulebook").hidden = !open;
    byId("rules-open").setAttribute("aria-pressed", String(open));
    document.querySelector("main").classList.toggle("reading", open);
    if (open) this.draw();
  }

  async draw() {
    const { game } = this;
    if (this.drawn === game) return;
    this.drawn = game;
    const place = byId("rulebook");
    place.replaceChildren(element("p", { textContent: "Reading the rules …" }));
    const page = await rulesPage(game).catch(() => null);
    if (this.game !== game) return;
    if (!page) this.drawn = null;
    const rules = page ? [...page.children] : [element("p", { className: "notice", textContent: `The rules of ${gameOf(game).name} cannot be read now.` })];
    // The page has its own first-level heading; here it is one level below that of the whole page.
    for (const [from, to] of [["h2", "h3"], ["h1", "h2"]]) {
      for (const heading of rules.filter((one) => one.localName === from)) {
        const lower = element(to, {}, ...heading.childNodes);
        rules[rules.indexOf(heading)] = lower;
      }
    }
    place.replaceChildren(...rules, element("h2", { textContent: "Words" }), glossary());
    place.scrollTop = 0;
  }
}
