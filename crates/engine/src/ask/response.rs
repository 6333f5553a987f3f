//! Conversion of typed values, moves and positions to their wire form.

use marquis_core::{ByPlayer, Game as _, Notation as _, Player};
use marquis_proof::{DiskTrouble, Ended};

use crate::files::proof::Said;
use crate::game::exact::ExactGame;
use crate::limits::Look;
use crate::query::{LaidOut, Pie};
use crate::results::pie::{PieChoice, PieLeaning, PlayerTwo};
use crate::results::set_up::{Balance, Difficulty, FirstMover, Tried, rating};
use crate::results::{self, BestLine, Ending, Insight, Solution, ValuedMove};
use marquis_wire::MemorySize;
use marquis_wire::answer::{
    self, ByColour, ExactAnswer, MoveAnswer, PlayerTwoChoice, Proof, Source, Verdict, Wdl,
};
use marquis_wire::book::BookSource;
use marquis_wire::ending::{SearchEnd, Unproved};
use marquis_wire::reports::Line;
use marquis_wire::words::word;

impl From<results::Proof> for Proof {
    fn from(proof: results::Proof) -> Self {
        match proof {
            results::Proof::Rules => Self::Rules,
            results::Proof::Table => Self::Table,
            results::Proof::Search => Self::Search,
            results::Proof::Book => Self::Book,
            results::Proof::File => Self::Proof,
            results::Proof::None => Self::None,
        }
    }
}

/// The wire form of the reason why a search ended.
const fn search_end(ended: Ended) -> SearchEnd {
    match ended {
        Ended::Answered => SearchEnd::Answered,
        Ended::Deadline => SearchEnd::Time,
        Ended::Nodes => SearchEnd::Nodes,
        Ended::Memory => SearchEnd::Memory,
        Ended::Stopped => SearchEnd::Stopped,
    }
}

impl Ending {
    /// The wire form of the reason why the search ended; a value that was found later counts as answered.
    fn response(self, verdict: results::Verdict) -> SearchEnd {
        if verdict.value().is_some() { SearchEnd::Answered } else { search_end(self.ended) }
    }

    /// The wire form of an unfinished proof, if the verdict leaves the value open.
    fn believed(self, verdict: results::Verdict, letters: ByPlayer<char>) -> Option<Unproved> {
        let unproved = self.unproved.filter(|_| verdict.value().is_none())?;
        Some(Unproved {
            winner: unproved.winner.map(|winner| letters[winner].to_string()),
            proof_bytes: unproved.bytes as u64,
            try_memory: self.memory.saturating_mul(2),
            disk: unproved.disk.map(trouble_words),
            try_disk: matches!(unproved.disk, Some(DiskTrouble::Limit { .. }))
                .then(|| self.disk.saturating_mul(2)),
        })
    }
}

/// Describes why the disk did not help.
fn trouble_words(trouble: DiskTrouble) -> String {
    match trouble {
        DiskTrouble::Limit { bytes } => format!("more than {} were needed", MemorySize(bytes)),
        DiskTrouble::Failed(kind) => format!("{}: {kind}", std::env::temp_dir().display()),
    }
}

/// The source of chances: a proof or an estimate.
const fn source(is_proved: bool) -> Source {
    if is_proved { Source::Exact } else { Source::Estimate }
}

impl From<results::Verdict> for Verdict {
    fn from(verdict: results::Verdict) -> Self {
        Self {
            value: verdict.value(),
            plies: verdict.plies().map(|plies| plies.0),
            plies_bounds: verdict.plies_bounds().map(|span| [Some(span.least), span.most]),
            bounds: verdict.bounds,
            proof: verdict.proof.into(),
            estimate: verdict.estimate.map(results::Wdl::expected),
            wdl: verdict.wdl().map(chances),
            source: verdict.wdl().map(|_| source(verdict.value().is_some())),
        }
    }
}

/// The wire form of chances.
pub(crate) const fn chances(results::Wdl { win, draw, loss }: results::Wdl) -> Wdl {
    Wdl { win, draw, loss }
}

impl<G: ExactGame> Insight<G> {
    /// The wire form of the insight.
    fn response(&self, rules: &G::Rules, from: &G::Position) -> answer::Insight {
        let mut position = *from;
        let tell = |&mv: &G::Move| {
            let text = rules.move_text(&position, mv);
            position = rules.play(&position, mv);
            text
        };
        answer::Insight {
            depth: self.depth,
            nodes: self.nodes,
            stability: self.stability,
            pv: self.line.iter().map(tell).collect(),
            pv_exact_from: self.exact_from,
        }
    }

    /// The wire form of a judge's intermediate result.
    pub(crate) fn look(&self, wdl: results::Wdl, rules: &G::Rules, from: &G::Position) -> Look {
        let source = source(self.exact_from == Some(0));
        Look { wdl: chances(wdl), source, insight: self.response(rules, from) }
    }
}

impl<G: ExactGame> ValuedMove<G> {
    /// The wire form of the move.
    pub(crate) fn response(&self, rules: &G::Rules) -> MoveAnswer {
        MoveAnswer {
            mv: self.text.clone(),
            position: rules.position_text(&self.after),
            verdict: self.verdict.into(),
            delta: self.delta,
        }
    }
}

