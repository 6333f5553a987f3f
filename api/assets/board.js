// A drawn board for mouse, touch and keyboard. It knows cells and where each leads, but no rules.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const ROOK = "M-.26 .28h.52v-.1h-.06l-.04-.24h.1v-.24h-.12v.09h-.08v-.09h-.12v.09h-.08v-.09h-.12v.24h.1l-.04.24h-.06z";

export function ground({ hexagon, square, wide = square, high = square }) {
  if (hexagon) {
    const half = (Math.sqrt(3) / 2) * hexagon;
    const points = [[0, -1], [half, -.5], [half, .5], [0, 1], [-half, .5], [-half, -.5]];
    return svg("polygon", { class: "ground", points: points.join(" ") });
  }
  return svg("rect", { class: "ground", x: -wide / 2, y: -high / 2, width: wide, height: high });
}

export function drawnPiece({ kind, rook, small, count }) {
  const group = svg("g", { class: `piece ${kind}` });
  if (count) {
    for (let level = Math.min(count, 5) - 1; level > 0; level -= 1) group.append(svg("circle", { cy: .09 * level - .03 * (Math.min(count, 5) - 1), r: .5 }));
    const top = -.03 * (Math.min(count, 5) - 1);
    group.append(svg("circle", { cy: top, r: .5 }));
    if (count > 1) group.append(text(count, 0, top + .18));
    return group;
  }
  group.append(svg("circle", { r: small ? .34 : .56 }));
  if (rook) group.append(svg("path", { class: "glyph", d: ROOK }));
  return group;
}

/** Its text is in the name of its cell. */
function text(content, x, y, css) {
  const element = svg("text", { x, y, class: css, "aria-hidden": "true" });
  element.textContent = content;
  return element;
}

function badge({ kind, sign }, x, y) {
  if (!sign) return svg("g", { class: "badge plain", transform: `translate(${x} ${y})` }, svg("circle", { r: .22 }));
  const width = .24 + .19 * String(sign).length;
  return svg("g", { class: `badge ${kind}`, transform: `translate(${x} ${y})` },
    svg("rect", { x: -width / 2, y: -.22, width, height: .42, rx: .1 }),
    text(sign, 0, .1));
}

/** The layout seen from the other side. */
function turned(layout) {
  const { width, height, cells, paths } = layout;
  const turn = (point) => ({ ...point, x: width - point.x, y: height - point.y });
  return { ...layout, cells: cells.map(turn), paths: paths.map((points) => points.map(turn)) };
}

export class Board {
  /**
   * * `host`: the element that holds the drawing.
   * * `act(id)`: a cell was clicked or entered; `drop(from, to)`: a piece was dragged; `letGo()`: Escape;
   *   `hasPlies()`: whether arrows go through a game.
   */
  constructor(host, handlers) {
    this.host = host;
    this.handlers = handlers;
    Object.assign(this, { current: null, marks: {} });
    host.addEventListener("click", (event) => this.clicked(event));
    host.addEventListener("keydown", (event) => this.pressed(event));
    host.addEventListener("pointerdown", (event) => this.grabbed(event));
    // Browsers ignore `touch-action` inside a drawing: a finger on a piece drags it, and anywhere else scrolls.
    host.addEventListener("touchstart", (event) => this.draggable(event.target) && event.preventDefault(), { passive: false });
    host.addEventListener("pointermove", (event) => this.moved(event));
    host.addEventListener("pointerup", (event) => this.released(event));
    host.addEventListener("pointercancel", () => this.put());
    host.addEventListener("focusin", (event) => this.remember(event.target));
  }

