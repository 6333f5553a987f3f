//! Records of games over HTTP.

use serde_json::{Value, json};

use crate::service::{Reply, post, ready, settings};

async fn read(game: &str, text: &str) -> Reply {
    post(&ready(settings()), &format!("/v1/{game}/record"), &json!({ "record": text })).await
}

/// The moves of a line.
fn moves(line: &Value) -> Vec<&str> {
    line["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_record_is_answered_with_every_position_and_its_variations() {
    let text = "[First \"A\"]\n[Position \"start:3\"]\n1. c4-c3 {so} (1. b2-c3 {or}) c5-c4";
    let reply = read("squish", text).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let game = reply.json();
    assert_eq!((&game["game"], &game["turn"]), (&json!("squish"), &json!("w")));
    assert_eq!(game["position"], "b1w/1wb1/wb1wb/1wb1/b1w w");
    assert_eq!(moves(&game), ["c4-c3", "c5-c4"]);
    let first = &game["moves"][0];
    assert_eq!((&first["ply"], &first["turn"], &first["comment"]), (&json!(1), &json!("w"), &json!("so")));
    let after = first["position"].as_str().unwrap();
    assert!(after.ends_with(" b"), "{after}");
    assert_eq!((&game["variations"][0]["of"], moves(&game["variations"][0])), (&json!(0), vec!["b2-c3"]));
    assert_eq!((&game["result"], &game["over"]), (&Value::Null, &Value::Null));
    // The text that it comes with reads as the same game.
    let again = read("squish", game["record"].as_str().unwrap()).await.json();
    assert_eq!(again, game);
}

#[actix_web::test]
async fn throws_stand_beside_their_moves() {
    let game = read("senet", "1. 2:8-10").await;
    assert_eq!((game.status.as_u16(), &game.json()["moves"][0]["throw"]), (200, &json!(2)), "{}", game.text);
    assert_eq!(game.json()["moves"][0]["move"], "8-10");
    let refused = read("senet", "1. 8-10").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["place"]), (400, &json!("ply 1 (move 1)")));
}

#[actix_web::test]
async fn what_is_no_record_is_refused_with_its_place() {
    for (text, place) in [
        ("1. c4-c3 {cut", "line 1, column 14"),
        ("", "line 1, column 1"),
        ("[Game \"senet\"] 1. c4-c3", "header Game"),
        ("[Position \"start:99\"] 1. c4-c3", "header Position: start"),
        ("[Pie \"marquisian\"] 1. c4-c3", "header Pie"),
        ("[Position \"start:3\"] 1. c4-c3 c4-c3", "ply 2 (move 1)"),
        ("[Position \"start:3\"] 1. c4-c3 (1. b2-c3 2. x-y) *", "line 1, column 41"),
        ("[Position \"start:3\"] 1. c4-c3 (1. b2-c3 x-y) *", "ply 2 (move 1) of variation 1"),
    ] {
        let reply = read("squish", text).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["place"]), (400, &json!(place)), "{}", reply.text);
        assert!(reply.text.len() < 1_000, "{}", reply.text);
    }
    let reply = read("squish", &"c4-c3 ".repeat(200_000)).await;
    assert_eq!(reply.status, 400, "a megabyte");
    assert!(reply.json()["expected"].as_str().unwrap().contains("1048576 bytes"), "{}", reply.text);
}