impl<G: ExactGame> Solution<G> {
    /// The wire form of the answer.
    pub(crate) fn response(&self, rules: &G::Rules) -> ExactAnswer {
        ExactAnswer {
            game: G::ID.name().to_owned(),
            position: rules.position_text(&self.position),
            turn: G::LETTERS[rules.turn(&self.position)].to_string(),
            over: self.over.map(|over| over.reason.name().to_owned()),
            verdict: self.verdict.into(),
            insight: self.insight.as_ref().map(|insight| insight.response(rules, &self.position)),
            ended: self.ending.map(|ending| ending.response(self.verdict)),
            unproved: self.ending.and_then(|ending| ending.believed(self.verdict, G::LETTERS)).map(Box::new),
            book: self.entry.as_deref().map(|entry| Box::new(BookSource::from(entry))),
            moves: self.choices.iter().map(|choice| choice.response(rules)).collect(),
        }
    }
}

impl<G: ExactGame> BestLine<G> {
    /// The wire form of the line.
    pub(crate) fn response(&self, rules: &G::Rules) -> Line {
        Line {
            from: ExactAnswer { moves: Vec::new(), ..self.from.response(rules) },
            moves: self.choices.iter().map(|choice| choice.response(rules)).collect(),
            end: self.end,
            shortest: self.is_shortest,
        }
    }
}

impl<G: ExactGame> FirstMover<G> {
    /// The wire form of the first move's verdict.
    fn response(&self, rules: &G::Rules) -> answer::FirstMover {
        answer::FirstMover {
            position: rules.position_text(&self.position),
            verdict: self.verdict.into(),
            best: self.best.iter().map(|choice| choice.text.clone()).collect(),
            unproved: self.ending.and_then(|ending| ending.believed(self.verdict, G::LETTERS)),
        }
    }
}

impl<G: ExactGame> Difficulty<G> {
    /// The wire form of the difficulty.
    fn response(&self, rules: &G::Rules) -> answer::Difficulty {
        answer::Difficulty {
            keeping_moves: self.keeping,
            first_moves: self.first_moves,
            greedy_move: self.greedy.map(|mv| rules.move_text(&self.position, mv)),
            greedy_keeps: self.greedy_keeps,
            only_move_line: self.only_move_line,
            nodes: self.nodes,
            rating: self.tried.as_deref().map(rating),
            levels: self.tried.iter().flatten().map(|tried| tried.response()).collect(),
        }
    }
}

impl Tried {
    fn response(self) -> answer::LevelTried {
        let Self { level, found, held, games } = self;
        answer::LevelTried { level: level.get(), found, held, games }
    }
}

impl<G: ExactGame> Balance<G> {
    /// The wire form of the balance of a set-up.
    pub(crate) fn response(&self, rules: &G::Rules, laid_out: &LaidOut, pie: Pie) -> answer::Balance {
        let [w, b] = self.first_movers.each_ref().map(|first| first.response(rules));
        answer::Balance {
            game: G::ID.name().to_owned(),
            board: laid_out.board.clone(),
            pie: pie.name().to_owned(),
            bait: laid_out.bait,
            target: laid_out.target,
            first_mover: ByColour { w, b },
            player_two: self.player_two.response(G::LETTERS),
            balanced: self.player_two.balanced(),
            other_pie: self.under_other.map(|(pie, player_two)| answer::OtherPie {
                pie: pie.name().to_owned(),
                player_two: player_two.response(G::LETTERS),
                balanced: player_two.balanced(),
            }),
            difficulty: self.difficulty.response(rules),
            ended: self.ended.map(search_end),
        }
    }
}

impl PieChoice {
    /// The wire form of the choice, without its colour.
    const fn response(self) -> PlayerTwoChoice {
        match self {
            Self::MoveFirst | Self::MoveFirstWith(_) => PlayerTwoChoice::MoveFirst,
            Self::ChooseColour(_) => PlayerTwoChoice::ChooseColour,
            Self::TakeBait => PlayerTwoChoice::TakeBait,
        }
    }

    /// The colour of the choice, if it has one.
    const fn colour(self) -> Option<Player> {
        match self {
            Self::MoveFirstWith(player) | Self::ChooseColour(player) => Some(player),
            Self::MoveFirst | Self::TakeBait => None,
        }
    }
}

impl PlayerTwo {
    /// The wire form of Player Two's best choice.
    ///
    /// * `letters`: the letters of the players, which name the colours in answers.
    pub(crate) fn response(self, letters: ByPlayer<char>) -> answer::PlayerTwo {
        let colour = |choice: PieChoice| Some(letters[choice.colour()?].to_string());
        answer::PlayerTwo {
            choice: self.choice.map(PieChoice::response),
            colour: self.choice.and_then(colour),
            value: self.worth.value(),
            bounds: self.worth,
            leaning: self.leaning.map(|PieLeaning { choice, wdl }| answer::PieLeaning {
                choice: choice.response(),
                colour: colour(choice),
                wdl: chances(wdl),
            }),
        }
    }

    /// The same for a proof file.
    pub(crate) fn said(self) -> Said {
        let choice = self.choice.map_or("none", |choice| choice.response().name()).to_owned();
        Said { choice, value: word(self.worth.value()).to_owned() }
    }
}
