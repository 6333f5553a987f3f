//! Writes the initial files of every corpus: `cargo run --release --manifest-path tests/fuzz/Cargo.toml --example
//! seeds`.

use std::path::Path;
use std::{fs, io};

use marquis_fuzz::seeds;

type Make = fn(&Path) -> io::Result<()>;

fn main() -> io::Result<()> {
    let kinds: &[(&str, Make)] = &[
        ("table", seeds::tables),
        ("proof", seeds::proofs),
        ("record", seeds::records),
        ("checkpoint", seeds::checkpoints),
        #[cfg(feature = "service")]
        ("job", seeds::jobs),
    ];
    for (kind, make) in kinds {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(kind);
        fs::create_dir_all(&corpus)?;
        make(&corpus)?;
        println!("{kind}: {} files in {}", fs::read_dir(&corpus)?.count(), corpus.display());
    }
    Ok(())
}
