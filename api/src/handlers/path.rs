//! What the paths of calls hold, as the description tells it.

use utoipa::ToSchema;

/// The games, as paths name them; which ones there are the registry says.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the text that a path holds")]
pub(crate) struct Game(String);
