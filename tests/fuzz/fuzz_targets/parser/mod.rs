//! What holds of every position parser.

use marquis_games::GameId;
use marquis_games::beads::Immobile;
use marquis_games::catalogue::Asked;

/// Reads the bytes as a position; an accepted one must survive being written and read again, and an
/// error must be short.
pub fn check(game: GameId, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Asked::parse(game, text, Immobile::Loss) {
        Ok(asked) => {
            let again = Asked::parse(game, &asked.text(), Immobile::Loss);
            assert_eq!(again.as_ref(), Ok(&asked), "{text}");
            let _ = asked.play(text);
        }
        Err(error) => assert!(error.to_string().len() < 1000, "{text}"),
    }
}
