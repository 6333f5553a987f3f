//! `marquis games`

use serde_json::json;

use crate::exit::Exit;
use crate::output::Output;

pub(crate) fn run(output: Output) -> anyhow::Result<Exit> {
    let games = marquis_engine::games();
    let listed: Vec<_> = games
        .iter()
        .map(|about| {
            let starts: Vec<_> =
                about.starts.iter().map(|(name, position)| json!({"name": name, "position": position})).collect();
            json!({"id": about.id.name(), "variants": about.variants, "grammar": about.grammar, "starts": starts})
        })
        .collect();
    output.answer(&json!({"games": listed}), |_| {
        let mut text = String::new();
        for about in &games {
            text += &format!("{}\n  {}\n  {}\n", about.id, about.variants, about.grammar);
            for (name, position) in &about.starts {
                text += &format!("  {name}  {position}\n");
            }
            text.push('\n');
        }
        text
    })?;
    Ok(Exit::Answered)
}
