//! What a built module needs before a browser loads it. `cargo xtask` runs this program; it stands
//! apart because its libraries take longer to compile than all the rest of `xtask`.

mod compressed;
mod glue;
mod one_file;
mod parts;
mod sizes;

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;

#[derive(Parser)]
#[command(about = "Packs built WebAssembly modules; `cargo xtask` runs it")]
enum Command {
    /// Write a module with its JavaScript glue into a folder, which is replaced.
    Glue(glue::Args),
    /// Write the page as one HTML file.
    OneFile(one_file::Args),
    /// Write a gzip and a brotli copy beside each file of a folder that gets smaller by it.
    Compress {
        /// The folder.
        folder: PathBuf,
    },
    /// List what fills modules: code by crate, data, repeated functions.
    Sizes {
        /// The modules, as the compiler left them.
        modules: Vec<PathBuf>,
    },
}

fn main() -> Result<()> {
    match Command::parse() {
        Command::Glue(args) => glue::run(&args),
        Command::OneFile(args) => one_file::run(&args),
        Command::Compress { folder } => compressed::run(&folder),
        Command::Sizes { modules } => sizes::run(&modules),
    }
}
