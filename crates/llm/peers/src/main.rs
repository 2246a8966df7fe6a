//! Reads calls and thoughts in text with ours and with `tool-parser` and `reasoning-parser`, side by side.
//!
//! Each text is written from calls that are known, so that a reader can be wrong and not only different.
//! Exits with 1 where theirs reads a text right and ours does not, unless ours refuses it on purpose.

mod cases;
mod writers;

use std::collections::BTreeMap;
use std::process::ExitCode;

use futures_executor::block_on;
use llm::{ToolSpec, find_left_calls, split_thoughts};
use openai_protocol::common::Tool;
use serde_json::{Value, json};

use cases::{KnownCall, KnownText, KnownThought};

/// Our forms, of one call each.
const FORMS: &str = include_str!("../../src/left/forms.txt");

fn main() -> ExitCode {
    let is_long = std::env::args().any(|word| word == "-v");
    let mut table = Table::default();
    for case in cases::calls() {
        let (ours, theirs) = (ours(&case.text, case.before), theirs(&case.text, &[case.format]));
        table.add(case.format, &case, &ours, &theirs, is_long);
    }
    let parsers = tool_parser::ParserFactory::new().list_parsers();
    let parsers: Vec<&str> = parsers.iter().map(String::as_str).collect();
    let truth = vec![("has_path".to_owned(), json!({ "source": 1, "target": 2 }))];
    for text in FORMS.trim_end().split("\n=====\n") {
        let case = KnownText {
            format: "our forms, any parser",
            what: text,
            text: text.into(),
            truth: truth.clone(),
            is_refused: false,
            before: "",
        };
        // Theirs may choose the parser that reads the most of it.
        let theirs =
            parsers.iter().map(|parser| theirs(text, &[parser])).find(|calls| *calls == case.truth);
        table.add(
            case.format,
            &case,
            &ours(text, case.before),
            &theirs.unwrap_or_default(),
            is_long,
        );
    }
    for thought in cases::thoughts() {
        table.add_thought(&thought, is_long);
    }
    table.print();
    if table.is_ours_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// What ours reads; a text before it that is not the one that was written is one call too much.
fn ours(text: &str, before: &str) -> Vec<KnownCall> {
    let said = split_thoughts(text).map_or_else(|| text.to_owned(), |(_, said)| said);
    let found = find_left_calls(&said, &specs());
    let is_other = !found.calls.is_empty() && found.text != before.trim();
    let other = is_other.then(|| ("text before".to_owned(), Value::String(found.text)));
    let read = found
        .calls
        .into_iter()
        .map(|call| (call.name, serde_json::from_str(&call.arguments).unwrap_or(Value::Null)));
    read.chain(other).collect()
}

/// What theirs reads with these parsers, the first that finds something.
fn theirs(text: &str, parsers: &[&str]) -> Vec<KnownCall> {
    let tools: Vec<Tool> = specs()
        .into_iter()
        .filter_map(|spec| {
            let function = json!({ "name": spec.name, "parameters": spec.parameters });
            serde_json::from_value(json!({ "type": "function", "function": function })).ok()
        })
        .collect();
    let factory = tool_parser::ParserFactory::new();
    for parser in parsers {
        let Some(parser) = factory.registry().create_parser(parser) else { continue };
        let Ok((_, calls)) = block_on(parser.parse_complete_with_tools(text, &tools)) else {
            continue;
        };
        let calls: Vec<KnownCall> = calls
            .into_iter()
            .map(|call| {
                (
                    call.function.name,
                    serde_json::from_str(&call.function.arguments).unwrap_or(Value::Null),
                )
            })
            .collect();
        if !calls.is_empty() {
            return calls;
        }
    }
    Vec::new()
}

/// The tools that are offered.
fn specs() -> Vec<ToolSpec> {
    let spec = |name: &str, properties: Value| ToolSpec {
        name: name.into(),
        description: String::new(),
        parameters: json!({ "type": "object", "properties": properties }),
    };
    let whole = || json!({ "type": "integer" });
    vec![
        spec("has_path", json!({ "source": whole(), "target": whole() })),
        spec("list_nodes", json!({})),
        spec(
            "save",
            json!({ "text": { "type": "string" }, "count": whole(), "weight": { "type": "number" },
                    "is_new": { "type": "boolean" }, "options": { "type": "object" },
                    "tags": { "type": "array", "items": { "type": "string" } } }),
        ),
    ]
}

/// How many texts of a format both, one or none reads right.
#[derive(Default)]
struct Table {
    rows: BTreeMap<String, [u32; 5]>,
    is_ours_wrong: bool,
}

impl Table {
    fn add(
        &mut self,
        row: &str,
        case: &KnownText,
        ours: &[KnownCall],
        theirs: &[KnownCall],
        is_long: bool,
    ) {
        let is_ours = if case.is_refused { ours.is_empty() } else { ours == case.truth };
        let is_theirs = theirs == case.truth;
        let column = match (is_ours, is_theirs) {
            (true, _) if case.is_refused => 4,
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        self.is_ours_wrong |= column == 2;
        self.rows.entry(row.into()).or_default()[column] += 1;
        if column > 1 && column < 4 || is_long && column == 1 {
            println!(
                "{row}, {}:\n{}\n  wanted {}\n  ours   {}\n  theirs {}\n",
                case.what,
                case.text,
                shown(&case.truth),
                shown(ours),
                shown(theirs)
            );
        }
    }

    fn add_thought(&mut self, thought: &KnownThought, is_long: bool) {
        let mut parser =
            match reasoning_parser::ParserFactory::new().registry().create_parser(thought.format) {
                Some(parser) => parser,
                None => return,
            };
        let trimmed =
            |thoughts: &str, said: &str| (thoughts.trim().to_owned(), said.trim().to_owned());
        let ours =
            split_thoughts(&thought.text).unwrap_or_else(|| (String::new(), thought.text.clone()));
        let theirs = parser.detect_and_parse_reasoning(&thought.text);
        let theirs =
            theirs.map(|read| trimmed(&read.reasoning_text, &read.normal_text)).unwrap_or_default();
        let (is_ours, is_theirs) = (ours == thought.truth, theirs == thought.truth);
        let column = match (is_ours, is_theirs) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        self.is_ours_wrong |= column == 2;
        self.rows.entry(format!("thoughts, {}", thought.format)).or_default()[column] += 1;
        if column > 1 || is_long && column == 1 {
            println!(
                "thoughts, {}:\n{}\n  wanted {:?}\n  ours   {ours:?}\n  theirs {theirs:?}\n",
                thought.format, thought.text, thought.truth
            );
        }
    }

    fn print(&self) {
        println!(
            "| format | texts | both | only ours | only theirs | neither | refused by ours on purpose |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|");
        let mut all = [0; 5];
        for (row, counts) in &self.rows {
            print_row(&format!("`{row}`"), counts);
            for (sum, count) in all.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        print_row("**all**", &all);
    }
}

fn print_row(name: &str, counts: &[u32; 5]) {
    let columns: Vec<String> = counts.iter().map(u32::to_string).collect();
    println!("| {name} | {} | {} |", counts.iter().sum::<u32>(), columns.join(" | "));
}

fn shown(calls: &[KnownCall]) -> String {
    let calls: Vec<String> = calls.iter().map(|(name, given)| format!("{name} {given}")).collect();
    if calls.is_empty() { "nothing".to_owned() } else { calls.join("; ") }
}
