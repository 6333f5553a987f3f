//! The times in a request, limited to the allowed maximum, and which of them were cut.

use std::time::Duration;

use serde::Serialize;

use crate::config::Config;
use crate::params;
use crate::problem::Problem;

/// A time in a request that was cut to the allowed maximum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Cut {
    /// The name of the parameter or field.
    #[cfg_attr(test, schema(example = "budget_ms"))]
    field: &'static str,
    /// Requested milliseconds.
    #[cfg_attr(test, schema(example = 86_400_000))]
    asked_ms: u64,
    /// Granted milliseconds.
    #[cfg_attr(test, schema(example = 30_000))]
    pub(crate) given_ms: u64,
}

/// The times of one request.
#[derive(Debug)]
pub(crate) struct Times<'a> {
    config: &'a Config,
    cut: Vec<Cut>,
}

impl<'a> Times<'a> {
    pub(crate) const fn new(config: &'a Config) -> Self {
        Self { config, cut: Vec::new() }
    }

    /// The time that a search may take, or that a request waits: the requested one or the default.
    ///
    /// # Errors
    /// As [`Times::given`].
    pub(crate) fn budget(&mut self, asked_ms: Option<u64>) -> Result<Duration, Problem> {
        self.short("budget_ms", asked_ms, self.config.budget_default_ms)
    }

    /// A time that is limited like that of a search.
    ///
    /// # Errors
    /// As [`Times::given`].
    pub(crate) fn short(
        &mut self,
        field: &'static str,
        asked_ms: Option<u64>,
        usual_ms: u64,
    ) -> Result<Duration, Problem> {
        self.given(field, asked_ms.unwrap_or(usual_ms), self.config.budget_max_ms)
    }

    /// The time that a job may work; by default the maximum.
    ///
    /// # Errors
    /// As [`Times::given`].
    pub(crate) fn limit(&mut self, asked_ms: Option<u64>) -> Result<Duration, Problem> {
        let most = self.config.job_seconds.saturating_mul(1000);
        self.given("limit_ms", asked_ms.unwrap_or(most), most)
    }

    /// A time, cut to the allowed maximum.
    ///
    /// # Errors
    /// More than the 63 bits of the API description, because most JSON readers support no more.
    fn given(&mut self, field: &'static str, asked_ms: u64, most_ms: u64) -> Result<Duration, Problem> {
        params::whole(field, Some(asked_ms))?;
        if asked_ms > most_ms {
            self.cut.push(Cut { field, asked_ms, given_ms: most_ms });
        }
        Ok(Duration::from_millis(asked_ms.min(most_ms)))
    }

    /// The times that were cut.
    pub(crate) fn cut(self) -> Vec<Cut> {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_the_default_unless_asked_and_never_over_the_most() {
        let config = Config { budget_default_ms: 1000, budget_max_ms: 30_000, ..Config::default() };
        let mut times = Times::new(&config);
        assert_eq!(times.budget(None).unwrap().as_millis(), 1000);
        assert_eq!(times.budget(Some(0)).unwrap().as_millis(), 0);
        assert_eq!(times.budget(Some(86_400_000)).unwrap().as_millis(), 30_000);
        assert!(times.budget(Some(u64::MAX)).is_err());
        let cut = Cut { field: "budget_ms", asked_ms: 86_400_000, given_ms: 30_000 };
        assert_eq!(times.cut(), [cut]);
    }

    #[test]
    fn a_job_has_as_long_as_any_unless_asked_and_never_longer() {
        let config = Config { job_seconds: 60, ..Config::default() };
        let mut times = Times::new(&config);
        assert_eq!(times.limit(None).unwrap().as_millis(), 60_000);
        assert_eq!(times.limit(Some(500)).unwrap().as_millis(), 500);
        assert!(times.cut.is_empty());
        assert_eq!(times.limit(Some(60_001)).unwrap().as_millis(), 60_000);
        assert_eq!(times.cut(), [Cut { field: "limit_ms", asked_ms: 60_001, given_ms: 60_000 }]);
    }
}
