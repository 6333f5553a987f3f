//! Positions that the service has in its tables: random placements of two to five pieces per side.

use std::collections::HashSet;
use std::io::{Error, Result};
use std::net::SocketAddr;
use std::time::Duration;

use crate::chance::Chance;
use crate::connection::{Connection, post_request};

/// Collects up to `most` distinct positions that are not over and that a table answers.
pub fn collect(address: SocketAddr, most: usize) -> Result<Vec<String>> {
    let mut connection = Connection::open(address)?;
    let mut chance = Chance::seeded(0);
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    // Some placements are over; the bound covers a service without tables.
    for _ in 0..4 * most / 500 {
        let batch: Vec<String> =
            (0..500).map(|_| chance.position()).filter(|text| seen.insert(text.clone())).collect();
        connection.send(&post_request(&batch, false))?;
        while connection.poll()?.is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        for answer in connection.body().split("{\"game\":").skip(1) {
            let position = answer.split("\"position\":\"").nth(1).and_then(|rest| rest.split('"').next());
            let Some(position) = position else { continue };
            if answer.contains("\"over\":null") && answer.contains("\"proof\":\"table\"") {
                found.push(position.to_owned());
            }
        }
        if found.len() >= most {
            break;
        }
    }
    found.truncate(most);
    if found.len() < 2000 {
        return Err(Error::other(
            "fewer than 2000 positions in tables; start the service with the starter set",
        ));
    }
    Ok(found)
}
