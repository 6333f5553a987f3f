/** For the player to move, or for the player who makes a move. */
export type Value = "win" | "draw" | "loss" | "unknown";

/** Chances of the player to move; they sum to one. */
export interface Wdl {
  win: number;
  draw: number;
  loss: number;
}

/** What is known of a position or move. */
export interface Verdict {
  value: Value;
  plies: number | null;
  bounds: [Value, Value];
  proof: string;
  estimate?: number;
  wdl?: Wdl;
  source?: "exact" | "estimate";
}

/** A move, and what it is worth to the player who makes it. */
export interface Move extends Verdict {
  move: string;
  position: string;
  delta: number | null;
}

/** The answer about a position of a game without throws; moves are best first. Senet has `chance` and `throws`. */
export interface Answer extends Verdict {
  game: string;
  position: string;
  turn: string;
  over: string | null;
  moves: Move[];
  depth?: number;
  nodes?: number;
  pv?: string[];
  ended?: string;
  chosen?: { move: string; throw?: number; position: string };
  [more: string]: unknown;
}

/** A position, and the moves that the rules allow there. */
export interface Legal {
  game: string;
  position: string;
  turn: string;
  over: string | null;
  moves: { throw?: number; move: string; position: string }[];
  /** Asked with `from`: why the piece there cannot move, or not to `to`; null where it can. */
  why_not: string | null;
}

/** A game, as programs are told of it. */
export interface Game {
  id: string;
  variants: string;
  grammar: string;
  players: { letter: string; colour: string }[];
  throws: boolean;
  set_ups: boolean;
  immobile: boolean;
  rules: string;
  starts: { name: string; position: string; usual: boolean; cells: string[][] }[];
}

/** Work that goes on after its request. */
export interface Job {
  id: string;
  kind: "balance" | "review" | "design" | "solve" | "generate";
  state: "queued" | "running" | "done" | "cancelled" | "failed";
  progress: { state: string; phase: string | null; nodes: number; seconds: number };
  result: Record<string, unknown> | null;
  problem: Problem | null;
  /** What it is cancelled with; told to who asked for it alone. */
  token?: string;
  [more: string]: unknown;
}

/** A problem document of RFC 9457; `place`, `expected` and `found` name what is wrong with a question. */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  place?: string;
  expected?: string;
  found?: string;
}

/** A loaded table. */
export interface Table {
  game: string;
  variant: string;
  layer: string;
  file: string;
  /** Where its folder lies, if not on the machine of the service. */
  address?: string;
  positions: number;
  bytes: number;
  checksum: string;
  [more: string]: unknown;
}

/** How a position is asked about. */
export interface Question {
  budget_ms?: number;
  play?: string[];
  throw?: number;
  line?: boolean;
  immobile?: "loss" | "pass";
}

/** How a set-up is asked about; `patience` in milliseconds. */
export interface SetUp {
  bait?: number;
  pie?: "marquisian" | "bait";
  target?: number;
  immobile?: "loss" | "pass";
  both?: boolean;
  patience?: number;
}

/** What holds for every job; `patience` in milliseconds, after which it is cancelled. */
export interface Work {
  patience?: number;
  /** Milliseconds that it may work; its waiting for turns is not counted. */
  limit_ms?: number;
  /** Whether it goes on when nobody asks about it any more. */
  go_on?: boolean;
}

/** How a position is solved. */
export interface Solve extends Work {
  play?: string[];
  throw?: number;
  immobile?: "loss" | "pass";
  nodes?: number;
}

/** What kind of set-ups is looked for, and how. */
export interface Design extends Work {
  side?: number;
  rooks?: number;
  beads?: number;
  layout?: "random" | "point-symmetric";
  pie?: "marquisian" | "bait";
  seed?: number;
  tries?: number;
  keep?: number;
  set_up_ms?: number;
  nodes?: number;
}

/** The set-ups that were found, the hardest first. */
export interface Designs {
  game: string;
  tried: number;
  complete: boolean;
  designs: {
    number: number;
    board: string;
    score: number;
    balance: Record<string, unknown>;
    proof?: { href: string; bytes: number };
    proved: boolean;
  }[];
}

/** How a game is looked over. */
export interface Review extends Work {
  move_ms?: number;
  nodes?: number;
}

/** What tables are to be generated; with `dry_run` only the plan is wanted. */
export interface Build extends Work {
  side?: number;
  pieces?: string;
  beads?: number;
  from?: string;
  immobile?: "loss" | "pass";
  bytes?: 2 | 4;
  dry_run?: boolean;
}

/** The service refused, and says why. */
export class Refused extends Error {
  constructor(status: number, problem: Problem, retryAfter?: number);
  readonly status: number;
  readonly problem: Problem;
  /** Seconds after which the same request may be answered. */
  readonly retryAfter?: number;
}

/** A service at an address. */
export class Marquis {
  constructor(address?: string);
  readonly address: string;
  games(): Promise<Game[]>;
  ask(game: string, position: string, options?: Question): Promise<Answer>;
  choose(
    game: string,
    position: string,
    level: number,
    options?: Question & { seed?: number },
  ): Promise<Answer>;
  askMany(
    game: string,
    positions: string[],
    options?: { moves?: boolean; budget_ms?: number; throw?: number },
  ): Promise<(Answer | { problem: Problem })[]>;
  moves(game: string, position: string, options?: { throw?: number; play?: string; from?: string; to?: string }): Promise<Legal>;
  normal(game: string, position: string): Promise<string>;
  perft(game: string, position: string, depth: number, options?: { play?: string; budget_ms?: number }): Promise<number[]>;
  balance(game: string, board: string, options?: SetUp): Promise<Record<string, unknown>>;
  solve(game: string, position: string, options?: Solve): Promise<Answer>;
  design(game: string, options?: Design): Promise<Designs>;
  review(game: string, record: string, options?: Review): Promise<Record<string, unknown>>;
  generate(game: string, options?: Build): Promise<Record<string, unknown>>;
  proof(href: string): Promise<Uint8Array>;
  events(id: string): AsyncGenerator<[name: string, data: Record<string, unknown>]>;
  readRecord(game: string, record: string): Promise<Record<string, unknown>>;
  job(id: string): Promise<Job>;
  jobs(token: string): Promise<Job[]>;
  cancel(job: { id: string; token: string }): Promise<Job>;
  wait(job: Job, patience?: number): Promise<Record<string, unknown>>;
  tables(): Promise<Table[]>;
  table(file: string, begin?: number): Promise<Uint8Array>;
  studies(): Promise<Record<string, unknown>[]>;
  study(name: string): Promise<Record<string, unknown>>;
}
