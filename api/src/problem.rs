//! The error responses of the service.
//!
//! Source: RFC 9457, Problem Details for HTTP APIs.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_ENCODING, ALLOW, CONTENT_RANGE, HeaderName, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use marquis_engine::{EngineError, Registry, causes};
use marquis_wire::study::StudyHead;
use marquis_wire::{MemorySize, in_words};
use serde::Serialize;

/// The media type of problem documents.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// The reason why a request got no answer.
#[derive(Clone, Debug)]
pub struct Problem {
    kind: ProblemKind,
    detail: String,
    fault: Option<InvalidPart>,
    /// A header that names the accepted values.
    header: Option<Box<(HeaderName, Cow<'static, str>)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProblemKind {
    BadInput,
    UnknownGame,
    UnknownJob,
    NotYours,
    NotAllowed,
    NotFound,
    UnknownHelper,
    HelperRefused,
    StudyClosed,
    OtherStudy,
    NotCurrent,
    MethodNotAllowed,
    PreconditionFailed,
    NoSuchRange,
    BodyTooLarge,
    BodyTooSlow,
    UnsupportedMediaType,
    QueueFull,
    TooManyRequests,
    Unavailable,
    NotReached,
    Internal,
    Refused(StatusCode),
}

/// The invalid part of the input.
#[derive(Clone, Debug)]
struct InvalidPart {
    place: String,
    expected: String,
    found: String,
}

/// A problem as it is sent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct ProblemDocument {
    /// The type of the problem: `urn:marquis:problem:bad-input`.
    #[serde(rename = "type")]
    kind: String,
    /// The reason phrase of the status.
    title: &'static str,
    status: u16,
    /// The error, for people.
    detail: String,
    /// The id of the request, which is also in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
    /// The invalid part of the input: a parameter, a row, a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// The expected value.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    /// The value found instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
}

impl ProblemKind {
    /// Name and status.
    fn facts(self) -> (&'static str, StatusCode) {
        match self {
            Self::BadInput => ("bad-input", StatusCode::BAD_REQUEST),
            Self::UnknownGame => ("unknown-game", StatusCode::NOT_FOUND),
            Self::UnknownJob => ("unknown-job", StatusCode::NOT_FOUND),
            Self::NotYours => ("not-yours", StatusCode::FORBIDDEN),
            Self::NotAllowed => ("not-allowed", StatusCode::FORBIDDEN),
            Self::NotFound => ("not-found", StatusCode::NOT_FOUND),
            Self::UnknownHelper => ("unknown-helper", StatusCode::NOT_FOUND),
            Self::HelperRefused => ("helper-refused", StatusCode::FORBIDDEN),
            Self::StudyClosed => ("study-closed", StatusCode::CONFLICT),
            Self::OtherStudy => ("other-study", StatusCode::CONFLICT),
            Self::NotCurrent => ("not-current", StatusCode::CONFLICT),
            Self::MethodNotAllowed => ("method-not-allowed", StatusCode::METHOD_NOT_ALLOWED),
            Self::PreconditionFailed => ("precondition-failed", StatusCode::PRECONDITION_FAILED),
            Self::NoSuchRange => ("no-such-range", StatusCode::RANGE_NOT_SATISFIABLE),
            Self::BodyTooLarge => ("body-too-large", StatusCode::PAYLOAD_TOO_LARGE),
            Self::BodyTooSlow => ("body-too-slow", StatusCode::REQUEST_TIMEOUT),
            Self::UnsupportedMediaType => ("unsupported-media-type", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            Self::QueueFull => ("queue-full", StatusCode::TOO_MANY_REQUESTS),
            Self::TooManyRequests => ("too-many-requests", StatusCode::TOO_MANY_REQUESTS),
            Self::Unavailable => ("unavailable", StatusCode::SERVICE_UNAVAILABLE),
            Self::NotReached => ("tables-not-reached", StatusCode::SERVICE_UNAVAILABLE),
            Self::Internal => ("internal", StatusCode::INTERNAL_SERVER_ERROR),
            Self::Refused(status) => ("refused", status),
        }
    }

    /// The seconds in `Retry-After`.
    fn retry_after(self) -> Option<&'static str> {
        match self {
            Self::QueueFull | Self::TooManyRequests | Self::Unavailable => Some("2"),
            // By then the remote tables have been polled again.
            Self::NotReached => Some("10"),
            _ => None,
        }
    }
}

