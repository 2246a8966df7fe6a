//! Writing to the terminal or a pipe.

use std::io::{self, BufWriter, Write};

use indicatif::{ProgressBar, ProgressStyle};

/// A buffered standard output.
pub(crate) fn stdout() -> BufWriter<io::StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// Writes a line to standard error; if that is closed, there is nobody to tell.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Whether the reader of our output went away.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|e| e.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

/// A bar on the terminal for so many pieces of work; nothing where there is no terminal.
pub(crate) fn bar(n: usize) -> ProgressBar {
    let bar = ProgressBar::new(n as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} {per_sec} left {eta} {msg}")
    {
        bar.set_style(style);
    }
    bar
}
