//! Fusion: a task is solved in several languages, one after the other, each with a graph of its own,
//! and one of their answers is taken.
//!
//! Paper: Knowledge Graph of Thoughts §4.2 simulates this: a task counts as solved where any of the
//! stores solved it. To say so one must know what is right, so here that is a measure beside the
//! verdict, and the graph executor chooses among answers that differ.

use agent::RunContext;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tasks::kgot::{GaiaVerdict, judge_gaia};
use trace::{Step, StepBody, Stop, ToolResult, Trace};

use super::controller::{Ask, Controller};
use super::languages::state_text;
use super::prompts::{self, Prompt};
use super::{
    GRAPH, GrowingGraph, KgotAnswered, KgotLanguage, KgotModels, KgotOptions, KgotOutcome,
    KgotPlace, KgotTask, replies,
};

/// The id of the system that solves a task in several languages.
pub const FUSION: &str = "kgot-fusion";

/// The queries that stand under an answer.
const MAX_READS: usize = 3;
/// The lines of a graph that stand under an answer.
const MAX_LINES: usize = 30;
/// The letters of a query, of what it gave, and of a whole graph under an answer.
const MAX_LETTERS: usize = 2_000;

/// What one of several languages made of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KgotMember {
    /// The language.
    pub language: KgotLanguage,
    /// Its answer.
    pub answer: String,
    /// Whether it was forced.
    pub is_forced: bool,
}

/// The options of a run in several languages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KgotFusionOptions {
    /// The languages, in the order in which they solve the task.
    pub members: Vec<KgotLanguage>,
    /// How each solves it; its language is the member's.
    #[serde(flatten)]
    pub each: KgotOptions,
}

impl Default for KgotFusionOptions {
    /// All languages that need nobody to run Python.
    fn default() -> Self {
        let members = vec![KgotLanguage::Cypher, KgotLanguage::Sparql, KgotLanguage::Direct];
        Self { members, each: KgotOptions::default() }
    }
}

/// A member that came to an answer, with what the answer stands on.
struct Solved {
    /// Its place among the members.
    at: usize,
    language: KgotLanguage,
    answer: String,
    is_forced: bool,
    support: Vec<String>,
    graph: GrowingGraph,
    /// In words, for whoever chooses.
    basis: String,
}

/// Solves a task in each of some languages, and lets the graph executor choose where their answers
/// differ. Each begins with the graph of the place, an empty one if there is none. The graph that
/// comes back is that of the answer that was taken. A limit or a wish to stop ends the whole run,
/// without an answer; a model that errs ends the run in one language.
pub async fn run_fusion(
    task: &KgotTask,
    options: &KgotFusionOptions,
    models: KgotModels<'_>,
    place: &KgotPlace<'_>,
    setting: RunContext<'_>,
    on_step: &mut dyn FnMut(&Step),
) -> KgotAnswered {
    let of = |language: &KgotLanguage| KgotOptions { language: *language, ..options.each.clone() };
    let each: Vec<KgotOptions> = options.members.iter().map(of).collect();
    let mut talk = Controller::talk(FUSION, task, models, place, setting, on_step);
    let mut sum = KgotOutcome::default();
    let mut solved: Vec<Solved> = Vec::new();
    let mut failed: Option<(Stop, GrowingGraph)> = None;
    for (at, options) in each.iter().enumerate() {
        let (language, name) = (options.language, options.language.name());
        let mut one = Controller::new(task, options, models, place, setting, talk);
        one.note(format!("{name} begins, {} of {}", at + 1, each.len()));
        if at > 0 && one.graph.now().n_nodes() == 0 {
            // What was drawn is the graph of the one before. One that is not empty shows itself.
            one.show();
        }
        let n_before = one.talk.trace().steps.len();
        let result = one.rounds().await;
        match &result {
            Ok(answer) => one.note(format!("{name} answers: {answer}")),
            Err(stop) => one.note(format!("{name} gives no answer: {}", stop.title())),
        }
        let basis = basis(&one, n_before);
        let Controller { talk: ended, graph, outcome, .. } = one;
        sum.add_costs(&outcome);
        match result {
            Ok(answer) => {
                let is_forced = outcome.is_forced;
                sum.members.push(KgotMember { language, answer: answer.clone(), is_forced });
                let support = outcome.support;
                solved.push(Solved { at, language, answer, is_forced, support, graph, basis });
            }
            // What one language cannot, another may.
            Err(stop @ Stop::ModelFailed { .. }) => failed = Some((stop, graph)),
            Err(stop) if stop.is_of_one_reply() => failed = Some((stop, graph)),
            Err(stop) => return end(ended.end(stop), sum, graph),
        }
        talk = ended;
    }
    if solved.is_empty() {
        let stop =
            Stop::ModelFailed { message: "there are no languages".into(), is_overflow: false };
        let (stop, graph) = failed.unwrap_or((stop, GrowingGraph::default()));
        return end(talk.end(stop), sum, graph);
    }
    let mut chooser = Controller::new(task, &options.each, models, place, setting, talk);
    let chosen = choose(&mut chooser, &solved).await;
    sum.add_costs(&chooser.outcome);
    let taken = match chosen {
        Ok(at) => solved.swap_remove(at),
        Err(stop) => {
            let graph = solved.swap_remove(0).graph;
            chooser.graph = graph.clone();
            chooser.show();
            return end(chooser.talk.end(stop), sum, graph);
        }
    };
    chooser.note(format!("the answer of {} is taken", taken.language.name()));
    if taken.at + 1 < each.len() {
        chooser.graph = taken.graph.clone();
        chooser.show();
    }
    sum.is_forced = taken.is_forced;
    sum.answer = Some(taken.answer);
    sum.support = taken.support;
    end(chooser.talk.end(Stop::Answered), sum, taken.graph)
}

