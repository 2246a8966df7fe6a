//! A script in the place of a model that writes statements, so that everything works without a key.
//!
//! It sees the conversation and nothing else, and knows our templates: a question or statement that
//! was made of one is written with its calls; about any other it says that it does not know.

use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Part, Role,
    Usage, Watch,
};
use serde::{Deserialize, Serialize};

use super::hubs::tasks;
use super::parse::{Segment, parse};
use super::prompts::recognise;
use super::tree::{Api, Bracket, Call, Value};
use crate::kgqa::scripted::hash;

/// A way to err.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriterMistake {
    /// A model that the hub does not have.
    UnknownDomain,
    /// A function that its model does not have.
    UnknownFunction,
    /// Another function than the one that was asked for, which gives a result of its own.
    WrongFunction,
    /// An argument too many, or too few.
    WrongArity,
    /// A dataset that nobody has.
    UnknownDataset,
    /// A bracket that is not closed.
    Unclosed,
}

impl WriterMistake {
    /// All of them, with their names in a script's name, and in words.
    pub const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::UnknownDomain, "unknown-domain", "calls a model that does not exist"),
        (Self::UnknownFunction, "unknown-function", "calls a function that there is not"),
        (Self::WrongFunction, "wrong-function", "calls another function than was asked for"),
        (Self::WrongArity, "wrong-arity", "gives an argument too many or too few"),
        (Self::UnknownDataset, "unknown-dataset", "loads data that there are not"),
        (Self::Unclosed, "unclosed", "leaves a bracket open"),
    ];

    fn entry(self) -> (&'static str, &'static str) {
        let entry = Self::ALL.iter().find(|(m, ..)| *m == self);
        entry.map_or(("", ""), |(_, name, words)| (name, words))
    }
}

/// A script that writes statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriterScript {
    /// As a good model would.
    Careful,
    /// Errs in one way, in the last call of every statement.
    Errs(WriterMistake),
    /// Errs in any way with this chance, in percent.
    Erring {
        /// The chance of a mistake, 0 to 100.
        percent: u32,
    },
}

impl WriterScript {
    /// The names that [`WriterScript::by_name`] knows, with words for people.
    pub fn names() -> Vec<(String, String)> {
        let mut all = vec![Self::Careful];
        all.extend(WriterMistake::ALL.iter().map(|(m, ..)| Self::Errs(*m)));
        all.push(Self::Erring { percent: 30 });
        all.into_iter().map(|s| (s.name(), s.label())).collect()
    }

    /// The script of that name: `script`, `mistaken:unclosed`, `erring:30`.
    pub fn by_name(name: &str) -> Option<Self> {
        if name == "script" {
            return Some(Self::Careful);
        }
        if let Some(mistake) = name.strip_prefix("mistaken:") {
            let known = WriterMistake::ALL.iter().find(|(_, n, _)| *n == mistake);
            return known.map(|(m, ..)| Self::Errs(*m));
        }
        let percent = name.strip_prefix("erring:")?.parse().ok().filter(|p| *p <= 100)?;
        Some(Self::Erring { percent })
    }

    /// The name that options and addresses have.
    pub fn name(self) -> String {
        match self {
            Self::Careful => "script".to_owned(),
            Self::Errs(mistake) => format!("mistaken:{}", mistake.entry().0),
            Self::Erring { percent } => format!("erring:{percent}"),
        }
    }

    /// The statement for a question or a statement with `[TBR]`; none if it was made of no template.
    pub fn statement(self, input: &str) -> Option<String> {
        let output = recognise(input)?.output;
        let mistake = match self {
            Self::Careful => None,
            Self::Errs(mistake) => Some(mistake),
            Self::Erring { percent } => {
                let hash = hash(input);
                let which = (hash / 100) as usize % WriterMistake::ALL.len();
                (hash % 100 < u64::from(percent)).then_some(WriterMistake::ALL[which].0)
            }
        };
        Some(match mistake {
            Some(mistake) => spoiled(&output, mistake),
            None => output,
        })
    }

    fn turn(self, request: &ChatRequest) -> String {
        let last = request.messages.iter().rfind(|m| m.role == Role::User);
        let input = last.map(|m| m.content.as_str()).unwrap_or_default();
        self.statement(input).unwrap_or_else(|| {
            "This is a script, not a model: it knows only sentences that were made of its templates, \
             such as those of the list."
                .to_owned()
        })
    }
}

