//! x
use crate::reports::TableInfo;
use crate::{EngineError, EngineOptions};
use marquis_core::Score;
#[derive(Debug)]
pub(crate) struct Tables;
impl Tables {
    pub(crate) fn open(_o: &EngineOptions) -> Result<(Self, Vec<EngineError>), EngineError> {
        Ok((Self, vec![]))
    }
    pub(crate) fn infos(&self) -> Vec<TableInfo> {
        vec![]
    }
    pub(crate) fn unification_score<R: marquis_games::unification::Stepping>(
        &self,
        _g: &marquis_games::unification::Unification<R>,
        _p: &marquis_games::unification::Duel,
    ) -> Result<Option<Score>, EngineError> {
        Ok(None)
    }
}
