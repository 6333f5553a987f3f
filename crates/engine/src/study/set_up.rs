//! A study of a set-up: it alternates between the first positions of both colours, until Player Two's choice is
//! decided.

use std::path::{Path, PathBuf};
use web_time::Instant;

use marquis_core::{Bounds, Player};

use super::ask::{Studied, ended, studied};
use super::folder_source::{FolderSource, WorkRequest};
use super::job_folder::JobFolder;
use super::remote_workers::tell_answered;
use super::status::{says_something, study_status, study_status_of};
use super::subject::Subject;
use super::work::{Trade, work};
use crate::ask::promise::{ClaimedAnswer, Promised, clear_the_way, proved};
use crate::files::lease::Lease;
use crate::files::proof::{AboutBalance, AboutProof};
use crate::game::exact::ExactGame;
use crate::game::judge::Judge;
use crate::game::set_ups::SetUp;
use crate::query::{BalanceQuery, LaidOut, StudyOptions, Until};
use crate::results::pie::FirstMovers;
use crate::{Control, EngineError, Limits};
use marquis_wire::ending::SearchEnd;
use marquis_wire::reports::ProofFile;
use marquis_wire::study::{SetUpStudyReport, StudiesByColour, StudyReport, WorkReport};

/// Jobs of the first turn of a colour; each round of turns is twice as long.
const FIRST_TURN: u64 = 16;

/// A set-up to study.
pub(crate) struct SetUpSubject<'a, G: ExactGame> {
    pub(crate) set_up: &'a SetUp<G>,
    pub(crate) query: &'a BalanceQuery,
    pub(crate) judge: &'a dyn Judge<G>,
}

/// Resumes or starts the study of a set-up.
///
/// Each colour has a subfolder in the study's folder, named by its letter.
///
/// # Errors
/// As [`study`](super::study), for either colour.
pub(crate) fn study_set_up<G: ExactGame>(
    asked: &SetUpSubject<'_, G>,
    options: &StudyOptions,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<(SetUpStudyReport, Option<ProofFile>), EngineError> {
    let _lease =
        Lease::of_folder(&options.folder, &format!("study {} {}", G::ID, asked.set_up.laid_out.board))?;
    if let Some(file) = &options.proof {
        clear_the_way(file);
    }
    let begun = Instant::now();
    let mut turns = Turns { asked, options, limits, control, colours: [None, None] };
    let ended = turns.work(begun)?;
    if ended == SearchEnd::Answered {
        asked.wanted(&options.folder).into_iter().for_each(tell_answered);
    }
    let SetUpSubject { set_up: SetUp { laid_out, rules, .. }, query, .. } = asked;
    let reports = turns.colours.each_ref().map(|colour| Some(colour.as_ref()?.report.clone()));
    let report = report::<G>(laid_out, query, &options.folder, (turns.bounds(), reports));
    let report = SetUpStudyReport { ended: Some(ended), seconds: begun.elapsed().as_secs_f64(), ..report };
    let kept = options.proof.as_ref().map(|file| {
        let (about, claims) = turns.claims();
        ClaimedAnswer { game: rules, about, claims }.keep(file)
    });
    Ok((report, kept))
}

/// Does jobs for the studies of a set-up that another process keeps.
///
/// # Errors
/// The folder holds the study of another set-up; or the results cannot be written.
pub(crate) fn work_for_set_up<G: ExactGame>(
    asked: &SetUpSubject<'_, G>,
    folder: &Path,
    limits: &Limits,
    control: &Control<'_>,
) -> Result<WorkReport, EngineError> {
    let SetUpSubject { set_up, query, judge } = *asked;
    let trade = Trade { game: &set_up.rules, immobile: query.immobile, judge };
    let wanted = asked.wanted(folder);
    work(&trade, &|| Box::new(FolderSource::new(&wanted)), limits, control)
}

impl<G: ExactGame> SetUpSubject<'_, G> {
    /// The studies of both colours.
    fn wanted(&self, folder: &Path) -> [WorkRequest; 2] {
        Player::BOTH.map(|colour| {
            let jobs = JobFolder::of(&own_folder::<G>(folder, colour));
            WorkRequest { about: self.first(colour).head(), jobs }
        })
    }

    /// The first position of a colour.
    fn first(&self, colour: Player) -> Subject<'_, G> {
        let SetUpSubject { set_up: SetUp { rules, firsts, .. }, query, judge } = *self;
        Subject { game: rules, position: &firsts[colour as usize], immobile: query.immobile, judge }
    }
}

/// The folder of a colour in the folder of its set-up.
fn own_folder<G: ExactGame>(folder: &Path, colour: Player) -> PathBuf {
    folder.join(G::LETTERS[colour].to_string())
}

/// The state of the study of a set-up, by the last status of both colours.
///
/// # Errors
/// There is no study of either colour, or a status cannot be read.
pub(crate) fn set_up_status<G: ExactGame>(
    laid_out: &LaidOut,
    query: &BalanceQuery,
    folder: &Path,
) -> Result<SetUpStudyReport, EngineError> {
    let of = |player: Player| {
        let own = own_folder::<G>(folder, player);
        let text = &laid_out.firsts[player as usize];
        says_something(&own).then(|| study_status_of(&own, G::ID, text, query.immobile)).transpose()
    };
    let reports = [of(Player::First)?, of(Player::Second)?];
    if reports.iter().all(Option::is_none) {
        return Err(study_status(&own_folder::<G>(folder, Player::First))
            .err()
            .unwrap_or(EngineError::Interrupted));
    }
    let bounds =
        reports.each_ref().map(|report| report.as_ref().map_or(Bounds::UNKNOWN, |report| report.bounds));
    Ok(report::<G>(laid_out, query, folder, (bounds, reports)))
}

