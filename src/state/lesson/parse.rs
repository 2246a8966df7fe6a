//! Reading a lesson's file.

use std::fmt;

use draw::LayoutKind;
use tasks::{Difficulty, TaskId, Verdict};

use super::inline::spans;
use super::{
    AnswerBlock, Block, ClaimsBlock, Lesson, LookBlock, Player, Predict, ProblemBlock,
    ProblemSource, Quoted, RecordedBlock, RescueBlock, RunBlock, Span, Systems, ThoughtsBlock,
};

/// The longest file that is read, in bytes.
const MAX_BYTES: usize = 100_000;

/// What is wrong with a lesson's file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for LessonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for LessonError {}

type Result<T> = std::result::Result<T, LessonError>;

fn fault<T>(line: usize, message: impl Into<String>) -> Result<T> {
    Err(LessonError { line, message: message.into() })
}

/// Reads a lesson.
///
/// # Errors
/// What is wrong, with its line.
pub fn parse(text: &str) -> Result<Lesson> {
    if text.len() > MAX_BYTES {
        let n = text.len();
        return fault(1, format!("a lesson of {n} bytes; at most {MAX_BYTES} are read"));
    }
    let lines: Vec<&str> = text.lines().collect();
    if lines.first().map(|l| l.trim_end()) != Some("---") {
        return fault(1, "a lesson begins with a line \"---\", its title, idea and minutes");
    }
    let Some(end) = lines.iter().skip(1).position(|l| l.trim_end() == "---").map(|i| i + 1) else {
        return fault(lines.len(), "the head of the lesson is not closed with a line \"---\"");
    };
    let head = Fields::read(1, "head", &lines[1..end], 2, ':')?;
    head.only(&["title", "idea", "minutes"])?;
    let (line, minutes) = head.one("minutes")?;
    let Some(minutes) = minutes.parse().ok().filter(|m| (1..=90).contains(m)) else {
        return fault(line, format!("{minutes:?} are no minutes from 1 to 90"));
    };
    let (title, idea) = (head.one("title")?.1.to_owned(), head.one("idea")?.1.to_owned());
    let blocks = body(&lines, end + 1)?;
    Ok(Lesson { title, idea, minutes, blocks })
}

/// What a line of text goes on with.
enum Open {
    Nothing,
    Paragraph(String),
    Items(bool, Vec<String>),
}

impl Open {
    fn close(&mut self, blocks: &mut Vec<Block>) {
        match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => {}
            Self::Paragraph(words) => blocks.push(Block::Paragraph(spans(&words))),
            Self::Items(ordered, items) => {
                let items = items.iter().map(|i| spans(i)).collect::<Vec<Vec<Span>>>();
                blocks.push(Block::List { ordered, items });
            }
        }
    }
}

fn body(lines: &[&str], from: usize) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut open = Open::Nothing;
    let mut has_problem = false;
    let mut at = from;
    while at < lines.len() {
        let (line, text) = (at + 1, lines[at].trim_end());
        at += 1;
        if let Some(kind) = text.strip_prefix("```") {
            open.close(&mut blocks);
            let inside = &lines[at..];
            let Some(n) = inside.iter().position(|l| l.trim_end() == "```") else {
                return fault(
                    line,
                    format!("the block {kind:?} is not closed with a line \"```\""),
                );
            };
            let block = typed(kind.trim(), line, &inside[..n], has_problem)?;
            has_problem |= matches!(block, Block::Problem(_));
            blocks.push(block);
            at += n + 1;
        } else if let Some(words) = text.strip_prefix("## ") {
            open.close(&mut blocks);
            blocks.push(Block::Heading(spans(words.trim())));
        } else if text.starts_with('#') {
            return fault(line, format!("{text:?}: a heading in a lesson begins with \"## \""));
        } else if text.trim().is_empty() {
            open.close(&mut blocks);
        } else if let Some((ordered, item)) = item(text) {
            match &mut open {
                Open::Items(same, items) if *same == ordered => items.push(item.to_owned()),
                other => {
                    other.close(&mut blocks);
                    open = Open::Items(ordered, vec![item.to_owned()]);
                }
            }
        } else {
            let words = text.trim();
            match &mut open {
                Open::Paragraph(so_far) => *so_far = format!("{so_far} {words}"),
                Open::Items(_, items) => {
                    if let Some(last) = items.last_mut() {
                        *last = format!("{last} {words}");
                    }
                }
                Open::Nothing => open = Open::Paragraph(words.to_owned()),
            }
        }
    }
    open.close(&mut blocks);
    Ok(blocks)
}

/// An item of a list: whether it is numbered, and its words.
fn item(text: &str) -> Option<(bool, &str)> {
    if let Some(words) = text.strip_prefix("- ") {
        return Some((false, words.trim()));
    }
    let (number, words) = text.split_once(". ")?;
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| (true, words.trim()))
}

