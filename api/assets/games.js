// The page's own data about each game, one entry each. A game without an entry is drawn as rows
// of hexagons for White and Black.

const USUAL = {
  /** The players by letter, the first to move first. */
  players: { w: "White", b: "Black" },
  /** The layout of its positions: a name in `layouts.js`. */
  layout: "hexagons",
  /** Whether pieces are drawn as rooks. */
  rooks: false,
  /** Start positions by name, if the game has no fixed start. */
  setUps: null,
  /** Whether the player to move throws first. */
  throws: false,
  /** Milliseconds of search for an unknown position when it is first shown. */
  budget: 1000,
};

const ROOKS = {
  rooks: true,
  setUps: [
    ["Small, side 3", "w1w/4/1ooo1/4/b1b w 0-0 2"],
    ["Full game, side 5", "w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10"],
  ],
};

const GAMES = {
  squish: { name: "Squish" },
  flowish: { name: "Flowish" },
  swish: { name: "Swish", ...ROOKS },
  squeeze: { name: "Squeeze", ...ROOKS },
  squinch: { name: "Squinch", layout: "stacks", players: { r: "Red", w: "White" } },
  senet: { name: "Senet", layout: "track", players: { b: "Black", w: "White" }, throws: true, budget: 8000 },
};

/** The entry of a game by its id. */
export const gameOf = (id) => ({ name: id, ...USUAL, ...GAMES[id] });
