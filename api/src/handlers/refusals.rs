//! What is refused, as the description tells it: each kind once.

use utoipa::IntoResponses;

use crate::problem::ProblemDocument;

/// What is wrong with a question.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum Faulty {
    /// A parameter, the body, the position or the set-up is wrong
    #[response(status = 400, content_type = "application/problem+json")]
    BadInput(ProblemDocument),
    /// There is no such game
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownGame(ProblemDocument),
}

/// What is wrong with an address that names a game.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownGame {
    /// There is no such game
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownGame(ProblemDocument),
}

/// What is wrong with a body as such.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum FaultyBody {
    /// The body has not arrived in time
    #[response(status = 408, content_type = "application/problem+json")]
    TooSlow(ProblemDocument),
    /// The body is too large
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemDocument),
    /// The body is not JSON, or packed in another way than Accept-Encoding says
    #[response(status = 415, content_type = "application/problem+json")]
    NotJson(ProblemDocument),
}

/// Why what has a tag or a date is not sent.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum Changed {
    /// It is not what If-Match or If-Unmodified-Since names
    #[response(status = 412, content_type = "application/problem+json")]
    Changed(ProblemDocument),
}

/// Why ranges of a file are not sent.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NoSuchRange {
    /// There is no such range; Content-Range says how long the file is
    #[response(status = 416, content_type = "application/problem+json")]
    NoSuchRange(ProblemDocument),
}

/// What is wrong with the id of a job.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownJob {
    /// There is no such job
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownJob(ProblemDocument),
}

/// Why somebody cannot cancel a job.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NotYours {
    /// The header `Job-Token` is missing, or no token
    #[response(status = 400, content_type = "application/problem+json")]
    NoToken(ProblemDocument),
    /// Others asked for the job
    #[response(status = 403, content_type = "application/problem+json")]
    NotYours(ProblemDocument),
}

/// What the operator does not allow.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NotAllowed {
    /// The operator does not allow it
    #[response(status = 403, content_type = "application/problem+json")]
    NotAllowed(ProblemDocument),
}

/// What is wrong with the name of a study.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownStudy {
    /// There is no such study
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownStudy(ProblemDocument),
}

/// What is wrong with the name of a table.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownTable {
    /// There is no such table
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownTable(ProblemDocument),
}

/// Why questions are not answered now.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NotReady {
    /// The service starts or stops
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemDocument),
}

/// Why the same request may be answered later.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum Later {
    /// The client asks too often, or too much is waiting; Retry-After says when to come again
    #[response(status = 429, content_type = "application/problem+json")]
    TooMany(ProblemDocument),
    /// The service starts or stops, or the answer needs a table that lies elsewhere and is not reached (the type
    /// `urn:marquis:problem:tables-not-reached`); Retry-After says when to come again
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemDocument),
}
