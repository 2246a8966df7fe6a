//! Holds the figures in documents to the commands that measured them.
//!
//! A block begins with `<!-- measured: COMMAND; commit 1234abc; 2026-11-23 -->` and ends with
//! `<!-- /measured -->`. Where each row of a table has a command of its own, the block begins with
//! `<!-- measured: by row -->`, and the last cell of a row is its commit and day. What a person
//! counted says `by hand` in the place of a command. The commit is the one whose code was measured.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail, ensure};

use crate::steps::{output, root, say};
use crate::words;

const BEGIN: &str = "<!-- measured: ";
const END: &str = "<!-- /measured -->";
const BY_ROW: &str = "by row";
/// What a person counted.
const BY_HAND: &str = "by hand";

/// Where every table and every output stands in a block.
const WHOLE: &str = "docs/measurements.md";

/// Figures with what they are from.
struct Block {
    /// Line of its beginning, from 1.
    line: usize,
    /// The command, or [`BY_ROW`].
    command: String,
    /// What follows the command: commit and day; empty where they stand in the rows.
    from: String,
    /// The lines between the marks.
    body: Vec<String>,
}

/// The blocks of a document, and marks that belong to none.
fn blocks(text: &str) -> (Vec<Block>, Vec<(usize, String)>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    let mut open: Option<Block> = None;
    for (i, line) in text.lines().enumerate() {
        if let Some(head) = line.strip_prefix(BEGIN) {
            if open.is_some() {
                faults.push((i + 1, "a block begins within another".into()));
            }
            let head = head.strip_suffix(" -->").unwrap_or_else(|| {
                faults.push((i + 1, "the beginning of a block ends with \" -->\"".into()));
                head
            });
            let (command, from) = head.split_once("; ").unwrap_or((head, ""));
            open = Some(Block {
                line: i + 1,
                command: command.into(),
                from: from.into(),
                body: Vec::new(),
            });
        } else if line == END {
            match open.take() {
                Some(block) => found.push(block),
                None => faults.push((i + 1, "a block ends that has not begun".into())),
            }
        } else if let Some(block) = &mut open {
            block.body.push(line.into());
        }
    }
    if let Some(block) = open {
        faults.push((block.line, format!("no {END:?} ends this block")));
    }
    (found, faults)
}

/// Whether this is `commit 1234abc; 2026-11-23`, or in a row `1234abc, 2026-11-23`.
fn is_commit_and_day(commit: &str, day: &str) -> bool {
    let is_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    let form: Vec<u8> = day.bytes().map(|b| if b.is_ascii_digit() { b'0' } else { b }).collect();
    (7..=40).contains(&commit.len()) && commit.bytes().all(is_hex) && form == b"0000-00-00"
}

/// The commands that there are.
struct Commands {
    root: PathBuf,
    xtask: clap::Command,
    /// All that the companion's commands are written in, to find their options.
    options: String,
}

/// Where commands are: the companion's, and those that it hands over to its laboratory.
const COMMANDS: [&str; 2] = ["companion/src/commands", "companion/lab/src/commands"];

impl Commands {
    fn new(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for folder in COMMANDS {
            words::files(&root.join(folder), &["rs"], &mut files)?;
        }
        let texts: std::io::Result<Vec<String>> =
            files.iter().map(std::fs::read_to_string).collect();
        Ok(Self { root: root.into(), xtask: crate::command_line(), options: texts?.concat() })
    }

    /// What is wrong with a command, if anything is.
    fn fault(&self, line: &str) -> Option<String> {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        match tokens.as_slice() {
            ["cargo", "xtask", name, rest @ ..] => {
                let Some(command) = self.xtask.find_subcommand(name) else {
                    return Some(format!("there is no `cargo xtask {name}`"));
                };
                let known =
                    |flag: &str| command.get_arguments().any(|a| a.get_long() == Some(flag));
                flags(rest)
                    .find(|flag| !known(flag))
                    .map(|flag| format!("`cargo xtask {name}` has no option --{flag}"))
            }
            ["cargo", "build" | "test" | "bench" | "run", ..] => None,
            ["python3", path, ..] => {
                (!self.root.join(path).exists()).then(|| format!("there is no file {path:?}"))
            }
            ["graphground", name, rest @ ..] => self.companion(name, rest),
            _ => Some(format!("{line:?} is no command of cargo xtask, of graphground or of cargo")),
        }
    }

