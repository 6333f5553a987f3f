//! The path parameters of calls, for the API description.

use utoipa::ToSchema;

/// The name of a game in a path; the registry lists the games.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the text that a path holds")]
pub(crate) struct Game(String);
