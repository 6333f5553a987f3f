//! Moves and normal forms from the rules alone, and the listing of each game for programs.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::service::{encoded, get, ready, settings};

/// The moves as a set of texts and positions.
fn listed(answer: &Value) -> BTreeSet<(String, String)> {
    let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    let moves = answer["moves"].as_array().unwrap();
    moves.iter().map(|one| (text(one, "move"), text(one, "position"))).collect()
}

#[actix_web::test]
async fn the_moves_are_those_of_the_answer_and_of_the_rules() {
    let state = ready(settings());
    for (game, position, count) in [
        // RULES.md, "Check numbers": perft 1.
        ("squinch", "start:8x8x3", 108),
        ("squish", "start:4", 30),
    ] {
        let moves = get(&state, &format!("/v1/{game}/moves?position={position}")).await;
        assert_eq!(moves.status, 200, "{}", moves.text);
        let answer = get(&state, &format!("/v1/{game}?position={position}&budget_ms=0")).await.json();
        assert_eq!(listed(&moves.json()).len(), count, "{game}");
        assert_eq!(listed(&moves.json()), listed(&answer), "{game}");
        for name in ["game", "position", "turn", "over"] {
            assert_eq!(moves.json()[name], answer[name], "{name}");
        }
    }
    let over = get(&state, "/v1/squish/moves?position=ww/3/2_b").await.json();
    assert_eq!((&over["over"], &over["moves"]), (&json!("unified"), &json!([])));
}

#[actix_web::test]
async fn a_throw_asks_for_its_moves_and_no_throw_for_those_of_all() {
    let state = ready(settings());
    let moves = async |more: &str| get(&state, &format!("/v1/senet/moves?position=start{more}")).await;
    let throws = |reply: &Value| -> BTreeSet<u64> {
        reply["moves"].as_array().unwrap().iter().map(|one| one["throw"].as_u64().unwrap()).collect()
    };
    let all = moves("").await.json();
    assert_eq!(throws(&all), BTreeSet::from([1, 2, 3, 4, 6]), "{all}");
    assert_eq!(throws(&moves("&throw=2").await.json()), BTreeSet::from([2]));
    let after = moves("&play=2:8-10").await.json();
    assert_ne!(after["position"], all["position"]);
    assert_eq!(moves("&throw=5").await.json()["place"], "throw");
}

#[actix_web::test]
async fn a_move_that_is_not_legal_is_refused_with_a_reason() {
    let state = ready(settings());
    let why = async |game: &str, more: &str| {
        let reply = get(&state, &format!("/v1/{game}/moves?{more}")).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()["why_not"].clone()
    };
    assert_eq!(why("squish", "position=start:3").await, Value::Null, "nobody asked");
    assert_eq!(why("squish", "position=start:3&from=c4").await, Value::Null);
    assert_eq!(why("squish", "position=start:3&from=c4&to=c3").await, Value::Null);
    assert_eq!(
        why("squish", "position=start:3&from=c4&to=d4").await,
        "A piece steps only towards a friend, and beyond d4 there is none on that line."
    );
    assert_eq!(
        why("squinch", "position=start&from=b3&to=b5").await,
        "b5 is 2 squares away, and the top checker of a stack of 1 goes no farther than 1."
    );
    assert_eq!(why("senet", "position=start&from=8").await, Value::Null, "some throw moves it");
    assert_eq!(why("senet", "position=start&throw=2&from=2").await, "A friend stands on 4.");
    assert_eq!(why("squish", "position=ww/3/2_b&from=c1").await, "The game is over.");
    for (more, place) in [("from=z9", "from"), ("from=c4&to=c9", "to"), ("to=c3", "from")] {
        let reply = get(&state, &format!("/v1/squish/moves?position=start:3&{more}")).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["place"]), (400, &json!(place)), "{more}");
    }
}

#[actix_web::test]
async fn images_of_a_position_have_one_normal_form_and_others_another() {
    let state = ready(settings());
    let normal = async |game: &str, position: &str| {
        let reply = get(&state, &format!("/v1/{game}/normal?position={}", encoded(position))).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()["normal"].as_str().unwrap().to_owned()
    };
    // Worked out by hand: turned by a half turn, mirrored along a row, colours exchanged.
    let images = ["w2/3b/5/4/2b w", "b2/4/5/b3/2w w", "2w/b3/5/4/b2 w", "b2/3w/5/4/2w b"];
    let own = normal("squish", images[0]).await;
    for image in images {
        assert_eq!(normal("squish", image).await, own, "{image}");
    }
    assert_eq!(normal("squish", &own).await, own);
    assert_ne!(normal("squish", "w2/3b/5/4/2b b").await, own, "another player moves");
    assert_ne!(normal("squish", "w2/3b/5/4/1b1 w").await, own, "another cell");
    let senet = "wbwbwbwbw1/b9/10 b";
    assert_eq!(normal("senet", senet).await, senet);
}

