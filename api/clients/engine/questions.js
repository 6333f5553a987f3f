// The questions that an engine answers, under the names of the client's calls.

/** A question as the engine reads it: every value is a text. */
function question(values) {
  const said = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  const text = (value) => (Array.isArray(value) ? value.join(" ") : String(value));
  return JSON.stringify(Object.fromEntries(said.map(([name, value]) => [name, text(value)])));
}

/**
 * The questions. A subclass has `answer(call, values, tell)`, which resolves to the answer of that call; `tell`, if the
 * call has events, receives the name and the JSON text of each.
 */
export class Questions {
  /** The value of a position and of its moves, by a search within the budget. */
  async ask(game, position, options = {}) {
    return this.answer("ask", [question({ game, position, ...options })]);
  }

  /** The move of a player of a level from 1 to 8, under `chosen` in the answer. */
  choose(game, position, level, options = {}) {
    return this.ask(game, position, { level, ...options });
  }

  /** The legal moves, without a search. */
  async moves(game, position, options = {}) {
    return this.answer("moves", [question({ game, position, ...options })]);
  }

  /** The review of a record; `tell` receives `move` and each reviewed move. */
  review(game, record, options = {}, tell = () => {}) {
    return this.#long("review", { game, record, ...options }, tell);
  }

  /** The winner of a set-up of Swish or Squeeze for each colour; `tell` receives the progress. */
  balance(game, board, options = {}, tell = () => {}) {
    return this.#long("balance", { game, board, ...options }, tell);
  }

  async #long(call, question, tell) {
    return this.answer(call, [JSON.stringify(question)], (event, said) => tell(event, JSON.parse(said)));
  }

  /** The game of a record, move by move with every position. */
  async readRecord(game, record) {
    return this.answer("record", [game, record]);
  }
}