impl Problem {
    fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), fault: None, header: None }
    }

    /// `found` at `place` instead of the `expected` input: 400.
    pub(crate) fn bad_input(place: &str, expected: &str, found: &str) -> Self {
        let found = if found.is_empty() { "nothing".to_owned() } else { shortened(found) };
        Self::faulty(InvalidPart { place: place.to_owned(), expected: expected.to_owned(), found })
    }

    /// A request that exceeds a fixed limit: 400.
    ///
    /// * `place`: the part of the request that exceeds it.
    /// * `what`: the limited resource and its purpose.
    pub(crate) fn too_large(place: &str, what: &str, needed: u64, limit: u64) -> Self {
        // Sums saturate at 64 bits.
        let found =
            if needed == u64::MAX { "more than can be counted" } else { &MemorySize(needed).to_string() };
        let expected = format!("at most {} of {what}", MemorySize(limit));
        Self::faulty(InvalidPart { place: place.to_owned(), expected, found: found.to_owned() })
    }

    fn faulty(fault: InvalidPart) -> Self {
        let InvalidPart { place, expected, found } = &fault;
        let detail = format!("{place}: expected {expected}, found {found}");
        Self { fault: Some(fault), ..Self::new(ProblemKind::BadInput, detail) }
    }

    /// A parser error in the query or the body: 400.
    pub(crate) fn malformed(part: &str, error: &dyn fmt::Display) -> Self {
        Self::new(ProblemKind::BadInput, format!("{part}: {error}"))
    }

    pub(crate) fn unknown_game(registry: &Registry, name: &str) -> Self {
        let known = registry.names();
        Self::new(ProblemKind::UnknownGame, format!("expected one of {known}; found {}", shortened(name)))
    }

    pub(crate) fn unknown_job(id: &str) -> Self {
        Self::new(
            ProblemKind::UnknownJob,
            format!("no job with the id {}; see `Location` in the response that started it", shortened(id)),
        )
    }

    pub(crate) fn not_allowed() -> Self {
        let detail = "this service does not build tables; the operator can allow it with `generate = true`";
        Self::new(ProblemKind::NotAllowed, detail)
    }

    pub(crate) fn no_proof(id: &str) -> Self {
        let detail = format!("no proof {}, or it was deleted", shortened(id));
        Self::new(ProblemKind::NotFound, detail)
    }

    pub(crate) fn not_yours(id: &str) -> Self {
        let detail = format!("{}: the header `Job-Token` is not a token of this job", shortened(id));
        Self::new(ProblemKind::NotYours, detail)
    }

    pub(crate) fn unknown_table(name: &str) -> Self {
        Self::new(ProblemKind::NotFound, format!("no table {} is loaded; see /v1/tables", shortened(name)))
    }

    pub(crate) fn unknown_study(name: &str) -> Self {
        Self::new(ProblemKind::NotFound, format!("no study {} is shown; see /v1/studies", shortened(name)))
    }

    pub(crate) fn no_helpers() -> Self {
        let detail = "this service takes no helpers; the operator can allow some with `helpers = 64`";
        Self::new(ProblemKind::NotAllowed, detail)
    }

    pub(crate) fn unknown_helper(id: &str) -> Self {
        let detail = format!("no helper {}, or it was silent for too long; join again", shortened(id));
        Self::new(ProblemKind::UnknownHelper, detail)
    }

    /// A result of the client was malformed or did not hold: 403.
    pub(crate) fn helper_refused(seconds: u64) -> Self {
        let detail = "a result of this client did not hold; it is not served for some time";
        let problem = Self::new(ProblemKind::HelperRefused, detail);
        Self { header: Some(Box::new((RETRY_AFTER, seconds.to_string().into()))), ..problem }
    }

    pub(crate) fn study_closed(why: &str) -> Self {
        Self::new(ProblemKind::StudyClosed, format!("the study takes no helpers: {why}; see /v1/studies"))
    }

    /// A helper that expects another study than the `kept` one: 409.
    pub(crate) fn other_study(kept: &StudyHead, found: &StudyHead) -> Self {
        let [expected, found]: [String; 2] =
            [kept, found].map(|head| head.to_string().chars().take(200).collect());
        let detail = format!("expected a helper for {expected}, found one for {found}; use the same version");
        Self::new(ProblemKind::OtherStudy, detail)
    }

    pub(crate) fn not_current() -> Self {
        let detail = "expected the result of the current job, found another; read the job again";
        Self::new(ProblemKind::NotCurrent, detail)
    }

    pub(crate) fn too_many_helpers(most: usize) -> Self {
        let detail = format!("expected at most {most} helpers, found as many; retry in a moment");
        Self::new(ProblemKind::QueueFull, detail)
    }

    pub(crate) fn not_found(path: &str) -> Self {
        Self::new(ProblemKind::NotFound, format!("this service has no address {}", shortened(path)))
    }

    pub(crate) fn method_not_allowed(allow: &'static str) -> Self {
        let problem = Self::new(ProblemKind::MethodNotAllowed, format!("this address allows only {allow}"));
        Self { header: Some(Box::new((ALLOW, allow.into()))), ..problem }
    }

    /// The client's version does not match the current one: 412.
    pub(crate) fn precondition_failed() -> Self {
        Self::new(
            ProblemKind::PreconditionFailed,
            "the resource has changed: it does not match If-Match or If-Unmodified-Since",
        )
    }

    /// The requested ranges contain no byte of the file: 416.
    pub(crate) fn no_such_range(length: u64) -> Self {
        let problem = Self::new(ProblemKind::NoSuchRange, format!("the file has {length} bytes"));
        Self { header: Some(Box::new((CONTENT_RANGE, format!("bytes */{length}").into()))), ..problem }
    }

    pub(crate) fn body_too_large(limit: usize) -> Self {
        Self::new(ProblemKind::BodyTooLarge, format!("the body is too large: at most {limit} bytes"))
    }

    pub(crate) fn body_too_slow(patience: Duration) -> Self {
        Self::new(
            ProblemKind::BodyTooSlow,
            format!("the body did not arrive within {} s", patience.as_secs()),
        )
    }

    pub(crate) fn unsupported_media_type() -> Self {
        Self::new(ProblemKind::UnsupportedMediaType, "send the body with Content-Type: application/json")
    }

    /// The content coding of the body is not supported: 415, with the supported ones.
    ///
    /// * `accepted`: the supported codings, as in the header.
    pub(crate) fn unsupported_coding(found: &str, accepted: &'static str) -> Self {
        let detail =
            format!("Content-Encoding: expected one of {accepted}, or none; found {}", shortened(found));
        let problem = Self::new(ProblemKind::UnsupportedMediaType, detail);
        Self { header: Some(Box::new((ACCEPT_ENCODING, accepted.into()))), ..problem }
    }

    pub(crate) fn queue_full() -> Self {
        Self::new(
            ProblemKind::QueueFull,
            "the queue is full; retry in a moment, or ask about positions in tables",
        )
    }

    pub(crate) fn too_many_requests() -> Self {
        Self::new(ProblemKind::TooManyRequests, "this client sends too many requests; retry in a moment")
    }

    pub(crate) fn too_much_under_way(most: usize) -> Self {
        let detail = format!("a client may have {most} of these at the same time; wait for one or cancel it");
        Self::new(ProblemKind::TooManyRequests, detail)
    }

    pub(crate) fn starting() -> Self {
        Self::new(ProblemKind::Unavailable, "the service is starting: tables are being opened or built")
    }

    /// The answer may need a table of the starter set that is not built yet: 503.
    pub(crate) fn building() -> Self {
        let detail = "the service is starting: a table that may answer this is being built; retry in a moment, or set a budget \
                      for a search";
        Self::new(ProblemKind::Unavailable, detail)
    }

    /// The service is starting and waits for remote tables.
    pub(crate) fn starting_without(address: &str) -> Self {
        let detail = format!(
            "the service is starting: the tables at {address} cannot be reached; the service keeps trying"
        );
        Self::new(ProblemKind::NotReached, detail)
    }

    /// The answer needs a remote table that cannot be asked now: 503.
    pub(crate) fn not_reached() -> Self {
        let detail = "the answer needs a remote table that cannot be reached now; the value of the position stays \
                      unknown; retry in a moment";
        Self::new(ProblemKind::NotReached, detail)
    }

    /// Whether a remote table cannot be asked.
    pub(crate) fn is_not_reached(&self) -> bool {
        self.kind == ProblemKind::NotReached
    }

    /// A file that is not sent because it is remote.
    pub(crate) fn lies_elsewhere(name: &str, address: &str) -> Self {
        Self::new(
            ProblemKind::NotFound,
            format!("{} is a remote table; download it from {address}", shortened(name)),
        )
    }

    pub(crate) fn stopping() -> Self {
        Self::new(ProblemKind::Unavailable, "the service is stopping")
    }

    pub(crate) fn waited_too_long() -> Self {
        Self::new(ProblemKind::Unavailable, "no thread became free in time; retry in a moment")
    }

    /// The work under way fills its memory or its time: 503.
    pub(crate) fn no_room(what: &str) -> Self {
        Self::new(
            ProblemKind::Unavailable,
            format!("{what} in progress leave no memory for more; retry in a moment"),
        )
    }

    /// A bug in the program; its details are only logged: 500.
    pub(crate) fn internal() -> Self {
        Self::new(ProblemKind::Internal, "the server failed; see its log under the id of this request")
    }

    /// A refusal of the framework with a bare status.
    pub(crate) fn refused(status: StatusCode) -> Self {
        let detail = status.canonical_reason().unwrap_or("refused");
        Self::new(ProblemKind::Refused(status), detail)
    }

    /// The document; `instance` is the id of the request.
    pub(crate) fn document(&self, instance: Option<&str>) -> ProblemDocument {
        let (name, status) = self.kind.facts();
        let title = status.canonical_reason().unwrap_or_default();
        let part = |of: fn(&InvalidPart) -> &String| self.fault.as_ref().map(|fault| of(fault).clone());
        ProblemDocument {
            kind: format!("urn:marquis:problem:{name}"),
            title,
            status: status.as_u16(),
            detail: self.detail.clone(),
            instance: instance.map(str::to_owned),
            place: part(|fault| &fault.place),
            expected: part(|fault| &fault.expected),
            found: part(|fault| &fault.found),
        }
    }

    /// The response; `instance` is the id of the request.
    pub(crate) fn response(&self, instance: Option<&str>) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.content_type(MEDIA_TYPE);
        if self.kind == ProblemKind::BodyTooSlow {
            // The rest of the body may still arrive; it is not a request.
            response.force_close();
        }
        if let Some(seconds) = self.kind.retry_after() {
            response.insert_header((RETRY_AFTER, seconds));
        }
        if let Some((name, value)) = self.header.as_deref() {
            response.insert_header((name, value.as_ref()));
        }
        // The document holds texts and a number: it always serializes.
        response.body(serde_json::to_vec(&self.document(instance)).unwrap_or_default())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.kind.facts().1
    }

    fn error_response(&self) -> HttpResponse {
        self.response(None)
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::BadInput(text) => {
                Self::faulty(InvalidPart { place: text.place, expected: text.expected, found: text.found })
            }
            EngineError::NotForThisGame(unsuited) => Self::new(ProblemKind::BadInput, unsuited.to_string()),
            EngineError::NeverFits { what, needed, most } => Self::faulty(InvalidPart {
                place: "memory".to_owned(),
                expected: format!("at most {} for {what}", in_words(most.into())),
                found: in_words(needed),
            }),
            EngineError::LimitReached(detail) => Self::new(ProblemKind::Unavailable, detail),
            EngineError::TooLarge { what, needed, limit } => {
                Self::too_large("memory", &format!("memory for {what}"), needed, limit)
            }
            EngineError::Ranks(_) | EngineError::OfRank { .. } => {
                Self::new(ProblemKind::Unavailable, error.to_string())
            }
            EngineError::Interrupted => Self::new(ProblemKind::Unavailable, "the work was stopped; retry"),
            error if error.is_elsewhere() => {
                tracing::warn!(error = %causes(&error), "a request needs a remote table that cannot be reached");
                Self::not_reached()
            }
            EngineError::File(_) => {
                // The client must not see paths of the server.
                tracing::error!(error = %causes(&error), "a question failed");
                Self::new(ProblemKind::Unavailable, "a table cannot be read; see the server's log")
            }
            EngineError::Refuted(_) => {
                tracing::error!(error = %causes(&error), "a question failed");
                Self::internal()
            }
        }
    }
}

/// At most 60 characters of the text, quoted.
fn shortened(text: &str) -> String {
    let head: String = text.chars().take(60).flat_map(char::escape_default).collect();
    if text.chars().nth(60).is_some() { format!("`{head}…`") } else { format!("`{head}`") }
}
