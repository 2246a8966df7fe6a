//! The rounds of a run: vote, call tools, write, or read.

use std::collections::{BTreeMap, BTreeSet};

use agent::{AsyncToolSet as _, Conversation, FreshQuestion, RunContext};
use llm::{Message, Model, ToolCall, ToolChoice, ToolSpec};
use serde_json::json;
use trace::{Finding, Step, StepBody, Stop, Tally, ToolResult, Trace};

use super::graph::{GrowingGraph, told};
use super::languages::{GraphLanguage, KgotLanguage, state_text};
use super::prompts::{self, Prompt};
use super::replies::{self, Ballot, ReadReply};
use super::tools::TaskTools;
use super::{
    GRAPH, KgotAnswered, KgotCost, KgotModels, KgotOptions, KgotOutcome, KgotPlace, KgotTask, TOOLS,
};
use crate::experiment::ModelRole;

/// A result that may become the answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub text: String,
    pub support: Vec<String>,
}

pub(super) struct Controller<'a> {
    pub task: &'a KgotTask,
    pub options: &'a KgotOptions,
    pub models: KgotModels<'a>,
    pub place: &'a KgotPlace<'a>,
    pub talk: Conversation<'a>,
    pub graph: GrowingGraph,
    pub outcome: KgotOutcome,
    /// The tool calls so far, as prompts tell them.
    pub called: Vec<String>,
    /// What tools gave, by their calls: a call that is made again is not carried out again.
    pub known: BTreeMap<String, ToolResult>,
    pub specs: Vec<ToolSpec>,
    pub tools: TaskTools<'a>,
    /// The time, and the wish to stop, while tools are called.
    pub setting: RunContext<'a>,
}

/// A question of the controller.
pub(super) struct Ask {
    pub function: &'static str,
    pub role: ModelRole,
    pub prompt: Prompt,
}

impl<'a> Controller<'a> {
    pub fn new(
        task: &'a KgotTask,
        options: &'a KgotOptions,
        models: KgotModels<'a>,
        place: &'a KgotPlace<'a>,
        setting: RunContext<'a>,
        talk: Conversation<'a>,
    ) -> Self {
        let tools = TaskTools::new(&task.files, &place.tools);
        let graph = place.start.cloned().unwrap_or_default();
        tools.sees(graph.now());
        let specs = tools.specs();
        Self {
            task,
            options,
            models,
            place,
            talk,
            graph,
            outcome: KgotOutcome::default(),
            called: Vec::new(),
            known: BTreeMap::new(),
            specs,
            tools,
            setting,
        }
    }