    fn companion(&self, name: &str, rest: &[&str]) -> Option<String> {
        let folders: Vec<PathBuf> = COMMANDS
            .iter()
            .map(|folder| self.root.join(folder))
            .filter(|folder| subcommands(&folder.join("mod.rs")).contains(name))
            .collect();
        if folders.is_empty() {
            return Some(format!("there is no `graphground {name}`"));
        }
        let files = [format!("{name}/mod.rs"), format!("{name}.rs")];
        let below: BTreeSet<String> = folders
            .iter()
            .flat_map(|folder| files.iter().flat_map(|file| subcommands(&folder.join(file))))
            .collect();
        if let Some(sub) = rest.first()
            && !below.is_empty()
            && !below.contains(*sub)
        {
            return Some(format!("there is no `graphground {name} {sub}`"));
        }
        let known = |flag: &str| {
            let field = format!(" {}:", flag.replace('-', "_"));
            self.options.contains(&field) || self.options.contains(&format!("\"{flag}\""))
        };
        flags(rest)
            .find(|flag| !known(flag))
            .map(|flag| format!("`graphground {name}` has no option --{flag}"))
    }
}

/// The long options of a command line, without strokes and values.
fn flags<'a>(tokens: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    tokens
        .iter()
        .filter_map(|t| t.strip_prefix("--"))
        .map(|t| t.split('=').next().unwrap_or(t))
        .filter(|t| !t.is_empty())
}

/// The variants of the `enum Command` in a file, as they are typed; none where there is no such
/// enum.
fn subcommands(file: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let Some((_, body)) = text.split_once("enum Command {\n") else { return BTreeSet::new() };
    let body = body.split("\n}").next().unwrap_or(body);
    let variants = body.lines().map(str::trim).filter(|l| l.starts_with(char::is_uppercase));
    let name = |line: &str| {
        let end = line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len());
        let mut typed = String::new();
        for (i, letter) in line[..end].chars().enumerate() {
            if letter.is_uppercase() && i > 0 {
                typed.push('-');
            }
            typed.extend(letter.to_lowercase());
        }
        typed
    };
    variants.map(name).collect()
}

/// What is wrong with a block.
fn faults(block: &Block, commands: &Commands) -> Vec<(usize, String)> {
    if block.command == BY_ROW {
        return row_faults(block, commands);
    }
    let mut found: Vec<(usize, String)> = block
        .command
        .split(" && ")
        .filter(|command| *command != BY_HAND)
        .filter_map(|command| commands.fault(command))
        .map(|fault| (block.line, fault))
        .collect();
    let is_well_formed = block
        .from
        .strip_prefix("commit ")
        .and_then(|from| from.split_once("; "))
        .is_some_and(|(commit, day)| is_commit_and_day(commit, day));
    if !is_well_formed {
        found.push((block.line, format!("{:?} is no \"commit 1234abc; 2026-11-23\"", block.from)));
    }
    found
}

/// What is wrong with the rows of a table that says for each what it is from.
fn row_faults(block: &Block, commands: &Commands) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let rows = block.body.iter().enumerate().filter(|(_, line)| line.starts_with('|')).skip(2);
    for (i, row) in rows {
        let line = block.line + 1 + i;
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [.., command, from] = cells.as_slice() else {
            found.push((line, "a row has no cells for its command and its commit".into()));
            continue;
        };
        for command in command.split('`').skip(1).step_by(2) {
            found.extend(commands.fault(command).map(|fault| (line, fault)));
        }
        if !from.split_once(", ").is_some_and(|(commit, day)| is_commit_and_day(commit, day)) {
            found.push((line, format!("{from:?} is no \"1234abc, 2026-11-23\"")));
        }
    }
    found
}

/// Commands that a document shows, in a block of code or in a line, and that do not exist.
fn shown(text: &str, commands: &Commands) -> Vec<(usize, String)> {
    let mut is_code = false;
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let pieces: Vec<&str> =
            if is_code { vec![line] } else { line.split('`').skip(1).step_by(2).collect() };
        for piece in pieces {
            let command = piece.split(" #").next().unwrap_or(piece).trim();
            let is_ours = command.starts_with("cargo xtask ")
                || command.strip_prefix("graphground ").is_some_and(|c| !c.starts_with("--"));
            if is_ours {
                found.extend(commands.fault(command).map(|fault| (i + 1, fault)));
            }
        }
    }
    found
}

