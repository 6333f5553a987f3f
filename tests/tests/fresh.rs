//! The positions of the suite that nothing is tuned on: ten different ones of each game, not counting images.

use std::collections::BTreeSet;
use std::path::Path;

use marquis_core::{Notation as _, Symmetric as _};
use marquis_games::unification::{Approach, Flow, Stepping, Unification};

fn distinct<R: Stepping>() -> (usize, usize) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("suite/fresh-{}-5.txt", R::ID));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let canonical = |line: &str| {
        let (game, position) =
            Unification::<R>::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(game.side().get(), 5, "{line}");
        game.position_text(&game.canonical(&position))
    };
    let found: BTreeSet<String> = text.lines().map(canonical).collect();
    (text.lines().count(), found.len())
}

#[test]
fn positions_that_nothing_is_tuned_on_are_ten_different_ones() {
    assert_eq!(distinct::<Flow>(), (10, 10));
    assert_eq!(distinct::<Approach>(), (10, 10));
}
