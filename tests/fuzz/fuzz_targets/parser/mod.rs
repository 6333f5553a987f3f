//! Properties of every position parser.

use std::sync::LazyLock;

use marquis_engine::{Query, Registry};

static GAMES: LazyLock<Registry> = LazyLock::new(marquis_registry::official);

/// Parses the bytes as a position; an accepted one must survive being written and read again, and an error must be
/// short.
pub fn check(game: &str, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let game = GAMES.game(game).expect("a game").id();
    match GAMES.pose(&Query::new(game, text)) {
        Ok(posed) => {
            let again = GAMES.pose(&Query::new(game, posed.text())).expect("a written text can be read");
            assert_eq!(again.text(), posed.text(), "{text}");
            let _ = GAMES.pose(&Query { play: Some(text.to_owned()), ..Query::new(game, posed.text()) });
        }
        Err(error) => assert!(error.to_string().len() < 1000, "{text}"),
    }
}
