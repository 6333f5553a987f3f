// The best moves of a position, without a service: `node ask.mjs`.

import { Engine } from "marquis-engine";

const { value, plies, moves } = await new Engine().ask("squish", "start:3", { budget_ms: 2000 });
console.log(`The player to move has a ${value} in ${plies} plies:`);
for (const move of moves.slice(0, 3)) console.log(move.move, move.value, move.plies);
