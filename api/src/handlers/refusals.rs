//! The error responses in the API description, each kind once.

use utoipa::IntoResponses;

use crate::problem::ProblemDocument;

/// Errors in a question.
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

/// Errors in an address that names a game.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownGame {
    /// There is no such game
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownGame(ProblemDocument),
}

/// Errors in a body as such.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum FaultyBody {
    /// The body has not arrived in time
    #[response(status = 408, content_type = "application/problem+json")]
    TooSlow(ProblemDocument),
    /// The body is too large
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemDocument),
    /// The body is not JSON, or its content coding is not one of Accept-Encoding
    #[response(status = 415, content_type = "application/problem+json")]
    NotJson(ProblemDocument),
}

/// Failed preconditions of a resource with a tag or a date.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum Changed {
    /// The resource does not match If-Match or If-Unmodified-Since
    #[response(status = 412, content_type = "application/problem+json")]
    Changed(ProblemDocument),
}

/// Errors in the ranges of a file.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NoSuchRange {
    /// There is no such range; Content-Range gives the length of the file
    #[response(status = 416, content_type = "application/problem+json")]
    NoSuchRange(ProblemDocument),
}

/// Errors in the id of a job.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownJob {
    /// There is no such job
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownJob(ProblemDocument),
}

/// Reasons why a client cannot cancel a job.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NotYours {
    /// The header `Job-Token` is missing or malformed
    #[response(status = 400, content_type = "application/problem+json")]
    NoToken(ProblemDocument),
    /// The job belongs to other clients
    #[response(status = 403, content_type = "application/problem+json")]
    NotYours(ProblemDocument),
}

/// Calls that the operator does not allow.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NotAllowed {
    /// The operator does not allow it
    #[response(status = 403, content_type = "application/problem+json")]
    NotAllowed(ProblemDocument),
}

/// Errors in the name of a study.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownStudy {
    /// There is no such study
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownStudy(ProblemDocument),
}

/// Reasons why a client cannot help.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NoHelpers {
    /// The operator does not allow helpers (the type `urn:marquis:problem:not-allowed`), or a result of this client was
    /// refused (`urn:marquis:problem:helper-refused`); Retry-After then says for how long
    #[response(status = 403, content_type = "application/problem+json")]
    NoHelpers(ProblemDocument),
}

/// Reasons why a client cannot join a study.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NotJoined {
    /// The body is wrong
    #[response(status = 400, content_type = "application/problem+json")]
    BadInput(ProblemDocument),
    /// The study takes no helpers now (the type `urn:marquis:problem:study-closed`), or is about something else
    /// (`urn:marquis:problem:other-study`)
    #[response(status = 409, content_type = "application/problem+json")]
    Closed(ProblemDocument),
}

/// Reasons why a result is not accepted.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NotDelivered {
    /// The body is not a result
    #[response(status = 400, content_type = "application/problem+json")]
    BadInput(ProblemDocument),
    /// It is not the result of the current job, which may have been cancelled
    #[response(status = 409, content_type = "application/problem+json")]
    NotCurrent(ProblemDocument),
}

/// Errors in the wait for a job.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum BadWait {
    /// The wait is not a number, or too long
    #[response(status = 400, content_type = "application/problem+json")]
    BadInput(ProblemDocument),
}

/// Errors in the id of a helper.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownHelper {
    /// There is no such helper, or it was silent for too long; join again
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownHelper(ProblemDocument),
}

/// Errors in the name of a table.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum UnknownTable {
    /// There is no such table
    #[response(status = 404, content_type = "application/problem+json")]
    UnknownTable(ProblemDocument),
}

/// Reasons why the service cannot answer now.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum NotReady {
    /// The service starts or stops
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemDocument),
}

/// Reasons to retry the same request later.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes responses")]
pub(super) enum Later {
    /// The client makes too many requests, or too many are waiting; Retry-After says when to retry
    #[response(status = 429, content_type = "application/problem+json")]
    TooMany(ProblemDocument),
    /// The service starts or stops, or the answer needs a remote table that cannot be reached (the type
    /// `urn:marquis:problem:tables-not-reached`); Retry-After says when to retry
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(ProblemDocument),
}
