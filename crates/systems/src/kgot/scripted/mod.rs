//! Scripts in the place of models: a program that knows how each task of our set is solved, and the
//! same with faults. They test the controller; what they score says nothing about the method.

mod facts;
mod faults;

use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Role, ToolCall,
    Usage, Watch,
};
use serde_json::{Value, json};
use tasks::kgot::{KgotCalculation, KgotCase, KgotSolution};

use super::languages::NODES_OF_G;
use super::{KgotLanguage, prompts, tools};

pub use faults::Faulty;

/// A script that knows the tasks of some seeds.
pub struct KgotScript {
    known: Vec<Known>,
    /// Whether it leaves a number out where it adds up without a graph.
    is_hasty: bool,
}

struct Known {
    question: String,
    answer: String,
    solution: KgotSolution,
    /// The numbers in the files that are needed: by them its facts are told from those of another
    /// seed, which has the same names.
    numbers: Vec<String>,
}

impl Known {
    fn new(case: KgotCase, solution: KgotSolution) -> Self {
        let needed =
            case.files.iter().filter(|(name, _)| solution.sources.contains(&name.as_str()));
        let numbers = needed.flat_map(|(_, text)| {
            let words = text.split(|c: char| !c.is_alphanumeric());
            words.filter(|w| w.len() > 1 && w.bytes().all(|b| b.is_ascii_digit()))
        });
        let numbers = numbers.map(str::to_owned).collect();
        Self { question: case.question, answer: case.answer, solution, numbers }
    }

    /// How many of its numbers stand in a text, in thousandths.
    fn share(&self, text: &str) -> usize {
        let n = self.numbers.iter().filter(|number| text.contains(*number)).count();
        n * 1_000 / self.numbers.len().max(1)
    }
}

impl KgotScript {
    /// The script for the tasks of these seeds.
    pub fn new(seeds: impl IntoIterator<Item = u64>) -> Self {
        let solved = seeds.into_iter().flat_map(tasks::kgot::solved);
        let known = solved.map(|(case, solution)| Known::new(case, solution)).collect();
        Self { known, is_hasty: false }
    }

    /// The same, but where it adds up in its head, without a graph, it leaves the last number out.
    #[must_use]
    pub fn hasty(self) -> Self {
        Self { is_hasty: true, ..self }
    }

    /// The task of a text. Where several have its question, the one whose values stand there, and of
    /// those the one with most of its numbers.
    fn find(&self, text: &str, seen: &str) -> Option<&Known> {
        let asked = self.known.iter().filter(|known| text.contains(&known.question));
        let fits = |known: &Known| {
            (known.solution.values.iter().all(|v| seen.contains(v)), known.share(seen))
        };
        // The first of those that fit best.
        asked.rev().max_by_key(|known| fits(known))
    }

    fn answer(&self, request: &ChatRequest) -> Message {
        if request.messages.first().is_some_and(|m| m.role == Role::System) {
            return self.without_graph(request);
        }
        let text = request.messages.first().map_or("", |m| m.content.as_str());
        let Some(Known { solution, .. }) = self.find(text, part(text, "Graph")) else {
            return Message::assistant("I know only the tasks of the set.");
        };
        let has = |tool: &str| request.tools.iter().any(|t| t.name == tool);
        if has("read_file") {
            return read_files(solution, text);
        }
        if has(tools::CALCULATE) {
            return calculate(solution, text);
        }
        if text.starts_with(prompts::SELECT) {
            return self.select(text);
        }
        Message::assistant(reply(solution, text).to_string())
    }

    /// Chooses the answer that it knows, the first where that is not there.
    fn select(&self, text: &str) -> Message {
        let answers = part(text, "Answers");
        let known = self.find(text, answers).map_or("", |known| known.answer.as_str());
        let line = |n: &usize| format!("{n}. {known}");
        let choice = (1..=9).find(|n| answers.lines().any(|l| l == line(n))).unwrap_or(1);
        Message::assistant(json!({ "choice": choice }).to_string())
    }

    /// Reads the files, and then says what it knows.
    fn without_graph(&self, request: &ChatRequest) -> Message {
        let text = |role: Role| -> String {
            let of = request.messages.iter().filter(|m| m.role == role);
            of.map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n")
        };
        let read = text(Role::Tool);
        let Some(known) = self.find(&text(Role::User), &read) else {
            return Message::assistant("I know only the tasks of the set.");
        };
        if read.is_empty() {
            return read_files(&known.solution, "");
        }
        let mut answer = known.answer.clone();
        if self.is_hasty && known.solution.calculation == Some(KgotCalculation::Sum) {
            let values = &known.solution.values;
            let all_but_last = values.iter().take(values.len() - 1);
            let sum: i64 = all_but_last.filter_map(|v| v.parse::<i64>().ok()).sum();
            answer = sum.to_string();
        }
        Message::assistant(format!("FINAL ANSWER: {answer}"))
    }
}

impl Model for KgotScript {
    fn label(&self) -> String {
        "Scripted model".into()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let message = self.answer(request);
        let finish = if message.tool_calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        Box::pin(async move { Ok(ChatResponse { message, finish, usage: Usage::default() }) })
    }
}

