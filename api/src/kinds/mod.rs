//! The kinds of work that jobs do, one file each: the question, and the work on it.
//!
//! A new kind is a variant of [`JobQuestion`] and of [`JobResult`], and a type that implements [`JobWork`].

mod balance_job;
mod build_job;
mod design_job;
mod review_job;
mod solve_job;

use std::sync::Arc;

use marquis_engine::{Control, Engine, Limits, Registry, ReviewSoFar};
use marquis_wire::answer::{Answer, Balance};
use marquis_wire::ending::SearchEnd;
use marquis_wire::review::Review;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use balance_job::SetUpQuestion;
pub(crate) use build_job::{BuildQuestion, BuildSite, Built, Plan, building_alone};
pub(crate) use design_job::{DesignQuestion, Designs, FindDocument};
pub(crate) use review_job::ReviewQuestion;
pub(crate) use solve_job::SolveQuestion;

use crate::faults::Faults;
use crate::identity::JobId;
use crate::problem::Problem;
use crate::proof_files::ProofFiles;

/// The question of a job as stored on the disk, to be read by a later run of the service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
// Tagged with its kind by the traits below, which also read the format of the first versions.
#[serde(remote = "Self")]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum JobQuestion {
    Balance(SetUpQuestion),
    Review(ReviewQuestion),
    Design(DesignQuestion),
    Solve(SolveQuestion),
    Generate(BuildQuestion),
}

/// The name of a kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The value of each choice about a set-up for Player Two.
    Balance,
    /// The review of a game.
    Review,
    /// Set-ups that are hard for Player Two.
    Design,
    /// The value of a position.
    Solve,
    /// Tables.
    Generate,
}

/// The result of a job, whole or so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobResult {
    Balance(Box<Balance>),
    Review(Box<Review>),
    Design(Designs),
    Answer(Box<Answer>),
    Build(Built),
}

/// The resources for one job.
pub(crate) struct JobContext<'a> {
    pub(crate) id: &'a JobId,
    pub(crate) engine: &'a Engine,
    /// Receives tables that turn out to be damaged.
    pub(crate) faults: &'a Faults,
    /// The folder of proofs.
    pub(crate) proofs: &'a ProofFiles,
    /// Where tables are generated, if clients may have some.
    pub(crate) builds: Option<&'a BuildSite>,
    /// The limits of the whole job.
    pub(crate) limits: Limits,
    /// Stops the job; has to be called often, because the call may yield to other jobs.
    pub(crate) control: &'a Control<'a>,
    /// The result so far of an earlier run.
    pub(crate) earlier: Option<&'a JobResult>,
    /// Receives results to show before the end.
    pub(crate) so_far: &'a (dyn Fn(JobResult) + Sync),
    /// Receives a review that grows until the end.
    pub(crate) growing: &'a (dyn Fn(Arc<ReviewSoFar>) + Sync),
}

/// A parsed question, ready to be worked on.
pub(crate) trait JobWork: Send + Sync {
    /// Works on the question within the limits; returns the result so far if the work is stopped.
    ///
    /// # Errors
    /// Errors of the façade.
    fn run(&self, desk: &JobContext<'_>) -> Result<JobResult, Problem>;
}

impl JobQuestion {
    pub(crate) const fn kind(&self) -> Kind {
        match self {
            Self::Balance(_) => Kind::Balance,
            Self::Review(_) => Kind::Review,
            Self::Design(_) => Kind::Design,
            Self::Solve(_) => Kind::Solve,
            Self::Generate(_) => Kind::Generate,
        }
    }

    /// The name of its game.
    pub(crate) fn game(&self) -> &str {
        match self {
            Self::Balance(SetUpQuestion { game, .. })
            | Self::Review(ReviewQuestion { game, .. })
            | Self::Design(DesignQuestion { game, .. })
            | Self::Solve(SolveQuestion { game, .. })
            | Self::Generate(BuildQuestion { game, .. }) => game,
        }
    }