/// The statement with a mistake in its last call.
fn spoiled(output: &str, mistake: WriterMistake) -> String {
    let mut segments = parse(output);
    let last = segments.iter_mut().rev().find_map(|segment| match segment {
        Segment::Site(site) => site.bracket.as_ref().ok().cloned().map(|b| (site, b)),
        Segment::Text(_) => None,
    });
    let Some((site, mut bracket)) = last else { return output.to_owned() };
    let closed = spoil(&mut bracket, mistake);
    site.source = bracket.to_string();
    if !closed {
        // The call and the bracket both end here, and neither is closed.
        let open = site.source.find(")-->").or_else(|| site.source.rfind(")]"));
        site.source.truncate(open.unwrap_or(site.source.len()));
    }
    segments
        .iter()
        .map(|segment| match segment {
            Segment::Text(words) => words.as_str(),
            Segment::Site(site) => site.source.as_str(),
        })
        .collect()
}

/// Puts a mistake into a bracket; false where what is wrong is that it is left open.
fn spoil(bracket: &mut Bracket, mistake: WriterMistake) -> bool {
    let Some(call) = bracket.calls.last_mut() else { return true };
    let rename = |call: &mut Call, new: &dyn Fn(&str, &str) -> String| {
        if let Some(Value::Text(name)) = call.arguments.get_mut(1)
            && let Some((domain, function)) = name.split_once(':')
        {
            *name = new(domain, function);
        }
    };
    let is_load = call.api == Api::Load;
    match mistake {
        WriterMistake::Unclosed => return false,
        WriterMistake::UnknownDataset => unknown_dataset(call),
        // A call that loads has neither model nor function.
        _ if is_load => unknown_dataset(call),
        WriterMistake::UnknownDomain => {
            rename(call, &|_, function| format!("graph_tools:{function}"));
        }
        WriterMistake::UnknownFunction => {
            rename(call, &|domain, function| format!("{domain}:get_{function}"));
        }
        WriterMistake::WrongFunction => rename(call, &|domain, function| {
            let other = sibling(function).unwrap_or(function);
            format!("{domain}:{other}")
        }),
        WriterMistake::WrongArity => {
            let takes = match call.arguments.get(1) {
                Some(Value::Text(name)) => {
                    name.split_once(':').and_then(|(_, f)| tasks::function(f)).map(|(_, f)| f.takes)
                }
                _ => None,
            };
            // Some functions take as many nodes as there are; papers are none.
            let is_open = takes.unwrap_or_default().iter().any(|p| p.most > 1 || p.least == 0);
            if call.arguments.len() > 2 && !is_open {
                call.arguments.pop();
            } else {
                call.arguments.push(Value::Reference { kind: "paper".into(), id: "7".into() });
                call.arguments.push(Value::Reference { kind: "paper".into(), id: "8".into() });
            }
        }
    }
    true
}

fn unknown_dataset(call: &mut Call) {
    match call.arguments.first_mut() {
        Some(Value::Text(name)) => name.push_str("-2"),
        Some(Value::Call(inner)) => unknown_dataset(inner),
        _ => {}
    }
}

/// Another function of the same task that takes as many arguments of the same kinds.
fn sibling(function: &str) -> Option<&'static str> {
    let (task, asked) = tasks::function(function)?;
    let alike = |other: &&tasks::Function| {
        let kinds = |f: &tasks::Function| -> Vec<_> {
            f.takes.iter().map(|p| (p.kinds, p.least, p.most)).collect()
        };
        other.name != asked.name && kinds(other) == kinds(asked)
    };
    task.functions.iter().find(alike).map(|f| f.name)
}

