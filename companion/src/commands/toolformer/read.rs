//! `graphground toolformer parse`: the calls of texts.

use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;
use systems::toolformer::{Bracket, SyntaxError, sites};

use super::lines::Texts;
use crate::output;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    texts: Texts,
}

/// A line of the output.
#[derive(Serialize)]
struct Parsed {
    line: usize,
    calls: Vec<Option<String>>,
    brackets: Vec<Option<Bracket>>,
    results: Vec<()>,
    errors: Vec<Fault>,
}

/// A bracket that cannot be read.
#[derive(Serialize)]
struct Fault {
    call: usize,
    kind: &'static str,
    message: String,
    #[serde(flatten)]
    error: SyntaxError,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    let (mut n_calls, mut n_faults) = (0, 0);
    for text in args.texts.read()? {
        let mut parsed = Parsed {
            line: text.line,
            calls: Vec::new(),
            brackets: Vec::new(),
            results: Vec::new(),
            errors: Vec::new(),
        };
        for (call, site) in sites(&text.text).into_iter().enumerate() {
            match site.bracket {
                Ok(bracket) => {
                    parsed.calls.push(Some(bracket.tree()));
                    parsed.brackets.push(Some(bracket));
                }
                Err(error) => {
                    let message = error.to_string();
                    parsed.calls.push(None);
                    parsed.brackets.push(None);
                    parsed.errors.push(Fault { call, kind: "syntax", message, error });
                }
            }
        }
        n_calls += parsed.calls.len();
        n_faults += parsed.errors.len();
        if args.texts.json {
            serde_json::to_writer(&mut out, &parsed)?;
            writeln!(out)?;
            continue;
        }
        for tree in parsed.calls.iter().flatten() {
            writeln!(out, "{}: {tree}", parsed.line)?;
        }
        for fault in &parsed.errors {
            writeln!(out, "{}: {}", parsed.line, fault.message)?;
        }
    }
    out.flush()?;
    output::complain(&format!("{n_calls} brackets, {n_faults} of them cannot be read"));
    Ok(ExitCode::SUCCESS)
}
