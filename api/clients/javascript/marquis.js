// Client of the Marquis service: proved answers about six abstract games, over HTTP.
//
// Needs nothing but `fetch`: a browser, Node 18, Deno or Bun. Types are in `marquis.d.ts`.
//
//     import { Marquis } from "./marquis.js";
//
//     const service = new Marquis("http://127.0.0.1:8017");
//     const answer = await service.ask("squish", "start:3", { budget_ms: 2000 });
//     console.log(answer.value, answer.moves[0].move);
//
// Every call resolves to the response of the service, or rejects with `Refused`, which has the RFC 9457 problem.

/** The service refused the request; the message is the reason. */
export class Refused extends Error {
  constructor(status, problem, retryAfter) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.name = "Refused";
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The field of a finished job that holds its result, by kind of job. */
const RESULTS = { balance: "result", review: "review", design: "design", solve: "answer", generate: "built" };

/** A service at an address. */
export class Marquis {
  constructor(address = "http://127.0.0.1:8017") {
    this.address = address.replace(/\/+$/, "");
  }

  /** Every game: variants, grammar, players, start positions with the names of their cells. */
  async games() {
    return (await this.#get("/v1/games")).games;
  }

  /** The value of a position and of its moves, from a table or by a search within the budget. */
  ask(game, position, options = {}) {
    const { play, ...rest } = options;
    return this.#get(`/v1/${encodeURIComponent(game)}`, { position, play: play?.join(" "), ...rest });
  }

  /** The move of a player of a level from 1 to 8, under `chosen` in the answer. */
  choose(game, position, level, options = {}) {
    return this.ask(game, position, { level, ...options });
  }

  /** An answer for each of up to 1000 positions, or a problem for an invalid one. */
  async askMany(game, positions, options = {}) {
    return (await this.#post(`/v1/${encodeURIComponent(game)}`, { positions, ...options })).answers;
  }

  /** The legal moves, without a search. */
  moves(game, position, options = {}) {
    return this.#get(`/v1/${encodeURIComponent(game)}/moves`, { position, ...options });
  }

  /** The canonical form of a position: the same text for each of its symmetric images. */
  async normal(game, position) {
    return (await this.#get(`/v1/${encodeURIComponent(game)}/normal`, { position })).normal;
  }

  /** The number of positions after 1, 2, … `depth` plies; fewer entries if time runs out. */
  async perft(game, position, depth, options = {}) {
    return (await this.#get(`/v1/${encodeURIComponent(game)}/perft`, { position, depth, ...options })).leaves;
  }

  /**
   * The recommendation to Player Two for a set-up; waits for the job if it takes longer than a request. `patience`,
   * in milliseconds, is the time after which the job is cancelled.
   */
  async balance(game, board, { patience = 3_600_000, ...options } = {}) {
    return this.#work(game, "balance", { board, ...options }, patience);
  }

  /** The value of a position once it is solved, or the result when `limit_ms` has passed; waits for the job. */
  solve(game, position, { patience = 3_600_000, play, ...options } = {}) {
    return this.#work(game, "solve", { position, play: play?.join(" "), ...options }, patience);
  }

  /** Set-ups that are hard for Player Two, hardest first under `designs`; waits for the job. */
  design(game, { patience = 3_600_000, ...options } = {}) {
    return this.#work(game, "design", options, patience);
  }

  /** The review of a game, move by move; waits for the job. */
  review(game, record, { patience = 3_600_000, ...options } = {}) {
    return this.#work(game, "review", { record, ...options }, patience);
  }

  /** Generated tables, if the operator allows it, or with `dry_run` the plan; waits for the job. */
  generate(game, { patience = 3_600_000, ...options } = {}) {
    return this.#work(game, "generate", options, patience);
  }

  /** A proof file, from the address under `proof` in a job or a design. */
  async proof(href) {
    return new Uint8Array(await (await this.#open(href)).arrayBuffer());
  }

  /** The events of a job until it ends, as `[name, data]`; the data of the last one is the finished job. */
  async *events(id) {
    const reply = await this.#open(`/v1/jobs/${encodeURIComponent(id)}/events`);
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of reply.body) {
      text += decoder.decode(piece, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const [, name, data] = block.match(/^event: (.*)\ndata: (.*)$/m) ?? [];
        if (name) yield [name, JSON.parse(data)];
      }
    }
  }

  async #work(game, what, body, patience) {
    const found = await this.#post(`/v1/${encodeURIComponent(game)}/${what}`, { budget_ms: 1000, ...body });
    return "token" in found ? this.wait(found, patience) : found;
  }

  /** The game of a record, move by move with every position. */
  readRecord(game, record) {
    return this.#post(`/v1/${encodeURIComponent(game)}/record`, { record });
  }

  /** The state and result of a job. */
  job(id) {
    return this.#get(`/v1/jobs/${encodeURIComponent(id)}`);
  }

  /** The jobs requested with a token. */
  async jobs(token) {
    return (await this.#send("/v1/jobs", { headers: { "Job-Token": token } })).jobs;
  }

  /** Cancels a job with its token; has no effect if the job is finished or other clients want it. */
  cancel({ id, token }) {
    return this.#send(`/v1/jobs/${encodeURIComponent(id)}`, { method: "DELETE", headers: { "Job-Token": token } });
  }

  /** The result of a job; waits for it. */
  async wait(job, patience = 3_600_000) {
    const until = Date.now() + patience;
    const own = job;
    for (let ms = 50; job.state === "queued" || job.state === "running"; ms = Math.min(2 * ms, 2000)) {
      if (Date.now() > until) {
        if (own.token) await this.cancel(own);
        throw new Error(`no result after ${patience} ms`);
      }
      await pause(ms);
      job = await this.job(job.id);
    }
    const found = job[RESULTS[job.kind] ?? "result"] ?? null;
    if (found === null) {
      throw new Refused(200, job.problem ?? { detail: `the job is ${job.state}` });
    }
    return found;
  }

  /** The loaded tables: game, layer, positions, bytes, checksum. */
  async tables() {
    return (await this.#get("/v1/tables")).tables;
  }

  /** The bytes of a table, starting at `begin`. */
  async table(file, begin = 0) {
    const place = file.split("/").map(encodeURIComponent).join("/");
    const reply = await this.#open(`/v1/tables/${place}`, { headers: { Range: `bytes=${begin}-` } });
    return new Uint8Array(await reply.arrayBuffer());
  }

  /** The studies of the service: the values proved so far, and the progress of each. */
  async studies() {
    return (await this.#get("/v1/studies")).studies;
  }

  /** A study with `tree`, the part of its tree that took most of its effort. */
  study(name) {
    return this.#get(`/v1/studies/${encodeURIComponent(name)}`);
  }

  #get(place, parameters = {}) {
    const said = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
    const query = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
    return this.#send(query ? `${place}?${query}` : place);
  }

  #post(place, body) {
    const headers = { "Content-Type": "application/json" };
    return this.#send(place, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #send(place, request) {
    return (await this.#open(place, request)).json();
  }

  async #open(place, request) {
    const reply = await fetch(this.address + place, request);
    if (reply.ok) {
      return reply;
    }
    const text = await reply.text();
    let problem = { detail: text };
    try {
      problem = JSON.parse(text);
    } catch {
      // A proxy may answer in another format.
    }
    const later = reply.headers.get("Retry-After");
    throw new Refused(reply.status, problem, later === null ? undefined : Number(later));
  }
}
