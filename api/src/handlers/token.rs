//! The header `Job-Token`, by which a client is told from others.

use actix_web::HttpRequest;
use utoipa::IntoParams;

use crate::identity::Token;
use crate::problem::Problem;

/// What the header is called.
const NAME: &str = "Job-Token";
const EXPECTED: &str = "the 32 hexadecimal digits that came with a job";

/// Whose job it is.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a header")]
pub(super) struct Header {
    /// The token that came with the job
    #[param(
        rename = "Job-Token",
        min_length = 32,
        max_length = 32,
        pattern = "^[0-9a-f]{32}$",
        example = "0123456789abcdef0123456789abcdef"
    )]
    token: String,
}

/// The same, where a new token is made for who has none.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a header")]
pub(super) struct OptionalHeader {
    /// A token of yours, so that all of your jobs have the same; a new one is made where nothing is said
    #[param(rename = "Job-Token", min_length = 32, max_length = 32, pattern = "^[0-9a-f]{32}$")]
    token: Option<String>,
}

/// The token of a request, if there is one.
///
/// # Errors
/// The header holds something else.
pub(super) fn said(request: &HttpRequest) -> Result<Option<Token>, Problem> {
    let Some(text) = request.headers().get(NAME) else { return Ok(None) };
    let text = String::from_utf8_lossy(text.as_bytes());
    Token::read(&text).map(Some).ok_or_else(|| Problem::bad_input(NAME, EXPECTED, &text))
}

/// The same, where there has to be one.
///
/// # Errors
/// There is none, or something else.
pub(super) fn required(request: &HttpRequest) -> Result<Token, Problem> {
    said(request)?.ok_or_else(|| Problem::bad_input(NAME, EXPECTED, ""))
}