/// Tables and outputs that stand in no block.
fn outside(text: &str) -> Vec<(usize, String)> {
    let mut is_inside = false;
    let mut found = Vec::new();
    let mut before = "";
    for (i, line) in text.lines().enumerate() {
        is_inside = (is_inside || line.starts_with(BEGIN)) && line != END;
        let begins = |mark| line.starts_with(mark) && !before.starts_with(mark);
        if !is_inside && (begins("|") || begins("```")) {
            found.push((i + 1, format!("figures stand in a block; begin one with {BEGIN:?}")));
        }
        before = line;
    }
    found
}

fn documents(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = vec![root.join("README.md")];
    words::files(&root.join("docs"), &["md"], &mut found)?;
    Ok(found)
}

/// Checks the figures of this workspace.
///
/// # Errors
///
/// Every block whose command does not exist or whose commit or day is not well-formed.
pub fn check() -> Result<()> {
    let root = root();
    let commands = Commands::new(&root)?;
    let (mut n_blocks, mut found) = (0, Vec::new());
    for document in documents(&root)? {
        let name = words::name_of(&root, &document);
        let text = std::fs::read_to_string(&document)?;
        let (blocks, mut wrong) = blocks(&text);
        n_blocks += blocks.len();
        wrong.extend(blocks.iter().flat_map(|block| faults(block, &commands)));
        if name == WHOLE {
            wrong.extend(outside(&text));
        }
        if name == "README.md" {
            wrong.extend(shown(&text, &commands));
        }
        found.extend(wrong.into_iter().map(|(line, fault)| format!("{name}:{line}: {fault}")));
    }
    if !found.is_empty() {
        bail!("these figures do not say what they are from:\n  {}", found.join("\n  "));
    }
    say(&format!("figures: {n_blocks} blocks say what they are from"));
    Ok(())
}

/// Writes what a command measured into every block of that command, with commit and day.
///
/// # Errors
///
/// No block has this command, or there are changes that no commit has, so that the figures would
/// be from no commit.
pub fn write(command: &str, text: &str) -> Result<()> {
    let root = root();
    let commit = commit()?;
    let head = format!("{BEGIN}{command}; commit {commit}; {} -->", today());
    let mut n_written = 0;
    for document in documents(&root)? {
        let before = std::fs::read_to_string(&document)?;
        let after = replaced(&before, command, &head, text);
        if after != before {
            std::fs::write(&document, after)?;
            say(&format!("{} has the figures", words::name_of(&root, &document)));
            n_written += 1;
        }
    }
    ensure!(n_written > 0, "no document has a block of `{command}`");
    Ok(())
}

/// The commit that figures of now are of.
///
/// # Errors
/// There are changes beside documents that no commit has.
pub fn commit() -> Result<String> {
    let git = |args: &[&str]| {
        output(Command::new("git").args(args).current_dir(root()))
            .with_context(|| format!("`git {}` failed", args.join(" ")))
    };
    let changes = git(&["status", "--porcelain"])?;
    ensure!(
        changes.lines().all(|line| line.ends_with(".md") || line.ends_with("results.json")),
        "commit your changes first: figures name the commit that was measured"
    );
    git(&["rev-parse", "--short=7", "HEAD"])
}