/// The kinds of blocks, each with its reader and whether it needs a problem above.
type Reader = fn(&Fields<'_>, Option<String>) -> Result<Block>;
const KINDS: [(&str, bool, Reader); 10] = [
    ("problem", false, problem),
    ("run", true, run),
    ("claims", true, claims),
    ("answer", true, answer),
    ("look", true, look),
    ("predict", false, predict),
    ("notes", false, notes),
    ("rescue", false, rescue),
    ("thoughts", false, thoughts),
    ("recorded", false, recorded),
];

fn typed(kind: &str, line: usize, inside: &[&str], has_problem: bool) -> Result<Block> {
    let Some((name, needs, read)) = KINDS.iter().find(|(name, ..)| *name == kind) else {
        let known: Vec<&str> = KINDS.iter().map(|(name, ..)| *name).collect();
        let known = known.join(", ");
        return fault(line, format!("{kind:?} is no kind of block; there are {known}"));
    };
    if *needs && !has_problem {
        return fault(line, format!("a block {name:?} needs a problem above it"));
    }
    let cut = inside.iter().position(|l| l.trim_end() == "---");
    let fields = Fields::read(line, name, &inside[..cut.unwrap_or(inside.len())], line + 1, '=')?;
    let text = cut.map(|cut| inside[cut + 1..].join("\n").trim().to_owned());
    read(&fields, text.filter(|t| !t.is_empty()))
}

/// The `key = value` lines of a block.
struct Fields<'t> {
    /// Where the block begins.
    line: usize,
    kind: &'t str,
    list: Vec<(usize, &'t str, &'t str)>,
}

impl<'t> Fields<'t> {
    fn read(
        line: usize,
        kind: &'t str,
        lines: &[&'t str],
        first: usize,
        mark: char,
    ) -> Result<Self> {
        let mut list = Vec::new();
        for (i, text) in lines.iter().enumerate().filter(|(_, t)| !t.trim().is_empty()) {
            let Some((key, value)) = text.split_once(mark) else {
                let message = format!("{text:?} is no line such as \"name {mark} value\"");
                return fault(first + i, message);
            };
            list.push((first + i, key.trim(), value.trim()));
        }
        Ok(Self { line, kind, list })
    }

    fn only(&self, known: &[&str]) -> Result<()> {
        match self.list.iter().find(|(_, key, _)| !known.contains(key)) {
            None => Ok(()),
            Some((line, key, _)) => {
                let (kind, known) = (self.kind, known.join(", "));
                let message = if known.is_empty() {
                    format!(
                        "{key:?} is nothing of a {kind:?}: its text stands below a line \"---\""
                    )
                } else {
                    format!("{key:?} is nothing of a {kind:?}; it has {known}")
                };
                fault(*line, message)
            }
        }
    }

    fn all(&self, key: &str) -> impl Iterator<Item = (usize, &'t str)> {
        self.list.iter().filter(move |(_, k, _)| *k == key).map(|(line, _, v)| (*line, *v))
    }

    fn maybe(&self, key: &str) -> Result<Option<(usize, &'t str)>> {
        let mut found = self.all(key);
        match (found.next(), found.next()) {
            (_, Some((line, _))) => fault(line, format!("{key:?} is given twice")),
            (Some((line, "")), None) => fault(line, format!("{key:?} is empty")),
            (found, None) => Ok(found),
        }
    }

    fn one(&self, key: &str) -> Result<(usize, &'t str)> {
        match self.maybe(key)? {
            Some(found) => Ok(found),
            None => fault(self.line, format!("{:?} lacks {key:?}", self.kind)),
        }
    }
}

const LAYOUTS: [(&str, LayoutKind); 4] = [
    ("circle", LayoutKind::Circle),
    ("force", LayoutKind::Force),
    ("columns", LayoutKind::Columns),
    ("layers", LayoutKind::Layers),
];

fn problem(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["task", "difficulty", "seed", "layout", "name"])?;
    let names = names(fields)?;
    let layout = match fields.maybe("layout")? {
        None => None,
        Some((line, word)) => match LAYOUTS.iter().find(|(name, _)| *name == word) {
            Some((_, kind)) => Some(*kind),
            None => {
                let known: Vec<&str> = LAYOUTS.iter().map(|(name, _)| *name).collect();
                let known = known.join(", ");
                return fault(line, format!("{word:?} is no layout; there are {known}"));
            }
        },
    };
    if let Some(text) = text {
        let made = |key: &str| !matches!(key, "layout" | "name");
        return match fields.list.iter().find(|(_, key, _)| made(key)) {
            None => {
                let source = ProblemSource::Question(text);
                Ok(Block::Problem(ProblemBlock { source, layout, names }))
            }
            Some((line, ..)) => fault(*line, "a problem is made or has a text, not both"),
        };
    }
    let (line, name) = fields.one("task")?;
    let Some(task) = TaskId::from_name(name) else {
        let known: Vec<&str> = TaskId::ALL.iter().map(|t| t.as_str()).collect();
        return fault(line, format!("{name:?} is no task; there are {}", known.join(", ")));
    };
    // Which of the levels a task has is asked of the engine: the list of tasks would make the page
    // larger by all that they do.
    let (line, level) = fields.one("difficulty")?;
    let Some(difficulty) = Difficulty::from_name(level) else {
        return fault(line, format!("{level:?} is no level; there are easy, medium, hard"));
    };
    let (line, seed) = fields.one("seed")?;
    let Ok(seed) = seed.parse() else {
        return fault(line, format!("{seed:?} is no seed; a whole number is"));
    };
    let source = ProblemSource::Made { task, difficulty, seed };
    Ok(Block::Problem(ProblemBlock { source, layout, names }))
}

