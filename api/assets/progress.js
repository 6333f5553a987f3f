// The progress of the visitor, kept in this browser: for each game a level, results, and the streak.

/** Where the results are stored. */
const KEY = "puzzles";
/** The level of a visitor who has solved nothing yet. */
const FIRST_LEVEL = 3;
/** The scale of levels, and one more for set-ups that no level wins. */
const [LOWEST, HIGHEST] = [1, 9];
/** A set-up this many levels higher is solved once in eleven times. */
const TENFOLD = 2;
/** The largest and the smallest change of the level by one result. */
const [FIRST_STEP, LAST_STEP] = [1.5, 0.3];

const NOTHING = { level: FIRST_LEVEL, streak: 0, best: 0, results: {} };

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    // No storage, or a damaged one.
    return {};
  }
}

/** The results of a game: `{ level, streak, best, results }`; `results` says by name whether a puzzle was solved. */
export const progressOf = (game) => ({ ...NOTHING, ...stored()[game] });

/** The level after a result. Each result counts less than the one before. */
function levelAfter({ level, results }, rating, solved) {
  const expected = 1 / (1 + 10 ** ((rating - level) / TENFOLD));
  const step = Math.max(LAST_STEP, FIRST_STEP / (1 + Object.keys(results).length / 2));
  return Math.min(HIGHEST, Math.max(LOWEST, level + step * ((solved ? 1 : 0) - expected)));
}

/** Notes the first result of a puzzle; later ones change whether it is solved, and nothing else. */
export function note(game, { name, rating }, solved) {
  const before = progressOf(game);
  const isFirst = !(name in before.results);
  const streak = !isFirst ? before.streak : solved ? before.streak + 1 : 0;
  const after = {
    level: isFirst ? levelAfter(before, rating, solved) : before.level,
    streak,
    best: Math.max(before.best, streak),
    results: { ...before.results, [name]: solved || before.results[name] === true },
  };
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), [game]: after }));
  } catch {
    // Without storage the result is forgotten.
  }
  return after;
}

/** The next puzzle: not tried yet, else not solved yet, with a rating nearest to the level; null if all are solved. */
export function nextOf(game, puzzles, current) {
  const { level, results } = progressOf(game);
  const others = puzzles.filter(({ name }) => name !== current);
  const left = [others.filter(({ name }) => !(name in results)), others.filter(({ name }) => results[name] === false)];
  const candidates = left.find((some) => some.length) ?? [];
  const distance = ({ rating }) => Math.abs(rating - level);
  return candidates.toSorted((one, other) => distance(one) - distance(other))[0] ?? null;
}

/** The puzzle of a day, the same for all visitors. */
export function dailyOf(puzzles, day = Math.floor(Date.now() / 86_400_000)) {
  // Neighbouring days have puzzles of different difficulty.
  return puzzles[(day * 7919) % puzzles.length];
}

/** The level and the streak as text. */
export function progressWords(game, puzzles) {
  const { level, streak, best, results } = progressOf(game);
  const tried = Object.keys(results).length;
  if (!tried) return `${puzzles.length} puzzles, from easy to hard.`;
  const solved = puzzles.filter(({ name }) => results[name]).length;
  const row = streak > 1 ? ` · ${streak} in a row` : "";
  return `Your level: ${level.toFixed(1)} · ${solved} of ${puzzles.length} solved${row}${best > 1 ? ` (best ${best})` : ""}`;
}
