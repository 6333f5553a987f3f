"""Replaces half of the generated positions and boards by valid ones, which random generation never finds."""

import schemathesis

POSITIONS = ["start", "start:3", "b1w/1wb1/wb1wb/1wb1/b1w w", "3/wb2/5/1w1b/3 w", "w1w/4/1ooo1/4/b1b w 0-0 2",
             "w1/1o1/1b w 0-0 1", "wb8/10/10 b", "3/4/2w2/b3/b1b_w"]
BOARDS = ["w1w/4/1ooo1/4/b1b", "w1/1o1/1b", "w1w/1oo1/4/4/b1b", "1w1/4/2o2/1oo1/1b1",
          "w1w1w/1oooo1/1ooooo1/1oooooo1/1ooooooo1/1oooooo1/1ooooo1/1oooo1/b1b1b"]


def real(text, choices):
    """Returns one of the choices for about half of the texts; the same text always gives the same result."""
    number = sum(text.encode("utf-8", "replace"))
    return choices[number // 2 % len(choices)] if number % 2 == 0 else text


@schemathesis.hook
def map_query(context, query):
    if isinstance(query, dict) and isinstance(query.get("position"), str):
        query["position"] = real(query["position"], POSITIONS)
    return query


@schemathesis.hook
def map_body(context, body):
    if isinstance(body, dict):
        if isinstance(body.get("board"), str):
            body["board"] = real(body["board"], BOARDS)
        if isinstance(body.get("positions"), list):
            body["positions"] = [real(text, POSITIONS) if isinstance(text, str) else text for text in body["positions"]]
    return body