/// What people call nodes, as lines `name = NODE: NAME`.
fn names(fields: &Fields<'_>) -> Result<Vec<(String, String)>> {
    const MOST: usize = 100;
    let mut names: Vec<(String, String)> = Vec::new();
    for (line, words) in fields.all("name") {
        let Some((node, name)) = words.split_once(':') else {
            return fault(line, format!("{words:?} names no node; \"name = 0: Ann\" does"));
        };
        let (node, name) = (node.trim().to_owned(), name.trim().to_owned());
        if node.is_empty() || name.is_empty() || name.chars().count() > 20 {
            return fault(line, format!("{words:?}: a node and a name of at most 20 characters"));
        }
        if names.iter().any(|(n, _)| *n == node) {
            return fault(line, format!("node {node} has a name already"));
        }
        if names.len() == MOST {
            return fault(line, format!("more than {MOST} names"));
        }
        names.push((node, name));
    }
    Ok(names)
}

fn notes(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&[])?;
    let Some(text) = text else {
        return fault(fields.line, "the notes are missing below a line \"---\"");
    };
    let paragraphs = text.split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(Block::Notes(paragraphs.filter(|p| !p.is_empty()).map(|p| spans(&p)).collect()))
}

const VERDICTS: [(&str, Verdict); 4] = [
    ("Correct", Verdict::Correct),
    ("Partial", Verdict::Partial),
    ("Wrong", Verdict::Incorrect),
    ("NoAnswer", Verdict::NoAnswer),
];

fn verdict(line: usize, word: &str) -> Result<Verdict> {
    match VERDICTS.iter().find(|(name, _)| *name == word) {
        Some((_, verdict)) => Ok(*verdict),
        None => {
            let known: Vec<&str> = VERDICTS.iter().map(|(name, _)| *name).collect();
            fault(line, format!("{word:?} is no verdict; there are {}", known.join(", ")))
        }
    }
}

fn run(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["system", "script", "model", "expect", "attach"])?;
    no_text(fields, text.as_ref())?;
    let (line, system) = fields.one("system")?;
    let systems = match system {
        "grounded" => Systems::Grounded,
        "standalone" => Systems::Standalone,
        "both" => Systems::Both,
        other => {
            let message = format!("{other:?} is no system; there are grounded, standalone, both");
            return fault(line, message);
        }
    };
    let (line, words) = fields.one("expect")?;
    let each = words.split(',').map(|word| verdict(line, word.trim()));
    let expect = each.collect::<Result<Vec<_>>>()?;
    if expect.len() != systems.ids().len() {
        let (n, found) = (systems.ids().len(), expect.len());
        return fault(line, format!("{found} verdicts for {n} systems; each has one"));
    }
    let attach = match fields.maybe("attach")? {
        None | Some((_, "no")) => false,
        Some((_, "yes")) => true,
        Some((line, other)) => {
            return fault(line, format!("{other:?}: \"attach\" is yes or no"));
        }
    };
    let players = players(fields, expect.len())?;
    Ok(Block::Run(RunBlock { systems, players, expect, attach }))
}

/// Who answers for each of so many systems.
fn players(fields: &Fields<'_>, n: usize) -> Result<Vec<Player>> {
    if let Some((line, model)) = fields.maybe("model")? {
        if fields.maybe("script")?.is_some() {
            return fault(line, "a \"run\" has a \"model\" or a \"script\", not both");
        }
        own(line, model)?;
        return Ok(vec![Player::Own; n]);
    }
    let (line, names) = fields.one("script")?;
    let scripts = names.split(',').map(|name| Player::Script(name.trim().to_owned()));
    let mut scripts: Vec<Player> = scripts.collect();
    if scripts.len() == 1 {
        scripts.resize(n, scripts[0].clone());
    }
    if scripts.len() != n {
        let found = scripts.len();
        return fault(line, format!("{found} scripts for {n} systems; one plays all, or each one"));
    }
    Ok(scripts)
}