  /**
   * Draws a layout.
   * * `view.marks`: by cell id, `{ mine, from, target, last, chosen, ring, badge, words }`.
   * * `view.advice`: the recommended move, `{ from, to, source }`, cells by id; `view.arrows`: further moves.
   */
  show(layout, view) {
    const { marks = {}, title, editing, dragged, advice, arrows = [] } = view;
    // In `<marquis-board>` the root is a shadow root, and the document knows only its host.
    const { activeElement } = this.host.getRootNode();
    const focused = this.host.contains(activeElement) && activeElement.closest("[data-cell]");
    if (this.flipped) layout = turned(layout);
    Object.assign(this, { layout, marks });
    const inner = svg("svg", {
      viewBox: `0 0 ${layout.width} ${layout.height}`, role: "group", "aria-label": title, "aria-describedby": "board-help",
      class: editing ? "editing" : null,
    });
    for (const points of layout.paths) {
      inner.append(svg("polyline", { class: "path", points: points.map(({ x, y }) => `${x},${y}`).join(" ") }));
    }
    if (!layout.cells.some((cell) => cell.id === this.current)) this.current = null;
    const entry = this.current ?? layout.cells.find((cell) => marks[cell.id]?.mine)?.id ?? layout.cells[0]?.id;
    const shown = layout.cells.filter((cell) => !cell.off || marks[cell.id]?.target || !cell.id.includes("-"));
    for (const cell of shown) inner.append(this.cell(cell, marks[cell.id] ?? {}, cell.id === entry));
    inner.append(...[advice, ...arrows].flatMap((move) => this.arrow(move)));
    // Marks are drawn above all cells, so that no neighbour covers them.
    for (const cell of shown) {
      const mark = marks[cell.id];
      if (mark?.badge) {
        const at = svg("g", { transform: `translate(${cell.x} ${cell.y})` });
        // Next to the number of a stack, above any other piece.
        at.append(badge(mark.badge, cell.piece?.count ? .45 : 0, cell.piece ? -.55 : 0));
        inner.append(at);
      }
    }
    this.host.classList.toggle("tall", Boolean(layout.tall));
    this.host.replaceChildren(inner);
    if (focused) this.focus(this.current ?? focused.dataset.cell);
    if (dragged) this.host.querySelector(`[data-cell="${dragged}"] .piece`)?.classList.add("dragged");
  }

  cell(cell, mark, entry) {
    const state = ["mine", "from", "to", "target", "last", "chosen"].filter((name) => mark[name]);
    const classes = ["cell", ...state, cell.special && "special", cell.off && "off"].filter(Boolean).join(" ");
    const words = [cell.id.startsWith("off") ? null : cell.id, cell.name || "empty", mark.words].filter(Boolean).join(", ");
    const group = svg("g", {
      class: classes, "data-cell": cell.id, transform: `translate(${cell.x} ${cell.y})`,
      role: "button", tabindex: entry ? 0 : -1, "aria-label": words, "aria-pressed": mark.from ? "true" : null,
    }, ground(cell.shape));
    const low = cell.shape.hexagon ? .86 : .74;
    const lift = cell.shape.hexagon ? -.06 : -.13;
    if (!cell.off) group.append(text(`${cell.id} `, 0, low, "label"));
    else if (!cell.id.includes("-")) group.append(text("off", 0, low, "label"));
    if (cell.mark) group.append(text(cell.mark, .52, -.42, "mark"));
    if (cell.piece) {
      const piece = drawnPiece(cell.piece);
      piece.setAttribute("transform", `translate(0 ${lift})`);
      group.append(piece);
    }
    if (mark.ring) group.append(svg("circle", { class: `ring ${mark.ring}`, r: cell.shape.hexagon ? .66 : .62, cy: lift }));
    return group;
  }

  /** An arrow along a move, ending short of the centres of its cells. */
  arrow(advice) {
    const at = (id) => this.layout.cells.find((cell) => cell.id === id);
    const [from, to] = [at(advice?.from), at(advice?.to)];
    if (!from || !to || from === to) return [];
    const far = Math.hypot(to.x - from.x, to.y - from.y);
    const [dx, dy] = [(to.x - from.x) / far, (to.y - from.y) / far];
    const end = { x: to.x - .3 * dx, y: to.y - .3 * dy };
    const corner = (side) => `${end.x - .3 * dx - .17 * side * dy},${end.y - .3 * dy + .17 * side * dx}`;
    return [
      svg("line", { class: `advice ${advice.source}`, x1: from.x + .3 * dx, y1: from.y + .3 * dy, x2: end.x - .25 * dx, y2: end.y - .25 * dy }),
      svg("polygon", { class: "advice-head", points: `${end.x},${end.y} ${corner(1)} ${corner(-1)}` }),
    ];
  }