    /// What a run of a system begins with.
    pub fn talk(
        system: &str,
        task: &'a KgotTask,
        models: KgotModels<'a>,
        place: &'a KgotPlace<'a>,
        setting: RunContext<'a>,
        on_step: &'a mut dyn FnMut(&Step),
    ) -> Conversation<'a> {
        let tools = TaskTools::new(&task.files, &place.tools);
        let graph = place.start.cloned().unwrap_or_default();
        tools.sees(graph.now());
        let said = vec![Message::user(prompts::task_text(task))];
        // All that is ever offered, so that the trace says from the first question on what was not.
        let start = Trace { tools: tools.specs(), ..Trace::new(system, String::new(), said) };
        Conversation::new(start, models.graph, setting, on_step)
    }

    /// The whole run.
    pub async fn run(mut self) -> KgotAnswered {
        let stop = match self.rounds().await {
            Ok(answer) => {
                self.outcome.answer = Some(answer);
                Stop::Answered
            }
            Err(stop) => stop,
        };
        self.outcome.snapshot = kg::property::snapshot_file::write(self.graph.now());
        let trace = self.talk.end(stop);
        KgotAnswered { trace, outcome: self.outcome, graph: self.graph }
    }

    /// The language of the run.
    ///
    /// # Errors
    /// It is not here: then nothing can be done.
    pub fn language(&self) -> Result<&'a dyn GraphLanguage, Stop> {
        let found = self.place.languages.find(self.options.language);
        found.map_err(|message| Stop::ModelFailed { message, is_overflow: false })
    }

    /// Shows the graph that the run begins with.
    fn open(&mut self) {
        if self.graph.now().n_nodes() == 0 {
            return;
        }
        self.show();
    }

    /// Draws the graph, in the trace and for whoever looks on, in the place of whatever was drawn
    /// before.
    pub fn show(&mut self) {
        let now = self.graph.now();
        let value = json!({ "nodes": now.n_nodes(), "relationships": now.n_edges() });
        let began = self.talk.now_ms();
        let n = self.talk.trace().steps.len();
        let id = if n == 0 { "open".to_owned() } else { format!("open_{n}") };
        let call = ToolCall { id, name: "open_graph".into(), arguments: "{}".into() };
        let result = ToolResult::Value { value, notes: Vec::new() };
        let effects = self.graph.drawn();
        self.talk.add(began, StepBody::Call { call, result, effects, told: None });
        self.grown(self.graph.whole());
    }

    /// Reports that the graph has changed.
    pub fn grown(&self, growth: super::GraphGrowth) {
        if self.place.session.hears() {
            self.place.session.event(&super::Grown { graph: self.graph.now().clone(), growth });
        }
    }

    /// Lets a person who looks on pause the run and correct the graph.
    pub async fn hold(&mut self) {
        while let Some(query) = self.place.session.correction().await {
            let began = self.talk.now_ms();
            let cypher = self.place.languages.find(KgotLanguage::Cypher);
            let written = match cypher {
                Ok(cypher) => self.graph.write(cypher, &query).await,
                Err(why) => Err(why),
            };
            match written {
                Ok((changes, effects, growth)) => {
                    let result = ToolResult::Value { value: told(&changes), notes: Vec::new() };
                    let call = self.query_call("correct_graph", &query);
                    let body = StepBody::Call { call, result, effects, told: None };
                    self.talk.add_by_person(began, body);
                    self.grown(growth);
                    self.place.session.corrected(None);
                }
                Err(why) => self.place.session.corrected(Some(why)),
            }
        }
    }

    /// The rounds, and the end: the answer.
    pub async fn rounds(&mut self) -> Result<String, Stop> {
        self.language()?;
        self.open();
        let mut found = Vec::new();
        for _ in 0..self.options.max_rounds {
            self.place.session.round();
            self.hold().await;
            let ballots = self.vote().await?;
            let solve: Vec<&String> = ballots
                .iter()
                .filter_map(|b| match b {
                    Ballot::Solve(query) => Some(query),
                    Ballot::Enhance(_) => None,
                })
                .collect();
            // A tie means that something is missing: an answer too early cannot be taken back.
            if solve.len() * 2 > ballots.len() {
                let queries: BTreeSet<String> = solve.into_iter().cloned().collect();
                found = self.solve(queries).await?;
                if !found.is_empty() {
                    break;
                }
                self.note("no query read anything; the graph is enhanced further");
            }
            let reasons: BTreeSet<String> = ballots
                .into_iter()
                .filter_map(|b| match b {
                    Ballot::Enhance(reason) if !reason.trim().is_empty() => Some(reason),
                    _ => None,
                })
                .collect();
            self.enhance(reasons).await?;
            self.outcome.n_rounds += 1;
        }
        if found.is_empty() {
            self.outcome.is_forced = true;
            found = self.force().await?;
        }
        self.finish(found).await
    }

    pub fn note(&mut self, text: impl Into<String>) {
        let now = self.talk.now_ms();
        self.talk.add(now, StepBody::Note { text: text.into() });
    }

    pub fn prompt(&self, instruction: &str) -> Prompt {
        let letters = self.options.max_graph as usize;
        let state = match self.language() {
            Ok(language) => state_text(self.graph.now(), language, letters),
            Err(_) => String::new(),
        };
        Prompt::new(self.options.prompts, instruction)
            .with("Task", &prompts::task_text(self.task))
            .with("Graph", &state)
    }

    pub fn prompt_with_calls(&self, instruction: &str) -> Prompt {
        let calls = if self.called.is_empty() { "none".to_owned() } else { self.called.join("\n") };
        self.prompt(instruction).with("Tool calls so far", &calls)
    }

    /// Asks for several replies at the same time, and reads them; what cannot be read is asked again
    /// with what was wrong. Replies that stay unreadable are left out.
    pub async fn ask_many<T>(
        &mut self,
        ask: Ask,
        n: u32,
        temperature: Option<f64>,
        read: impl Fn(&str) -> ReadReply<T>,
    ) -> Result<Vec<T>, Stop> {
        let messages = ask.prompt.messages();
        let model = self.model(ask.role);
        let mut open: Vec<(u64, Vec<Message>)> =
            (0..u64::from(n)).map(|i| (i, messages.clone())).collect();
        let mut replies = Vec::new();
        for attempt in 0..=self.options.max_replies {
            let questions: Vec<FreshQuestion<'a>> = open
                .iter()
                .map(|(sample, messages)| FreshQuestion {
                    model,
                    role: ask.role.id,
                    messages: messages.clone(),
                    tools: Vec::new(),
                    temperature,
                    tool_choice: ToolChoice::Auto,
                    sample: sample + u64::from(attempt) * 100,
                })
                .collect();
            let answers = self.put(ask.function, &questions).await?;
            let asked = std::mem::take(&mut open);
            let is_last = attempt == self.options.max_replies;
            for ((sample, messages), answer) in asked.into_iter().zip(answers) {
                let fault = match answer {
                    Ok(message) => match read(&message.content) {
                        Ok((reply, repairs)) => {
                            if !repairs.is_empty() {
                                self.repaired(ask.function, &repairs);
                            }
                            replies.push((sample, reply));
                            continue;
                        }
                        Err(why) => {
                            self.findings(ask.function, "schema", &why);
                            Some(why)
                        }
                    },
                    Err(stop) if stop.is_of_one_reply() => {
                        self.findings(ask.function, "model", &stop.title());
                        if is_last && n == 1 && matches!(stop, Stop::ModelFailed { .. }) {
                            return Err(stop);
                        }
                        None
                    }
                    Err(stop) => return Err(stop),
                };
                let mut messages = messages;
                if let Some(why) = fault {
                    // What was wrong stands once in the question, the newest.
                    messages.truncate(1);
                    let words = format!("Your last reply could not be read: {why}. Reply again.");
                    messages.push(Message::user(words));
                }
                open.push((sample, messages));
            }
            if open.is_empty() {
                break;
            }
        }
        replies.sort_by_key(|(sample, _)| *sample);
        Ok(replies.into_iter().map(|(_, reply)| reply).collect())
    }

    /// Asks for one reply; nothing where none can be read.
    pub async fn ask_one<T>(
        &mut self,
        ask: Ask,
        read: impl Fn(&str) -> ReadReply<T>,
    ) -> Result<Option<T>, Stop> {
        Ok(self.ask_many(ask, 1, None, read).await?.pop())
    }

    pub fn model(&self, role: ModelRole) -> &'a dyn Model {
        if role.id == TOOLS.id { self.models.tools } else { self.models.graph }
    }

    /// Puts questions, and counts what they take.
    pub async fn put(
        &mut self,
        function: &'static str,
        questions: &[FreshQuestion<'a>],
    ) -> Result<Vec<Result<Message, Stop>>, Stop> {
        let n_before = self.talk.trace().steps.len();
        let answers = self.talk.ask_each(questions).await?;
        let mut cost = KgotCost { calls: questions.len() as u64, ..KgotCost::default() };
        for step in &self.talk.trace().steps[n_before..] {
            if let StepBody::Model { usage, .. } = &step.body {
                cost.prompt_tokens += usage.input_tokens.unwrap_or(0);
                cost.completion_tokens += usage.output_tokens.unwrap_or(0);
                cost.ms += step.took_ms;
            }
        }
        self.outcome.costs.entry(function.to_owned()).or_default().add(&cost);
        Ok(answers)
    }

    pub fn findings(&mut self, function: &str, layer: &str, message: &str) {
        let finding = Finding {
            rule: layer.to_owned(),
            at: None,
            is_error: true,
            message: message.to_owned(),
            options: Vec::new(),
        };
        let now = self.talk.now_ms();
        let stage = format!("reply to {function}");
        self.talk.add(now, StepBody::Findings { stage, findings: vec![finding] });
    }

    fn repaired(&mut self, function: &str, repairs: &[&'static str]) {
        let finding = Finding {
            rule: "json".into(),
            at: None,
            is_error: false,
            message: format!("repaired: {}", repairs.join(", ")),
            options: Vec::new(),
        };
        let now = self.talk.now_ms();
        let stage = format!("reply to {function}");
        self.talk.add(now, StepBody::Findings { stage, findings: vec![finding] });
    }

    async fn vote(&mut self) -> Result<Vec<Ballot>, Stop> {
        let votes = self.options.votes.max(1);
        let temperature = (votes > 1).then_some(self.options.vote_temperature);
        let prompt = self.prompt_with_calls(&prompts::vote(self.options.language));
        let ask = Ask { function: "vote", role: GRAPH, prompt };
        let ballots = self.ask_many(ask, votes, temperature, replies::ballot).await?;
        let runs = |solves: bool| -> Vec<usize> {
            let is = |b: &Ballot| matches!(b, Ballot::Solve(_)) == solves;
            ballots.iter().enumerate().filter(|(_, b)| is(b)).map(|(i, _)| i).collect()
        };
        let mut tallies = vec![
            Tally { answer: "enhance the graph".into(), runs: runs(false) },
            Tally { answer: "solve".into(), runs: runs(true) },
        ];
        let tie = tallies[0].runs.len() == tallies[1].runs.len();
        tallies.sort_by_key(|t| std::cmp::Reverse(t.runs.len()));
        tallies.retain(|t| !t.runs.is_empty());
        let now = self.talk.now_ms();
        self.talk.add(now, StepBody::Vote { tallies, tie });
        Ok(ballots)
    }
}
