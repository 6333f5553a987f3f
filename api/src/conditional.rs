//! Conditional requests and byte ranges.
//!
//! Handlers answer as if there were neither. This module decides by the `ETag` and `Last-Modified` of the response
//! whether to send it, and which part.
//!
//! Source: RFC 9110 §13, "Conditional Requests", and §14, "Range Requests".

use std::time::{Duration, SystemTime};

use actix_web::body::{BoxBody, MessageBody, None as Nothing};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    self, ETAG, EntityTag, HeaderMap, HeaderName, IfMatch, IfModifiedSince, IfNoneMatch, IfRange,
    IfUnmodifiedSince, LAST_MODIFIED, RANGE, Range,
};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage as _};

use crate::problem::Problem;
use crate::ranges;

/// The headers that handlers do not see.
const TAKEN: [HeaderName; 6] = [
    header::IF_MATCH,
    header::IF_NONE_MATCH,
    header::IF_MODIFIED_SINCE,
    header::IF_UNMODIFIED_SINCE,
    header::IF_RANGE,
    RANGE,
];

/// Sends a response only if the conditions of its request hold, and only the requested ranges.
pub(crate) async fn answer(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let asked = RequestConditions::take(&mut request);
    let response = next.call(request).await?.map_into_boxed_body();
    Ok(match asked {
        Some(asked) if response.status() == StatusCode::OK => asked.of(response),
        _ => response,
    })
}

/// The conditions and the ranges of a request.
struct RequestConditions {
    if_match: Option<IfMatch>,
    if_none_match: Option<IfNoneMatch>,
    if_modified_since: Option<SystemTime>,
    if_unmodified_since: Option<SystemTime>,
    if_range: Option<IfRange>,
    /// An `If-Range` that cannot be parsed never holds.
    has_if_range: bool,
    range: Option<Range>,
}

impl RequestConditions {
    /// Takes the headers from a request; `None` if there are none, or if the method is neither GET nor HEAD.
    fn take(request: &mut ServiceRequest) -> Option<Self> {
        let is_get = *request.method() == Method::GET;
        if !is_get && *request.method() != Method::HEAD {
            return None;
        }
        if !TAKEN.iter().any(|name| request.headers().contains_key(name)) {
            return None;
        }
        let asked = Self {
            if_match: request.get_header(),
            if_none_match: request.get_header(),
            if_modified_since: request.get_header().map(|IfModifiedSince(date)| date.into()),
            if_unmodified_since: request.get_header().map(|IfUnmodifiedSince(date)| date.into()),
            if_range: request.get_header(),
            has_if_range: request.headers().contains_key(header::IF_RANGE),
            // Ranges apply to GET only.
            range: if is_get { range(request.headers()) } else { None },
        };
        for name in TAKEN {
            request.headers_mut().remove(name);
        }
        Some(asked)
    }

    /// The response to send: the whole one, a part of it, or nothing. RFC 9110 §13.2.2.
    fn of(&self, response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
        let found = Validators::of(response.headers());
        if !self.may_be_sent(&found) {
            return response.error_response(Problem::precondition_failed());
        }
        if self.is_known(&found) {
            return not_modified(response);
        }
        match &self.range {
            Some(range) if self.is_range_of(&found) => ranges::part(response, range),
            _ => response,
        }
    }

    fn may_be_sent(&self, found: &Validators) -> bool {
        match (&self.if_match, self.if_unmodified_since, found.modified) {
            (Some(IfMatch::Any), ..) => true,
            (Some(IfMatch::Items(tags)), ..) => found.is_any(tags, EntityTag::strong_eq),
            (None, Some(since), Some(modified)) => modified <= since,
            (None, ..) => true,
        }
    }

    fn is_known(&self, found: &Validators) -> bool {
        match (&self.if_none_match, self.if_modified_since, found.modified) {
            (Some(IfNoneMatch::Any), ..) => true,
            (Some(IfNoneMatch::Items(tags)), ..) => found.is_any(tags, EntityTag::weak_eq),
            (None, Some(since), Some(modified)) => modified <= since,
            (None, ..) => false,
        }
    }

    /// Whether the client has other parts of the same bytes.
    fn is_range_of(&self, found: &Validators) -> bool {
        match &self.if_range {
            Some(IfRange::EntityTag(tag)) => found.tag.as_ref().is_some_and(|own| own.strong_eq(tag)),
            Some(IfRange::Date(date)) => found.modified.is_some_and(|modified| {
                // A file that changed twice within a second has the same date.
                let age = SystemTime::now().duration_since(modified).unwrap_or_default();
                SystemTime::from(*date) == modified && age > Duration::from_secs(1)
            }),
            None => !self.has_if_range,
        }
    }
}

/// The validators of a response.
struct Validators {
    tag: Option<EntityTag>,
    modified: Option<SystemTime>,
}

impl Validators {
    fn of(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let date = text(LAST_MODIFIED).and_then(|text| text.parse::<header::HttpDate>().ok());
        Self { tag: text(ETAG).and_then(|text| text.parse().ok()), modified: date.map(SystemTime::from) }
    }

    fn is_any(&self, tags: &[EntityTag], equal: fn(&EntityTag, &EntityTag) -> bool) -> bool {
        self.tag.as_ref().is_some_and(|own| tags.iter().any(|tag| equal(own, tag)))
    }
}

/// The ranges of a request; `None` if the header is ignored: several headers, or another unit.
fn range(headers: &HeaderMap) -> Option<Range> {
    let mut said = headers.get_all(RANGE);
    let text = said.next()?.to_str().ok()?.to_ascii_lowercase();
    text.parse().ok().filter(|range| matches!(range, Range::Bytes(_)) && said.next().is_none())
}

/// The bare head of a response, for a client that has the body.
fn not_modified(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let mut bare = response.map_body(|_, _| BoxBody::new(Nothing::new()));
    *bare.response_mut().status_mut() = StatusCode::NOT_MODIFIED;
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::CONTENT_DISPOSITION] {
        bare.headers_mut().remove(name);
    }
    bare
}