    /// The id of a job that answers it: the question itself if it is short, so that an equal question is not worked
    /// on twice.
    pub(crate) fn id(&self) -> JobId {
        match self {
            Self::Balance(question) => question.id(),
            Self::Review(ReviewQuestion { game, .. }) => JobId::random(&format!("{game}-review")),
            Self::Design(question) => question.id(),
            Self::Solve(question) => question.id(),
            Self::Generate(question) => question.id(),
        }
    }

    /// A question whose answer also answers this one.
    pub(crate) fn wider(&self) -> Option<Self> {
        match self {
            Self::Balance(question) => Some(Self::Balance(question.for_both())),
            Self::Review(_) | Self::Design(_) | Self::Solve(_) | Self::Generate(_) => None,
        }
    }

    /// Parses the question of a job of an earlier run.
    ///
    /// # Errors
    /// Another version stored it, and it names something unknown.
    pub(crate) fn read(&self, registry: &Registry) -> Result<Box<dyn JobWork>, Problem> {
        Ok(match self {
            Self::Balance(question) => Box::new(question.read(registry)?),
            Self::Review(question) => Box::new(question.read(registry)?),
            Self::Design(question) => Box::new(question.read(registry)?),
            Self::Solve(question) => Box::new(question.read(registry)?),
            Self::Generate(question) => Box::new(question.read(registry)?),
        })
    }
}

impl JobResult {
    /// Whether an equal question needs no more work.
    pub(crate) fn is_settled(&self) -> bool {
        match self {
            Self::Balance(balance) => balance.balanced.is_some(),
            Self::Review(review) => review.complete,
            Self::Design(designs) => designs.complete,
            Self::Answer(answer) => answer.is_known(),
            // Tables may be removed again.
            Self::Build(_) => false,
        }
    }

    /// Whether more time cannot add to a settled result: a verdict has its difficulty.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Balance(balance) => match balance.balanced {
                Some(true) => balance.difficulty.keeping_moves.is_some(),
                _ => balance.difficulty.rating.is_some(),
            },
            Self::Review(_) | Self::Design(_) | Self::Answer(_) | Self::Build(_) => true,
        }
    }

    /// Whether a later run of the service resumes unfinished work from it.
    pub(crate) const fn is_gone_on_from(&self) -> bool {
        matches!(self, Self::Design(_))
    }

    /// Why its search ended; `None` if nothing was searched.
    pub(crate) fn ended(&self) -> Option<SearchEnd> {
        match self {
            Self::Balance(balance) => balance.ended,
            Self::Answer(answer) => answer.ended().0,
            Self::Review(_) | Self::Design(_) | Self::Build(_) => None,
        }
    }
}

impl Serialize for JobQuestion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        JobQuestion::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for JobQuestion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// A question in the format of any version: the oldest format has only balances, without a tag.
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum StoredQuestion {
            Told(#[serde(deserialize_with = "JobQuestion::deserialize")] JobQuestion),
            Balance(SetUpQuestion),
        }
        Ok(match StoredQuestion::deserialize(deserializer)? {
            StoredQuestion::Told(question) => question,
            StoredQuestion::Balance(question) => Self::Balance(question),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_of_every_version_are_read_and_written_ones_are_the_same() {
        let board = r#""game":"swish","board":"w1w/4/1ooo1/4/b1b","pie":"bait","bait":1,"target":2,"immobile":"loss""#;
        // The format of the first versions, which had no other kind.
        let old: JobQuestion = serde_json::from_str(&format!("{{{board},\"both\":true}}")).unwrap();
        assert_eq!(old.id().0, "swish-bait-1-2-loss-both-w1w.4.1ooo1.4.b1b");
        let review = r#"{"kind":"review","game":"squish","record":"c4-c3 *","move_ms":500}"#;
        let solve = r#"{"kind":"solve","game":"squish","position":"b1w w","immobile":"loss"}"#;
        let others = [review, solve].map(|text| serde_json::from_str(text).unwrap());
        for question in others.into_iter().chain([old]) {
            let text = serde_json::to_string(&question).unwrap();
            assert_eq!(serde_json::from_str::<JobQuestion>(&text).unwrap(), question, "{text}");
        }
        assert!(serde_json::from_str::<JobQuestion>(r#"{"kind":"guess","game":"squish"}"#).is_err());
    }
}