impl Model for WriterScript {
    fn label(&self) -> String {
        match self {
            Self::Careful => "script (no model)".to_owned(),
            Self::Errs(mistake) => format!("mistaken script: {}", mistake.entry().1),
            Self::Erring { percent } => format!("erring script: {percent} % of statements"),
        }
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        watch: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let text = self.turn(request);
        watch.part(Part::Text { text: text.clone() });
        let message = Message::assistant(text);
        let (finish, usage) = (FinishReason::Stop, Usage::default());
        Box::pin(std::future::ready(Ok(ChatResponse { message, finish, usage })))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    use agent::{Cancel, Limits, RunContext};
    use futures_util::FutureExt as _;
    use trace::{StepBody, ToolResult};

    use super::*;
    use crate::toolformer::prompts::{LOAD, Pair, check, make};
    use crate::toolformer::score::has_same_calls;
    use crate::toolformer::write::{Written, write};
    use crate::toolformer::{CallError, Executor, Hubs, Mode};

    fn wrote(executor: &RefCell<Executor>, script: WriterScript, input: &str) -> Written {
        let (clock, cancel) = (|| 0.0, Cancel::default());
        let limits = Limits::default();
        let setting = RunContext { limits, seed: None, clock: &clock, cancel: &cancel, watch: &() };
        write(executor, &(), input, &script, setting, &mut |_| {}).now_or_never().unwrap()
    }

    fn pairs(n: usize) -> Vec<Pair> {
        let hubs = Hubs::new().unwrap();
        let mut pairs = make(&hubs, "gpr", n, 5).unwrap();
        pairs.extend(make(&hubs, "village", n, 5).unwrap());
        pairs
    }

    #[test]
    fn the_careful_script_writes_what_is_true() {
        let executor = RefCell::new(Executor::new(Hubs::new().unwrap(), Mode::Ours));
        let mut fresh = Executor::new(Hubs::new().unwrap(), Mode::Ours);
        for pair in pairs(60) {
            let said = WriterScript::Careful.statement(&pair.input).unwrap();
            assert!(has_same_calls(&pair.output, &said), "{pair:?} {said}");
            check(&mut fresh, &said, pair.answer.as_deref()).unwrap();
        }
        for pair in pairs(3) {
            let written = wrote(&executor, WriterScript::Careful, &pair.input);
            assert!(has_same_calls(&pair.output, written.trace.answer().unwrap()));
            assert_eq!(written.done_at.len(), written.ran.unwrap().calls().count());
        }
        let other = wrote(&executor, WriterScript::Careful, "How are you?");
        assert!(other.trace.answer().unwrap().starts_with("This is a script"));
        assert!(other.done_at.is_empty());
    }

    /// Each way to err gives the error that it is called after, in the trace and nowhere else.
    #[test]
    fn each_mistake_is_of_its_kind() {
        for (mistake, name, _) in WriterMistake::ALL {
            let script = WriterScript::by_name(&format!("mistaken:{name}")).unwrap();
            assert_eq!(script, WriterScript::Errs(mistake));
            let mut n_asked = 0;
            let mut executor = Executor::new(Hubs::new().unwrap(), Mode::Ours);
            for pair in pairs(40).iter().filter(|p| !p.template.starts_with(LOAD)) {
                let said = script.statement(&pair.input).unwrap();
                let ran = executor.run(&said);
                let error = ran.calls().last().and_then(|c| c.error.clone());
                n_asked += 1;
                let is_so = match mistake {
                    WriterMistake::UnknownDomain => {
                        matches!(error, Some(CallError::UnknownDomain { .. }))
                    }
                    WriterMistake::UnknownFunction => {
                        matches!(error, Some(CallError::UnknownFunction { .. }))
                    }
                    WriterMistake::WrongArity => {
                        matches!(
                            error,
                            Some(CallError::Arguments { .. } | CallError::UnknownNode { .. })
                        )
                    }
                    WriterMistake::UnknownDataset => {
                        matches!(error, Some(CallError::UnknownDataset { .. }))
                    }
                    WriterMistake::Unclosed => matches!(error, Some(CallError::Syntax { .. })),
                    // Where there is no function like it, none can be mistaken for it.
                    WriterMistake::WrongFunction => {
                        error.is_none() || !has_same_calls(&pair.output, &said)
                    }
                };
                assert!(is_so, "{name}: {said} {error:?}");
            }
            assert!(n_asked > 30);
        }
    }

    #[test]
    fn mistakes_are_steps_of_the_trace() {
        let executor = RefCell::new(Executor::new(Hubs::new().unwrap(), Mode::Ours));
        let script = WriterScript::Errs(WriterMistake::UnknownDomain);
        let written = wrote(&executor, script, "How many nodes does the bull graph have?");
        let errors: Vec<&str> = written
            .trace
            .steps
            .iter()
            .filter_map(|s| match &s.body {
                StepBody::Call { result: ToolResult::Error(e), .. } => Some(e.code.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(errors, ["unknown_domain"]);
    }

    #[test]
    fn the_erring_script_errs_as_often_as_it_says_and_alike_each_time() {
        let script = WriterScript::by_name("erring:30").unwrap();
        let mut wrong: BTreeMap<bool, usize> = BTreeMap::new();
        for pair in pairs(200) {
            let said = script.statement(&pair.input).unwrap();
            assert_eq!(script.statement(&pair.input).unwrap(), said);
            *wrong.entry(!has_same_calls(&pair.output, &said)).or_default() += 1;
        }
        let share = wrong[&true] as f64 / (wrong[&true] + wrong[&false]) as f64;
        assert!((0.15..0.4).contains(&share), "{wrong:?}");
        assert!(WriterScript::by_name("erring:101").is_none());
        assert!(WriterScript::by_name("mistaken:").is_none());
        for (name, _) in WriterScript::names() {
            assert_eq!(WriterScript::by_name(&name).unwrap().name(), name);
        }
    }
}