fn own(line: usize, model: &str) -> Result<()> {
    match model {
        "own" => Ok(()),
        other => fault(line, format!("{other:?} is no model of lessons; own is")),
    }
}

fn claims(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["false", "model"])?;
    let (line, n) = fields.one("false")?;
    let Ok(n_false) = n.parse() else {
        return fault(line, format!("{n:?} is no number of false claims"));
    };
    let quoted = match fields.maybe("model")? {
        None => None,
        Some((_, "own")) => Some(Quoted::Own),
        Some((_, "smollm2")) => Some(Quoted::Smollm2),
        Some((line, other)) => {
            return fault(line, format!("{other:?} is quoted nowhere; own and smollm2 are"));
        }
    };
    match text {
        Some(text) => Ok(Block::Claims(ClaimsBlock { n_false, quoted, text })),
        None => fault(fields.line, "a text that claims something is missing below a line \"---\""),
    }
}

fn answer(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["expect"])?;
    let (line, word) = fields.one("expect")?;
    let expect = verdict(line, word)?;
    match text {
        Some(text) => Ok(Block::Answer(AnswerBlock { expect, text })),
        None => fault(fields.line, "the answer is missing below a line \"---\""),
    }
}

fn look(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["word"])?;
    let word = fields.one("word")?.1.to_owned();
    match text {
        Some(answer) if answer.contains(&word) => Ok(Block::Look(LookBlock { word, answer })),
        Some(_) => fault(fields.line, format!("the answer does not have the word {word:?}")),
        None => fault(fields.line, "the answer is missing below a line \"---\""),
    }
}

fn predict(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["ask", "choice", "right", "because"])?;
    no_text(fields, text.as_ref())?;
    let ask = fields.one("ask")?.1.to_owned();
    let because = fields.one("because")?.1.to_owned();
    let right_words = fields.one("right")?.1;
    let listed = fields.list.iter().filter(|(_, key, _)| matches!(*key, "choice" | "right"));
    let choices: Vec<String> = listed.map(|(.., value)| (*value).to_owned()).collect();
    if !(2..=6).contains(&choices.len()) {
        let n = choices.len();
        return fault(fields.line, format!("{n} choices; a question has 2 to 6"));
    }
    let right = choices.iter().position(|c| c == right_words).unwrap_or_default();
    Ok(Block::Predict(Predict { ask, choices, right, because }))
}

fn rescue(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["script", "say", "finds"])?;
    no_text(fields, text.as_ref())?;
    let (line, script) = fields.one("script")?;
    if !matches!(script, "script" | "mistaken") {
        return fault(line, format!("{script:?} plays no rescue; script and mistaken do"));
    }
    Ok(Block::Rescue(RescueBlock {
        script: script.to_owned(),
        say: fields.one("say")?.1.to_owned(),
        finds: fields.all("finds").map(|(_, words)| words.to_owned()).collect(),
    }))
}

fn thoughts(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["task", "method", "script", "expect"])?;
    no_text(fields, text.as_ref())?;
    let (line, number) = fields.one("task")?;
    let index = match number.parse::<usize>() {
        Ok(number) if number >= 1 => number - 1,
        _ => return fault(line, format!("{number:?} is no number of a task")),
    };
    let has_graph = match fields.one("method")? {
        (_, "graph") => true,
        (_, "no graph") => false,
        (line, other) => {
            return fault(line, format!("{other:?} is no method; there are graph, no graph"));
        }
    };
    let (line, script) = fields.one("script")?;
    if !matches!(script, "script" | "hasty") {
        return fault(line, format!("{script:?} solves no task; script and hasty do"));
    }
    let (line, word) = fields.one("expect")?;
    let expect = verdict(line, word)?;
    Ok(Block::Thoughts(ThoughtsBlock { index, has_graph, script: script.to_owned(), expect }))
}

fn recorded(fields: &Fields<'_>, text: Option<String>) -> Result<Block> {
    fields.only(&["run", "expect"])?;
    no_text(fields, text.as_ref())?;
    let (line, run) = fields.one("run")?;
    if super::recorded::find(run).is_none() {
        let known: Vec<&str> = super::recorded::RUNS.iter().map(|(name, _)| *name).collect();
        return fault(line, format!("{run:?} was not recorded; there are {}", known.join(", ")));
    }
    let (line, word) = fields.one("expect")?;
    Ok(Block::Recorded(RecordedBlock { run: run.to_owned(), expect: verdict(line, word)? }))
}

fn no_text(fields: &Fields<'_>, text: Option<&String>) -> Result<()> {
    match text {
        None => Ok(()),
        Some(_) => fault(fields.line, format!("a block {:?} has no text", fields.kind)),
    }
}
