//! Prints the traces of a file and the notes on it as JSON, for `crates/trace/peers/programs.py`.

use std::io::Write as _;

use serde_json::json;
use trace::formats;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    for path in std::env::args().skip(1) {
        let read = match formats::open(&std::fs::read(&path)?) {
            Ok(read) => json!({
                "format": read.format.id, "notes": read.notes.lines(), "records": read.records,
            }),
            Err(error) => json!({ "refused": error.to_string() }),
        };
        writeln!(out, "{read}")?;
    }
    Ok(())
}
