//! The header `Job-Token`, which identifies a client.

use actix_web::HttpRequest;

use crate::identity::Token;
use crate::problem::Problem;

/// The name of the header.
const NAME: &str = "Job-Token";
const EXPECTED: &str = "the 32 hexadecimal digits received with a job";

/// The owner of a job.
#[cfg(test)]
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a header")]
pub(super) struct OwnerHeader {
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

/// The same, with a new token for a client that has none.
#[cfg(test)]
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a header")]
pub(super) struct OptionalHeader {
    /// A token of your choice, so that all of your jobs have the same; by default a new one is made
    #[param(rename = "Job-Token", min_length = 32, max_length = 32, pattern = "^[0-9a-f]{32}$")]
    token: Option<String>,
}

/// The token of a request, if there is one.
///
/// # Errors
/// The header is not a token.
pub(super) fn said(request: &HttpRequest) -> Result<Option<Token>, Problem> {
    let Some(text) = request.headers().get(NAME) else { return Ok(None) };
    let text = String::from_utf8_lossy(text.as_bytes());
    Token::read(&text).map(Some).ok_or_else(|| Problem::bad_input(NAME, EXPECTED, &text))
}

/// The token of a request that requires one.
///
/// # Errors
/// The header is missing, or not a token.
pub(super) fn required(request: &HttpRequest) -> Result<Token, Problem> {
    said(request)?.ok_or_else(|| Problem::bad_input(NAME, EXPECTED, ""))
}
