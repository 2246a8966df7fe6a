//! Reads and writes graph files for another program that does the same, `peers/formats.py`.
//!
//! `cargo run -p graph --example formats -- FOLDER`: each file `read/NAME` becomes `seen/NAME.json`, an
//! object with `graph` and `notes`, or with `error`; each `write/NAME` becomes `written/NAME.FORMAT` in
//! every format that writes it.

use std::error::Error;
use std::fs;
use std::path::Path;

use graph::formats::{FORMATS, open};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder")?;
    let folder = Path::new(&folder);
    for name in ["seen", "written"] {
        fs::create_dir_all(folder.join(name))?;
    }
    for entry in fs::read_dir(folder.join("read"))? {
        let path = entry?.path();
        let seen = match open(&fs::read_to_string(&path)?) {
            Ok((format, read)) => {
                let graph = &read.graph;
                let edges: Vec<Value> = graph
                    .edges()
                    .map(|e| json!([e.source.to_string(), e.target.to_string(), e.weight]))
                    .collect();
                let nodes: Vec<String> = graph.names().map(ToString::to_string).collect();
                json!({
                    "format": format.id,
                    "directed": graph.is_directed(),
                    "nodes": nodes,
                    "edges": edges,
                    "notes": read.notes.lines(),
                })
            }
            Err(error) => json!({ "error": error.to_string() }),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        fs::write(folder.join("seen").join(name + ".json"), seen.to_string())?;
    }
    for entry in fs::read_dir(folder.join("write"))? {
        let path = entry?.path();
        let (_, read) = open(&fs::read_to_string(&path)?)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for format in FORMATS {
            if let Some(Ok(text)) = format.write.map(|write| write(&read.graph)) {
                fs::write(folder.join("written").join(format!("{name}.{}", format.id)), text)?;
            }
        }
    }
    Ok(())
}
