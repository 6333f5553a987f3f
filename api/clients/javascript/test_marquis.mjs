// Checks every call of the client against a running service: `node test_marquis.mjs ADDRESS`.

import assert from "node:assert/strict";

import { Marquis, Refused } from "./marquis.js";

const service = new Marquis(process.argv[2]);
const won = "3/wb2/5/1w1b/3 w"; // README: White wins in one.
const names = async (position) => (await service.moves("squish", position)).moves.map((own) => own.move).sort();

const answer = await service.ask("squish", won, { budget_ms: 30_000 });
assert.deepEqual([answer.value, answer.plies, answer.turn], ["win", 1, "w"]);
assert.deepEqual(answer.moves.map((own) => own.move).sort(), await names(won));
const after = await service.ask("squish", won, { play: [answer.moves[0].move] });
assert.deepEqual([after.value, after.over], ["loss", "unified"]);

const games = await service.games();
for (const known of ["flowish", "senet", "squeeze", "squinch", "squish", "swish"]) {
  assert.ok(games.some((game) => game.id === known), known);
}
assert.equal((await service.moves("squinch", "start:8x8x3")).moves.length, 108);
const [own, image] = await Promise.all(["w2/3b/5/4/2b w", "b2/4/5/b3/2w w"].map((text) => service.normal("squish", text)));
assert.equal(own, image);

assert.deepEqual(await service.perft("squish", "start:4", 3), [30, 810, 19794]);
assert.ok((await service.perft("squish", "start:4", 64, { budget_ms: 50 })).length < 20);
assert.deepEqual(await service.studies(), []);
await assert.rejects(service.study("none"), { status: 404 });

const { chosen } = await service.choose("squish", "start:3", 3, { seed: 1, budget_ms: 200 });
assert.ok((await names("start:3")).includes(chosen.move));
const [right, wrong] = await service.askMany("squish", [won, "no position"], { moves: false });
assert.deepEqual([right.value, wrong.problem.status], ["win", 400]);

const balance = await service.balance("squeeze", "w1w/4/1ooo1/4/b1b", { patience: 120_000 });
assert.notEqual(balance.balanced, null);
const game = await service.readRecord("squish", '[Position "start:3"]\n1. c4-c3 c5-c4');
assert.deepEqual(game.moves.map((move) => move.move), ["c4-c3", "c5-c4"]);

const patience = 120_000;
const solved = await service.solve("swish", "w1w/4/1ooo1/4/b1b w 0-0 2", { patience });
assert.deepEqual([solved.value, solved.plies], ["loss", 12]);
const found = await service.design("swish", { rooks: 1, beads: 2, tries: 8, keep: 3, seed: 7, patience });
assert.deepEqual([found.tried, found.complete], [8, true]);
for (const design of found.designs) {
  assert.equal((await service.proof(design.proof.href)).length, design.proof.bytes);
}
const review = await service.review("squish", '[Position "start:3"]\n1. c4-c3 b3xc3 *', { patience });
assert.deepEqual([review.complete, review.moves[0].mark], [true, "blunder"]);
await assert.rejects(service.generate("squish", { side: 2 }), { status: 403 });
const unsolved = service.solve("squish", "start:5", { patience: 200 });
await assert.rejects(unsolved, /no result/);
const told = [];
const post = { method: "POST", headers: { "Content-Type": "application/json" } };
const body = JSON.stringify({ position: "start:5", nodes: 1_000_000, limit_ms: 700, budget_ms: 0 });
const begun = await (await fetch(`${process.argv[2]}/v1/squish/solve`, { ...post, body })).json();
for await (const event of service.events(begun.id)) told.push(event);
assert.deepEqual([told[0][0], told.at(-1)[0], told.at(-1)[1].kind], ["progress", "done", "solve"]);

const tables = await service.tables();
assert.ok(tables.length > 0);
for (const table of tables) {
  const whole = await service.table(table.file);
  assert.equal(whole.length, table.bytes);
  assert.deepEqual(await service.table(table.file, 50), whole.slice(50));
}

const endless = "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b";
await assert.rejects(service.balance("swish", endless, { patience: 200 }), /no result/);
await assert.rejects(service.ask("squish", "b1w/x w"), (refused) => {
  return refused instanceof Refused && refused.status === 400 && "expected" in refused.problem;
});
await assert.rejects(service.job("none"), { status: 404 });
console.log("OK");