fn end(trace: Trace, outcome: KgotOutcome, graph: GrowingGraph) -> KgotAnswered {
    let snapshot = kg::property::snapshot_file::write(graph.now());
    KgotAnswered { trace, outcome: KgotOutcome { snapshot, ..outcome }, graph }
}

/// Whether two answers say the same, by the rules by which answers are judged.
fn agree(a: &str, b: &str) -> bool {
    judge_gaia(a, b) == GaiaVerdict::Right && judge_gaia(b, a) == GaiaVerdict::Right
}

/// Which of them is taken: a model is asked where answers differ. Of those that agree it is the first
/// that was not forced.
async fn choose(chooser: &mut Controller<'_>, solved: &[Solved]) -> Result<usize, Stop> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, one) in solved.iter().enumerate().filter(|(_, one)| !one.answer.trim().is_empty()) {
        match groups.iter_mut().find(|group| agree(&solved[group[0]].answer, &one.answer)) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    let best = |group: &Vec<usize>| {
        let sure = group.iter().find(|i| !solved[**i].is_forced);
        sure.or(group.first()).copied().unwrap_or_default()
    };
    let taken: Vec<usize> = groups.iter().map(best).collect();
    if taken.len() < 2 {
        return Ok(taken.first().copied().unwrap_or_default());
    }
    let list: Vec<String> = taken
        .iter()
        .enumerate()
        .map(|(n, i)| format!("{}. {}", n + 1, solved[*i].answer))
        .collect();
    let mut prompt = Prompt::new(chooser.options.prompts, prompts::SELECT)
        .with("Task", &prompts::task_text(chooser.task))
        .with("Answers", &list.join("\n"));
    for (n, (i, group)) in taken.iter().zip(&groups).enumerate() {
        let names: Vec<&str> = group.iter().map(|i| solved[*i].language.name()).collect();
        let text = format!("Given by {}.\n{}", names.join(" and "), solved[*i].basis);
        prompt = prompt.with(&format!("Answer {}", n + 1), &text);
    }
    let n_before = chooser.talk.trace().n_rounds();
    let n = taken.len();
    let ask = Ask { function: "select_member", role: GRAPH, prompt };
    let chosen = chooser.ask_one(ask, |text| replies::choice(text, n)).await?;
    chooser.outcome.n_finishing = (chooser.talk.trace().n_rounds() - n_before) as u64;
    let first_sure = || taken.iter().position(|i| !solved[*i].is_forced).unwrap_or_default();
    let at = chosen.unwrap_or_else(|| {
        chooser.note("no choice could be read; the first answer that was not forced is taken");
        first_sure()
    });
    Ok(taken[at])
}

/// What the answer of a run stands on, in words: the queries that read something, what they gave, and
/// the nodes; the whole graph where no query read it.
fn basis(one: &Controller<'_>, from: usize) -> String {
    let mut lines = Vec::new();
    if one.outcome.is_forced {
        lines.push("Its rounds were used up, so it may be a guess.".to_owned());
    }
    let steps = one.talk.trace().steps.iter().skip(from);
    let reads = steps.filter_map(|step| match &step.body {
        StepBody::Call { call, result: ToolResult::Value { value, .. }, .. }
            if call.name == "read_graph" && !value.is_null() =>
        {
            let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
            Some((arguments.get("query")?.as_str()?.to_owned(), value.to_string()))
        }
        _ => None,
    });
    let mut known: Vec<(String, String)> = Vec::new();
    for read in reads {
        if !known.contains(&read) {
            known.push(read);
        }
    }
    for (query, gave) in known.iter().rev().take(MAX_READS).rev() {
        lines.push(format!("Read by: {}\nwhich gave: {}", cut(query), cut(gave)));
    }
    let nodes = one.graph.told_of(&one.outcome.support, MAX_LINES);
    if !nodes.is_empty() {
        lines.push(format!("It stands on:\n{}", nodes.join("\n")));
    } else if known.is_empty()
        && let Ok(language) = one.language()
    {
        let graph = state_text(one.graph.now(), language, MAX_LETTERS);
        lines.push(format!("It was read from the text of the graph:\n{graph}"));
    }
    lines.join("\n")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((at, _)) => format!("{}… (cut)", &text[..at]),
        None => text.to_owned(),
    }
}
