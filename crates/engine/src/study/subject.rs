//! The subject of a study.

use marquis_core::{Immobile, Notation as _};

use crate::files::layer::fingerprint;
use crate::game::exact::ExactGame;
use crate::game::judge::Judge;
use marquis_wire::study::StudyHead;

/// A position to study, with its rules.
pub(crate) struct Subject<'a, G: ExactGame> {
    pub(crate) game: &'a G::Rules,
    pub(crate) position: &'a G::Position,
    pub(crate) immobile: Immobile,
    pub(crate) judge: &'a dyn Judge<G>,
}

impl<G: ExactGame> Subject<'_, G> {
    pub(super) fn head(&self) -> StudyHead {
        let immobile = self.immobile.name().to_owned();
        StudyHead {
            game: G::ID.name().to_owned(),
            rules: fingerprint(G::ID, &format!("immobile={immobile}"), G::NUMBERING).to_string(),
            immobile,
            position: self.game.position_text(self.position),
        }
    }
}
