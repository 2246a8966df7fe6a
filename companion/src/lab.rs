//! Hands commands over to the laboratory, a program of its own: what researchers need and other users
//! do not.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use anyhow::{Context as _, Result, bail};

use crate::output;

/// The laboratory's program, and its package.
const PROGRAM: &str = "graphground-lab";
/// A file that a clone has.
const MANIFEST: &str = "companion/lab/Cargo.toml";

/// What `graphground --help` says of the laboratory.
pub(crate) const HELP: &str = "For researchers, in the program graphground-lab, which these words start: train, finetune, data, \
                        prompts, meaning, tokens, record, cassette, cypher-tck.";
/// What `graphground kg --help` says of it.
pub(crate) const KG_HELP: &str = "For researchers, in the program graphground-lab, which these words start: corrupt, mutate, hints, \
                           tiny, versus, wordnet.";

/// The words after a command, which the laboratory reads.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Words {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

macro_rules! handed_over {
    ($(#[$doc:meta])* $name:ident: $($command:ident),+) => {
        $(#[$doc])*
        #[derive(clap::Subcommand)]
        pub(crate) enum $name {
            $(#[command(hide = true)]
            #[doc = "In the laboratory."]
            $command(Words),)+
        }
    };
}

handed_over! {
    /// The laboratory's commands.
    Command: Train, Finetune, Data, Prompts, Meaning, Tokens, Record, Cassette, CypherTck
}
handed_over! {
    /// Those about knowledge graphs.
    KgCommand: Corrupt, Mutate, Hints, Tiny, Versus, Wordnet
}
handed_over! {
    /// Those about inline tool calls.
    ToolformerCommand: Communities
}

/// Whether a command line is for the laboratory though this program has the command too: people who
/// read answers beside `judge` and `claims`.
pub(crate) fn is_for_readers(words: &[OsString]) -> bool {
    let is_reading = |word: &OsString| {
        let word = word.to_string_lossy();
        ["--draw", "--labels"].iter().any(|flag| {
            word.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    };
    words.first().is_some_and(|word| word == "judge" || word == "claims")
        && words.iter().any(is_reading)
}

/// Lets the laboratory do what this program was started for.
///
/// # Errors
/// It is not here, with how to get it; or it does not compile.
pub(crate) fn hand_over() -> Result<ExitCode> {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let mut command = process::Command::new(program()?);
    #[cfg(unix)]
    let _keys = crate::keys::hand_on(&mut command)?;
    run(command.args(words)).with_context(|| format!("cannot start {PROGRAM}"))
}

/// Becomes the other program, so that a signal to this one reaches it.
#[cfg(unix)]
fn run(command: &mut process::Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

#[cfg(not(unix))]
fn run(command: &mut process::Command) -> io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Where the program is: the one that `GRAPHGROUND_LAB` names, that of the clone which this program is
/// from, the one beside this program, or one that the system finds.
fn program() -> Result<PathBuf> {
    if let Some(named) = env::var_os("GRAPHGROUND_LAB") {
        return Ok(named.into());
    }
    let own = env::current_exe().context("cannot find where this program is")?;
    let folder = own.parent().unwrap_or(Path::new("."));
    let file = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    if let Some(clone) = folder.ancestors().find(|folder| folder.join(MANIFEST).is_file()) {
        build(clone, folder.ends_with("release"))?;
        return Ok(folder.join(file));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let places = std::iter::once(folder.to_owned()).chain(env::split_paths(&path));
    if let Some(found) = places.map(|place| place.join(&file)).find(|path| path.is_file()) {
        return Ok(found);
    }
    bail!(
        "this command is in {PROGRAM}, which is neither beside {} nor on the PATH; in a clone of the \
         project, `cargo install --path companion/lab` installs it",
        own.display()
    )
}

/// Builds the program of a clone, which takes minutes the first time.
fn build(clone: &Path, is_release: bool) -> Result<()> {
    let mut cargo = process::Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(clone).args(["build", "--quiet", "--package", PROGRAM]);
    if is_release {
        cargo.arg("--release");
    }
    output::complain(&format!(
        "building {PROGRAM} where it is not up to date (minutes the first time)"
    ));
    let status = cargo.status().context("cannot start cargo, which builds the laboratory")?;
    if !status.success() {
        bail!("{PROGRAM} does not build; cargo's messages are above");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_reads_answers_gets_the_laboratory() {
        let is_for =
            |line: &str| is_for_readers(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(is_for("judge answers.jsonl --labels who.tsv"));
        assert!(is_for("claims --draw=20 answers.jsonl"));
        assert!(!is_for("judge answers.jsonl --json"));
        assert!(!is_for("claims answers.jsonl --without 3"));
        assert!(!is_for("report --labels runs.jsonl"));
    }
}