fn report<G: ExactGame>(
    laid_out: &LaidOut,
    query: &BalanceQuery,
    folder: &Path,
    (bounds, [w, b]): ([Bounds; 2], [Option<StudyReport>; 2]),
) -> SetUpStudyReport {
    let player_two = FirstMovers { pie: query.pie, bounds }.player_two();
    SetUpStudyReport {
        game: query.game.name().to_owned(),
        board: laid_out.board.clone(),
        pie: query.pie.name().to_owned(),
        bait: laid_out.bait,
        target: laid_out.target,
        player_two: player_two.response(G::LETTERS),
        balanced: player_two.balanced(),
        ended: None,
        state: folder.display().to_string(),
        first_mover: StudiesByColour { w, b },
        seconds: 0.0,
    }
}

/// Both colours, studied alternately.
struct Turns<'a, G: ExactGame> {
    asked: &'a SetUpSubject<'a, G>,
    options: &'a StudyOptions,
    limits: &'a Limits,
    control: &'a Control<'a>,
    colours: [Option<Studied<G>>; 2],
}

impl<G: ExactGame> Turns<'_, G> {
    /// Works until the set-up is decided or a limit is reached; returns the reason.
    fn work(&mut self, begun: Instant) -> Result<SearchEnd, EngineError> {
        let mut left = self.limits.nodes;
        let mut nodes = self.options.job_nodes.get().saturating_mul(FIRST_TURN);
        loop {
            let mut last = SearchEnd::Memory;
            for number in 0..2 {
                if self.is_decided() {
                    return Ok(SearchEnd::Answered);
                }
                if self.is_known(number) || self.ended(number) == Some(SearchEnd::Memory) {
                    continue;
                }
                let turn = left.map_or(nodes, |left| left.min(nodes));
                left = left.map(|left| left - turn);
                let time = self.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
                self.take_turn(number, &Limits { nodes: Some(turn), time, ..*self.limits })?;
                last = self.ended(number).unwrap_or(SearchEnd::Nodes);
                if matches!(last, SearchEnd::Time | SearchEnd::Stopped) && !self.is_decided() {
                    return Ok(last);
                }
            }
            if self.is_decided() {
                return Ok(SearchEnd::Answered);
            }
            // A colour whose tree is full leaves the rest to the other.
            let full =
                (0..2).all(|number| self.is_known(number) || self.ended(number) == Some(SearchEnd::Memory));
            if full || left == Some(0) {
                return Ok(if full { SearchEnd::Memory } else { last });
            }
            nodes = nodes.saturating_mul(2);
        }
    }

    fn take_turn(&mut self, number: usize, limits: &Limits) -> Result<(), EngineError> {
        let colour = Player::BOTH[number];
        let (asked, folder) = (self.asked.first(colour), own_folder::<G>(&self.options.folder, colour));
        // The results of the last turn are in its folder.
        self.colours[number] = None;
        let options = StudyOptions { folder, proof: None, ..self.options.clone() };
        self.colours[number] = Some(studied(&asked, &options, limits, self.control)?);
        Ok(())
    }

    fn ended(&self, number: usize) -> Option<SearchEnd> {
        self.colours[number].as_ref().map(|studied| ended(studied.finished))
    }

    fn is_known(&self, number: usize) -> bool {
        self.bounds()[number].value().is_some()
    }

    fn bounds(&self) -> [Bounds; 2] {
        self.colours
            .each_ref()
            .map(|colour| colour.as_ref().map_or(Bounds::UNKNOWN, |studied| studied.bounds))
    }

    fn first_movers(&self) -> FirstMovers {
        FirstMovers { pie: self.asked.query.pie, bounds: self.bounds() }
    }

    fn is_decided(&self) -> bool {
        let both = (0..2).all(|number| self.is_known(number));
        both || self.asked.query.until == Until::Choice && self.first_movers().deciding().is_some()
    }

    /// The header of a proof file, and its claims.
    fn claims(&mut self) -> (AboutProof, Vec<Promised<G::Rules>>) {
        let SetUpSubject { set_up: SetUp { rules, firsts, laid_out }, query, .. } = *self.asked;
        let (deciding, bounds) = (self.first_movers().deciding(), self.bounds());
        let deciding = deciding.filter(|_| query.until == Until::Choice);
        let claims: Vec<_> = (0..2)
            .map(|number| {
                let is_said = deciding.is_none_or(|alone| alone == Player::BOTH[number]);
                let strategies = self.colours[number].take().map(|studied| studied.strategies);
                let said = if is_said { bounds[number] } else { Bounds::UNKNOWN };
                Promised { position: firsts[number], said, strategies: strategies.unwrap_or_default() }
            })
            .collect();
        let of = |number: usize| proved(rules, &claims[number].strategies);
        let said = FirstMovers { pie: query.pie, bounds: [of(0), of(1)] }.player_two().said();
        let balance = AboutBalance { laid_out: laid_out.clone(), pie: query.pie, said };
        (AboutProof { immobile: query.immobile, balance: Some(balance) }, claims)
    }
}