/// The part of a prompt of that name, in either form.
fn part<'t>(text: &'t str, name: &str) -> &'t str {
    let tag = name.to_lowercase().replace(' ', "_");
    let xml = text
        .rsplit_once(&format!("<{tag}>\n"))
        .and_then(|(_, rest)| rest.split_once(&format!("\n</{tag}>")));
    let markdown =
        text.rsplit_once(&format!("## {name}\n\n")).map(|(_, rest)| match rest.find("\n\n## ") {
            Some(end) => (&rest[..end], ""),
            None => (rest, ""),
        });
    xml.or(markdown).map_or("", |(inner, _)| inner)
}

fn language(text: &str) -> KgotLanguage {
    if text.contains("SPARQL") {
        KgotLanguage::Sparql
    } else if text.contains("networkx") {
        KgotLanguage::Networkx
    } else if text.starts_with(&prompts::vote(KgotLanguage::Direct))
        || text.starts_with(&prompts::forced(KgotLanguage::Direct))
    {
        KgotLanguage::Direct
    } else {
        KgotLanguage::Cypher
    }
}

fn read_files(solution: &KgotSolution, text: &str) -> Message {
    let graph = part(text, "Graph");
    // A question for tools names no language; the text of the graph shows it.
    let language = if graph.starts_with(NODES_OF_G) {
        KgotLanguage::Networkx
    } else if graph.contains("> <:") {
        KgotLanguage::Sparql
    } else {
        KgotLanguage::Cypher
    };
    let missing = solution.sources.iter().filter(|file| !facts::are_there(file, graph, language));
    let calls = missing.enumerate().map(|(i, file)| ToolCall {
        id: format!("call_{i}"),
        name: "read_file".into(),
        arguments: json!({ "file": file }).to_string(),
    });
    Message { tool_calls: calls.collect(), ..Message::assistant("") }
}

fn reply(solution: &KgotSolution, text: &str) -> Value {
    let language = language(text);
    let query = match language {
        KgotLanguage::Sparql => &solution.sparql,
        KgotLanguage::Networkx => &solution.python,
        KgotLanguage::Cypher | KgotLanguage::Direct => &solution.cypher,
    };
    let begins = |prompt: &str| text.starts_with(prompt);
    if begins(&prompts::vote(language)) {
        let graph = part(text, "Graph");
        let missing: Vec<&str> = solution
            .sources
            .iter()
            .filter(|file| !facts::are_there(file, graph, language))
            .copied()
            .collect();
        if missing.is_empty() {
            let query = match language {
                KgotLanguage::Direct => solution.values.join(", "),
                _ => query.clone(),
            };
            return json!({ "query_type": "RETRIEVE", "query": query });
        }
        let reason = format!("The graph does not have what {} says.", missing.join(" and "));
        return json!({ "query_type": "INSERT", "query": reason });
    }
    if begins(prompts::MERGE_REASONS) {
        return json!({ "reason": part(text, "What is missing").replace("- ", "") });
    }
    if begins(&prompts::write(language)) {
        return json!({ "queries": facts::queries_of(part(text, "New information"), language) });
    }
    if begins(&prompts::fix(language)) {
        let failed = part(text, "Query");
        return json!({ "query": facts::corrected(failed, query) });
    }
    if begins(&prompts::reread(language)) || begins(&prompts::forced(KgotLanguage::Cypher)) {
        return json!({ "query": query });
    }
    if begins(&prompts::forced(language)) {
        return json!({ "query": if language == KgotLanguage::Direct { solution.values.join(", ") } else { query.clone() } });
    }
    if begins(prompts::NEEDS_MATHS) {
        return json!({ "needs_calculation": solution.calculation.is_some() });
    }
    if begins(prompts::ANSWER) {
        return json!({ "solution": answer(part(text, "What was found"), solution) });
    }
    if begins(prompts::CHOOSE) {
        let first = part(text, "Answers").lines().next().unwrap_or_default();
        return json!({ "solution": first.trim_start_matches("- ") });
    }
    json!({ "solution": solution.values.join(", ") })
}

/// The values of a result in their order: those of rows, or of a list in words.
fn values(result: &str) -> Vec<String> {
    match serde_json::from_str::<Value>(result.split("\n\n").next().unwrap_or(result)) {
        Ok(Value::Array(rows)) => rows
            .iter()
            .flat_map(|row| row.as_object().into_iter().flat_map(|row| row.values()))
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .collect(),
        _ => result.split(", ").map(str::to_owned).collect(),
    }
}

fn calculate(solution: &KgotSolution, text: &str) -> Message {
    let numbers: Vec<String> = values(part(text, "What was found"))
        .into_iter()
        .filter(|value| value.parse::<f64>().is_ok())
        .collect();
    let list = numbers.join(", ");
    let expression = match solution.calculation {
        Some(KgotCalculation::Sum) => format!("sum({list})"),
        Some(KgotCalculation::Difference) => format!("abs({})", numbers.join(" - ")),
        Some(KgotCalculation::Mean) => format!("round(mean({list}), 1)"),
        Some(KgotCalculation::Percent) => format!("round(100 * {})", numbers.join(" / ")),
        None => list,
    };
    let call = ToolCall {
        id: "call_0".into(),
        name: tools::CALCULATE.into(),
        arguments: json!({ "expression": expression }).to_string(),
    };
    Message { tool_calls: vec![call], ..Message::assistant("") }
}

fn answer(found: &str, solution: &KgotSolution) -> String {
    if solution.calculation.is_some()
        && let Some((_, told)) = found.rsplit_once(" gave ")
        && let Ok(Value::Object(told)) = serde_json::from_str(told)
        && let Some(Value::String(value)) = told.get("result")
    {
        return value.clone();
    }
    values(found).join(", ")
}