#[actix_web::test]
async fn programs_are_told_of_players_and_cells() {
    let games = get(&ready(settings()), "/v1/games").await.json();
    let of = |id: &str| games["games"].as_array().unwrap().iter().find(|game| game["id"] == id).unwrap();
    assert_eq!(
        of("squinch")["players"],
        json!([{"letter": "r", "colour": "Red"}, {"letter": "w", "colour": "White"}])
    );
    let flags = |id: &str| ["throws", "set_ups", "immobile"].map(|name| of(id)[name].as_bool().unwrap());
    assert_eq!(flags("senet"), [true, false, false]);
    assert_eq!(flags("swish"), [false, true, true]);
    assert_eq!(flags("squish"), [false, false, false]);
    for game in games["games"].as_array().unwrap() {
        for start in game["starts"].as_array().unwrap() {
            let rows = start["cells"].as_array().unwrap();
            let position = start["position"].as_str().unwrap();
            let texts: Vec<&str> = position.split(' ').next().unwrap().split('/').collect();
            assert_eq!(rows.len(), texts.len(), "{position}");
            let names: BTreeSet<&str> = rows
                .iter()
                .flat_map(|row| row.as_array().unwrap())
                .map(|cell| cell.as_str().unwrap())
                .collect();
            let cells: usize = rows.iter().map(|row| row.as_array().unwrap().len()).sum();
            assert_eq!(names.len(), cells, "each cell has its own name: {position}");
        }
    }
    // The first and the last cell of a position text.
    let ends = |id: &str, name: &str| {
        let starts = of(id)["starts"].as_array().unwrap();
        let start = starts.iter().find(|start| start["name"] == name).unwrap();
        let rows = start["cells"].as_array().unwrap();
        let last = rows.last().unwrap().as_array().unwrap();
        (rows[0][0].as_str().unwrap().to_owned(), last.last().unwrap().as_str().unwrap().to_owned())
    };
    assert_eq!(ends("squish", "start:3"), ("e1".to_owned(), "a3".to_owned()));
    assert_eq!(ends("squinch", "start:8x8x3"), ("a8".to_owned(), "h1".to_owned()));
}

#[actix_web::test]
async fn what_cannot_be_read_is_refused_by_its_name() {
    let state = ready(settings());
    for (uri, status, place) in [
        ("/v1/squish/moves", 400, json!("position")),
        ("/v1/squish/normal", 400, json!("position")),
        ("/v1/squish/moves?position=start:3&throw=x", 400, json!("throw")),
        ("/v1/squish/moves?position=start:3&play=a1-a9", 400, json!("move 1 to play first")),
        ("/v1/squish/moves?position=start:3&budget_ms=1", 400, Value::Null),
        ("/v1/chess/moves?position=start", 404, Value::Null),
    ] {
        let reply = get(&state, uri).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["place"]),
            (status, &place),
            "{uri}: {}",
            reply.text
        );
    }
}

#[actix_web::test]
async fn positions_are_counted_by_plies_within_the_time() {
    let state = ready(settings());
    let count = async |more: &str| get(&state, &format!("/v1/{more}")).await;
    // RULES.md, "Check numbers".
    for (asked, leaves) in [
        ("squish/perft?position=start:4&depth=3", json!([30, 810, 19794])),
        ("flowish/perft?position=start:5&depth=2", json!([72, 4914])),
        ("squinch/perft?position=start:8x8x3&depth=2", json!([108, 11664])),
        (
            "swish/perft?position=w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b_w&depth=3",
            json!([24, 636, 17739]),
        ),
    ] {
        let reply = count(asked).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["leaves"]),
            (200, &leaves),
            "{asked}: {}",
            reply.text
        );
    }
    let short = count("squish/perft?position=start:4&depth=64&budget_ms=50").await.json();
    let plies = short["leaves"].as_array().unwrap().len();
    assert!(plies < 20 && short["depth"] == 64, "{short}");
    let cut = count("squish/perft?position=start:2&depth=1&budget_ms=99999999").await.json();
    assert_eq!(cut["cut"][0]["field"], "budget_ms", "{cut}");
    for (wrong, place) in [
        ("squish/perft?position=start:4", "depth"),
        ("squish/perft?position=start:4&depth=0", "depth"),
        ("squish/perft?position=start:4&depth=65", "depth"),
        ("squish/perft?depth=2", "position"),
        ("squish/perft?position=start:4&depth=2&budget_ms=-1", "budget_ms"),
    ] {
        let reply = count(wrong).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json()["place"]),
            (400, &json!(place)),
            "{wrong}: {}",
            reply.text
        );
    }
    assert_eq!(count("senet/perft?position=start&depth=2").await.status, 400);
    assert_eq!(count("chess/perft?position=start&depth=2").await.status, 404);
}
