"""Checks a running service with a client generated from its OpenAPI description: `FOLDER ADDRESS`."""

import sys

folder, address = sys.argv[1:]
sys.path.insert(0, folder)

from marquis_client import Client  # noqa: E402
from marquis_client.api.positions import ask_position, ask_positions, list_games, list_moves, solve_position  # noqa: E402
from marquis_client.api.records import read_record, review_record  # noqa: E402
from marquis_client.api.set_ups import cancel_job, design_set_ups, list_jobs, show_job, weigh_set_up  # noqa: E402
from marquis_client.api.service import is_ready, show_metrics  # noqa: E402
from marquis_client import models  # noqa: E402

client = Client(base_url=address, timeout=120.0)
WON = "3/wb2/5/1w1b/3 w"  # README: White wins in one.
SQUISH, SWISH = models.Game.SQUISH, models.Game.SWISH


def parsed(module, **what):
    """The response to a call, as a type of the client."""
    reply = module.sync_detailed(client=client, **what)
    assert reply.parsed is not None, (module.__name__, reply)
    return reply.parsed


assert [game.id for game in parsed(list_games).games][:1]
answer = parsed(ask_position, game=SQUISH, position=WON, budget_ms=30_000)
assert isinstance(answer, models.ExactAnswered), answer
assert (answer.value, answer.plies, answer.moves[0].value) == ("win", 1, "win"), answer
assert len(parsed(list_moves, game=SQUISH, position=WON).moves) == len(answer.moves)
chance = parsed(ask_position, game=models.Game.SENET, position="start", throw=1, budget_ms=200)
assert len(chance.throws) == 1, chance
many = parsed(ask_positions, game=SQUISH, body=models.Batch(positions=[WON, "none"], moves=False))
assert len(many.answers) == 2, many
refused = parsed(ask_position, game=SQUISH, position="none")
assert isinstance(refused, models.ProblemDocument) and refused.status == 400, refused

record = '[Position "start:3"]\n1. c4-c3 b3xc3 *'
assert len(parsed(read_record, game=SQUISH, body=models.Text(record=record)).moves) == 2
review = parsed(review_record, game=SQUISH, body=models.ReviewRequest(record=record, budget_ms=30_000))
assert isinstance(review, models.Review) and review.complete, review
balance = parsed(weigh_set_up, game=SWISH, body=models.SetUp(board="w1/1o1/1b", budget_ms=30_000))
assert isinstance(balance, models.Balance) and balance.balanced is not None, balance
designs = parsed(
    design_set_ups, game=SWISH, body=models.DesignRequest(rooks=1, beads=2, tries=4, seed=7, budget_ms=30_000)
)
assert isinstance(designs, models.Designs) and designs.complete, designs

body = models.SolveRequest(position="start:5", budget_ms=0)
job = parsed(solve_position, game=SQUISH, body=body)
assert isinstance(job, models.Begun) and job.state in ("queued", "running"), job
assert parsed(show_job, id=job.id).id == job.id
assert [own.id for own in parsed(list_jobs, job_token=job.token).jobs] == [job.id]
cancelled = parsed(cancel_job, id=job.id, job_token=job.token)
assert (cancelled.state, cancelled.kind) == ("cancelled", models.Kind.SOLVE), cancelled
assert is_ready.sync_detailed(client=client).status_code == 200
assert show_metrics.sync_detailed(client=client).status_code == 200
print("OK")
