//! Numbers what page and worker say to each other, by the sources that it is made of.

// It is how a build script talks to cargo.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The crates whose types cross. Whatever changes them compiles this crate again anyway.
const CRATES: [&str; 10] =
    ["agent", "draw", "eval", "graph", "kg", "llm", "protocol", "systems", "tasks", "trace"];

fn main() -> io::Result<()> {
    // FNV-1a: page and worker may be built by compilers whose own hashers differ.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for name in CRATES {
        let folder = format!("../{name}/src");
        println!("cargo:rerun-if-changed={folder}");
        let mut files = Vec::new();
        collect(Path::new(&folder), &mut files)?;
        files.sort();
        for file in files {
            for byte in fs::read(file)? {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    println!("cargo:rustc-env=GRAPHGROUND_PROTOCOL={hash:016x}");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