  /** * `id`: a cell; without it, the cell that last had the focus. */
  focus(id = this.current) {
    const target = this.host.querySelector(id ? `[data-cell="${id}"]` : '[tabindex="0"]');
    if (!target) return;
    for (const other of this.host.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    target.setAttribute("tabindex", "0");
    target.focus({ preventScroll: false });
  }

  /** In a game with plies, arrows move the cursor only if the keyboard brought it to the board. */
  remember(target) {
    const id = target.closest("[data-cell]")?.dataset.cell;
    if (id) this.current = id;
    this.steered = target.matches(":focus-visible");
  }

  /** Turns the board by half a circle, from the next drawing on. */
  flip() {
    this.flipped = !this.flipped;
  }

  clicked(event) {
    const id = event.target.closest("[data-cell]")?.dataset.cell;
    if (this.swallow) {
      this.swallow = false;
      return;
    }
    if (id) {
      this.current = id;
      this.handlers.act(id);
    }
  }

  pressed(event) {
    const id = event.target.closest("[data-cell]")?.dataset.cell;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Escape") this.handlers.letGo();
    else if (id && (event.key === "Enter" || event.key === " ")) this.handlers.act(id);
    else if (id && ways[event.key] && (this.steered || !this.handlers.hasPlies?.())) this.focus(this.neighbour(id, ways[event.key]) ?? id);
    else if (this.handlers.key?.(event.key, id) !== true) return;
    event.preventDefault();
  }

  /** The nearest cell in a direction; cells straight ahead come first. */
  neighbour(id, [dx, dy]) {
    const from = this.layout.cells.find((cell) => cell.id === id);
    let best = null;
    for (const cell of this.layout.cells) {
      if (!this.host.querySelector(`[data-cell="${cell.id}"]`)) continue;
      const [x, y] = [cell.x - from.x, cell.y - from.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead < .3 || aside > 1.2 * ahead) continue;
      const far = ahead + 2 * aside + (x < 0 ? .01 : 0);
      if (!best || far < best.far) best = { id: cell.id, far };
    }
    return best?.id;
  }

  /** The cell of a draggable piece. */
  draggable(target) {
    const cell = target.closest("[data-cell]");
    return this.marks[cell?.dataset.cell]?.mine ? cell : null;
  }

  grabbed(event) {
    this.swallow = false;
    const cell = this.draggable(event.target);
    if (event.button !== 0 || !cell) return;
    this.drag = { id: cell.dataset.cell, x: event.clientX, y: event.clientY, pointer: event.pointerId, moving: false };
    this.host.setPointerCapture?.(event.pointerId);
  }

  moved(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.moving && Math.hypot(dx, dy) < 8) return;
    if (!drag.moving) {
      drag.moving = true;
      this.handlers.take(drag.id);
    }
    const inner = this.host.querySelector("svg");
    const group = this.host.querySelector(`[data-cell="${drag.id}"]`);
    const piece = group?.querySelector(".piece");
    if (!piece) return;
    const scale = this.layout.width / (inner.getScreenCTM()?.a * this.layout.width || 1);
    // Last in its parent, so that it is drawn above the other cells.
    if (group.nextSibling) group.parentNode.append(group);
    piece.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
    piece.classList.add("dragged");
  }

  released(event) {
    const { drag } = this;
    this.put();
    if (!drag) return;
    if (this.host.hasPointerCapture?.(event.pointerId)) this.host.releasePointerCapture(event.pointerId);
    const under = this.host.getRootNode().elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell]")?.dataset.cell;
    if (drag.moving) {
      this.handlers.drop(drag.id, under);
    } else {
      this.current = drag.id;
      this.handlers.act(drag.id);
    }
    // Swallows the click that may follow.
    this.swallow = true;
    setTimeout(() => { this.swallow = false; }, 50);
  }

  put() {
    this.drag = null;
  }
}