/// A document with the blocks of a command written again.
fn replaced(document: &str, command: &str, head: &str, text: &str) -> String {
    let of_command = format!("{BEGIN}{command}; ");
    let mut out = String::new();
    let mut is_old = false;
    for line in document.lines() {
        if line.starts_with(&of_command) {
            is_old = true;
            out.push_str(&format!("{head}\n\n```\n{}\n```\n\n", text.trim_end()));
        } else if line == END {
            is_old = false;
        }
        if !is_old {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Runs the commands of the companion whose output stands in blocks, and writes it there.
///
/// # Errors
///
/// No such command has `part` in it, or one fails.
pub fn measure(part: &str) -> Result<()> {
    let mut commands = BTreeSet::new();
    for document in documents(&root())? {
        let text = std::fs::read_to_string(document)?;
        let is_output = |block: &Block| {
            let mut lines = block.body.iter().filter(|line| !line.is_empty());
            block.command.starts_with("graphground ")
                && block.command.contains(part)
                && lines.next().is_some_and(|line| line == "```")
        };
        commands.extend(blocks(&text).0.into_iter().filter(is_output).map(|block| block.command));
    }
    ensure!(!commands.is_empty(), "no block has the output of a `graphground` with {part:?} in it");
    for command in commands {
        say(&command);
        let line =
            command.replacen("graphground", "cargo run --quiet --release --bin graphground --", 1);
        let text = output(Command::new("sh").args(["-c", &line]).current_dir(root()))
            .with_context(|| format!("`{command}` failed"))?;
        write(&command, &text)?;
    }
    Ok(())
}

/// The day in UTC, as `2026-11-23`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    day(seconds / 86_400)
}

/// The day so many days after 1970 began. Years begin with March here, so that a leap day is the
/// last of its year.
fn day(days: u64) -> String {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_faults(text: &str) -> Vec<(usize, String)> {
        let commands = Commands::new(&root()).unwrap();
        let (blocks, mut found) = blocks(text);
        found.extend(blocks.iter().flat_map(|b| faults(b, &commands)));
        found
    }

    #[test]
    fn a_block_of_a_command_that_exists_passes() {
        let text = "<!-- measured: cargo xtask peers --texts; commit 84998c2; 2026-11-23 -->\n\
            | 1 |\n<!-- /measured -->\n\
            <!-- measured: graphground kg corrupt --kg F && graphground verify a.json; commit 84998c2; 2026-11-23 -->\n\
            <!-- /measured -->\n\
            <!-- measured: by row -->\n| what | figure | command | from |\n|---|---|---|---|\n\
            | a | 1 | `graphground judge FILE` | 84998c2, 2026-11-23 |\n<!-- /measured -->\n";
        assert_eq!(all_faults(text), []);
    }

    #[test]
    fn what_is_no_measurement_is_refused() {
        for (text, part) in [
            (
                "<!-- measured: cargo xtask wish; commit 84998c2; 2026-11-23 -->\n<!-- /measured -->",
                "no `cargo xtask wish`",
            ),
            (
                "<!-- measured: cargo xtask dist --fast; commit 84998c2; 2026-11-23 -->\n<!-- /measured -->",
                "no option --fast",
            ),
            (
                "<!-- measured: graphground guess; commit 84998c2; 2026-11-23 -->\n<!-- /measured -->",
                "no `graphground guess`",
            ),
            (
                "<!-- measured: graphground kg guess; commit 84998c2; 2026-11-23 -->\n<!-- /measured -->",
                "no `graphground kg guess`",
            ),
            (
                "<!-- measured: graphground verify --wishes; commit 84998c2; 2026-11-23 -->\n<!-- /measured -->",
                "no option --wishes",
            ),
            (
                "<!-- measured: a look; commit 84998c2; 2026-11-23 -->\n<!-- /measured -->",
                "is no command",
            ),
            (
                "<!-- measured: cargo xtask dist; commit HEAD; 2026-11-23 -->\n<!-- /measured -->",
                "is no \"commit",
            ),
            (
                "<!-- measured: cargo xtask dist; commit 84998c2; today -->\n<!-- /measured -->",
                "is no \"commit",
            ),
            (
                "<!-- measured: cargo xtask dist; commit 84998c2; 2026-11-23 -->\n",
                "ends this block",
            ),
            ("<!-- /measured -->", "has not begun"),
            (
                "<!-- measured: by row -->\n| a | b | c |\n|---|---|---|\n| 1 | `cargo xtask dist` | soon |\n<!-- /measured -->",
                "\"soon\" is no",
            ),
        ] {
            let found = all_faults(text);
            assert!(found.len() == 1 && found[0].1.contains(part), "{text}: {found:?}");
        }
        assert_eq!(outside("a\n| 1 |\n| 2 |\n").len(), 1);
    }

    #[test]
    fn a_command_writes_its_block_and_no_other() {
        let text = "# A\n<!-- measured: cargo xtask dist; commit 84998c2; 2026-11-23 -->\n1\n<!-- /measured -->\nb\n\
            <!-- measured: cargo xtask deny; commit 84998c2; 2026-11-23 -->\n2\n<!-- /measured -->\n";
        let found = replaced(text, "cargo xtask dist", "HEAD", "3\n4\n");
        assert_eq!(
            found,
            "# A\nHEAD\n\n```\n3\n4\n```\n\n<!-- /measured -->\nb\n\
            <!-- measured: cargo xtask deny; commit 84998c2; 2026-11-23 -->\n2\n<!-- /measured -->\n"
        );
    }

    #[test]
    fn days_are_told_as_people_write_them() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(11_016), "2000-02-29");
        assert_eq!(day(20_780), "2026-11-23");
    }

    #[test]
    fn the_figures_of_this_workspace_say_what_they_are_from() {
        check().unwrap();
    }
}
