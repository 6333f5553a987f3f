// The latest balances in this browser, for links to set-ups that the service no longer knows.

const KEY = "balances";
/** The maximum number of balances kept; each takes a few kilobytes. */
const KEPT = 40;

/** How much a balance says: 0 nothing, 1 a search without a verdict, 2 a verdict, 3 a verdict with its difficulty. */
export function depthOf(balance) {
  if (!balance) return 0;
  const { balanced, difficulty } = balance;
  if (balanced === null) return difficulty.nodes > 0 ? 1 : 0;
  return (balanced ? difficulty.keeping_moves : difficulty.rating) !== null ? 3 : 2;
}

const nameOf = (game, { board, pie, bait = 0, target = "" }) => [game, board, pie, bait, target].join(" ");

/** The kept balances by set-up, the latest last. */
function kept() {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  } catch {
    // No storage, or another version wrote it.
    return new Map();
  }
}

/** The latest balance of a set-up in this browser. */
export const recalled = (game, setup) => kept().get(nameOf(game, setup));

/** Keeps a balance, unless a better one is kept. */
export function remember(game, setup, balance) {
  const all = kept();
  const name = nameOf(game, setup);
  if (depthOf(balance) === 0 || depthOf(balance) < depthOf(all.get(name))) return;
  all.delete(name);
  all.set(name, balance);
  try {
    localStorage.setItem(KEY, JSON.stringify([...all].slice(-KEPT)));
  } catch {
    // Without storage the service alone remembers.
  }
}
