//! A task in several languages, one after the other, with a choice where answers differ.

use std::cell::{Cell, RefCell};

use agent::{Cancel, Limits, RunContext};
use futures_util::FutureExt as _;
use llm::{
    BoxFuture, ChatRequest, ChatResponse, FinishReason, Message, Model, ModelError, Usage, Watch,
};
use serde_json::{Value, json};
use systems::experiment::{CaseRequest, Finished, Models, Setup, Source, World};
use systems::experiments;
use systems::kgot::{
    FUSION, GRAPH, KgotAnswered, KgotFusionOptions, KgotLanguage, KgotMember, KgotModels,
    KgotOptions, KgotPlace, KgotTask, TOOLS, run_fusion,
};
use tasks::Verdict;
use tasks::kgot::KgotCase;
use trace::{StepBody, Stop};

/// What a model does when it is asked.
#[derive(Clone, Copy, PartialEq)]
enum Does {
    Answers(&'static str),
    Fails,
    /// The person stops the run meanwhile.
    IsStopped,
    /// Wants more and more.
    NeverEnds,
}

/// A model that gives one answer in Cypher and one by direct retrieval, and chooses as it is told.
struct Two<'a> {
    cypher: Does,
    direct: Does,
    choice: &'static str,
    cancel: &'a Cancel,
    asked: RefCell<Vec<String>>,
}

impl<'a> Two<'a> {
    fn new(cypher: Does, direct: Does, choice: &'static str, cancel: &'a Cancel) -> Self {
        Self { cypher, direct, choice, cancel, asked: RefCell::default() }
    }

    fn reply(&self, text: &str) -> Result<String, ModelError> {
        let is = |begin: &str| text.starts_with(begin);
        if is("A task was solved several times") {
            return Ok(self.choice.to_owned());
        }
        if is("Nothing more can be found") {
            return Ok(json!({ "solution": "Eve" }).to_string());
        }
        if is("Give the answer to the task from what was found") {
            let found = text.rsplit_once("<what_was_found>\n").unwrap().1;
            let found = found.split_once("\n</").unwrap().0;
            let answer = match serde_json::from_str::<Value>(found) {
                Ok(Value::Array(rows)) => rows[0]["x"].as_str().unwrap().to_owned(),
                _ => found.to_owned(),
            };
            return Ok(json!({ "solution": answer }).to_string());
        }
        if is("Write the new information") {
            let queries = ["CREATE (:Person {name: 'Ada'})-[:WROTE]->(:Text {name: 'Notes'})"];
            return Ok(json!({ "queries": queries }).to_string());
        }
        let is_direct = text.contains("query is the answer itself");
        let does = if is_direct { self.direct } else { self.cypher };
        let is_empty = text.contains("The graph is empty.");
        Ok(match does {
            Answers(_) if is_empty && !is_direct => {
                json!({ "query_type": "INSERT", "query": "who Ada is" }).to_string()
            }
            Answers(answer) => {
                let query = if is_direct {
                    answer.to_owned()
                } else {
                    format!("MATCH (p:Person) RETURN '{answer}' AS x, p.name AS who")
                };
                json!({ "query_type": "RETRIEVE", "query": query }).to_string()
            }
            Fails => return Err(ModelError::Broken { reason: "no line".into() }),
            IsStopped => {
                self.cancel.cancel();
                "{}".into()
            }
            NeverEnds => json!({ "query_type": "INSERT", "query": "more" }).to_string(),
        })
    }
}

impl Model for Two<'_> {
    fn label(&self) -> String {
        "Two".into()
    }

    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
        _: &'a dyn Watch,
    ) -> BoxFuture<'a, Result<ChatResponse, ModelError>> {
        let text = &request.messages[0].content;
        self.asked.borrow_mut().push(text.clone());
        let message = if request.tools.is_empty() {
            self.reply(text).map(Message::assistant)
        } else {
            let call = llm::ToolCall {
                id: "call_0".into(),
                name: "calculate".into(),
                arguments: json!({ "expression": "1 + 1" }).to_string(),
            };
            Ok(Message { tool_calls: vec![call], ..Message::assistant("") })
        };
        let usage = Usage { input_tokens: Some(10), output_tokens: Some(2), ..Usage::default() };
        let finish = FinishReason::Stop;
        Box::pin(async move { Ok(ChatResponse { message: message?, finish, usage }) })
    }
}

const LIMITS: Limits =
    Limits { max_rounds: 300, max_calls: 300, max_tokens: None, deadline_ms: None };

fn options() -> KgotFusionOptions {
    let each =
        KgotOptions { votes: 1, maths: false, max_replies: 1, max_rounds: 2, ..Default::default() };
    let members = vec![KgotLanguage::Cypher, KgotLanguage::Direct];
    KgotFusionOptions { members, each }
}

fn solve_within(limits: Limits, options: &KgotFusionOptions, model: &Two<'_>) -> KgotAnswered {
    let time = Cell::new(0.0);
    let clock = || {
        time.set(time.get() + 1.0);
        time.get()
    };
    let setting =
        RunContext { limits, seed: Some(1), clock: &clock, cancel: model.cancel, watch: &() };
    let models = KgotModels { graph: model, tools: model };
    let task = KgotTask { question: "Who?".into(), files: Vec::new() };
    let mut n_steps = 0;
    let answered =
        run_fusion(&task, options, models, &KgotPlace::default(), setting, &mut |_| n_steps += 1)
            .now_or_never()
            .unwrap();
    let KgotAnswered { trace, outcome, graph } = &answered;
    // Whatever comes of it: what is drawn at the end, the snapshot and the graph are one, and the
    // costs are those of all questions.
    assert_eq!(n_steps, trace.steps.len());
    assert_eq!(outcome.snapshot, kg::property::snapshot_file::write(graph.now()));
    let drawn = trace.graph_after(trace.steps.len()).map_or(0, |g| g.n_nodes());
    assert_eq!(drawn, graph.now().n_nodes());
    let calls: u64 = outcome.costs.values().map(|cost| cost.calls).sum();
    assert_eq!(calls, model.asked.borrow().len() as u64);
    let tokens: u64 = outcome.costs.values().map(|c| c.prompt_tokens + c.completion_tokens).sum();
    assert_eq!(tokens, trace.usage().total().unwrap_or(0));
    answered
}

fn solve(cypher: Does, direct: Does, choice: &'static str) -> (KgotAnswered, Vec<String>) {
    let cancel = Cancel::default();
    let model = Two::new(cypher, direct, choice, &cancel);
    let answered = solve_within(LIMITS, &options(), &model);
    let asked = model.asked.take();
    let asked = asked.into_iter().filter(|text| text.starts_with("A task was solved")).collect();
    (answered, asked)
}

fn member(language: KgotLanguage, answer: &str) -> KgotMember {
    KgotMember { language, answer: answer.into(), is_forced: false }
}

fn notes(answered: &KgotAnswered) -> Vec<&str> {
    let steps = answered.trace.steps.iter();
    steps
        .filter_map(|step| match &step.body {
            StepBody::Note { text } => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

use Does::{Answers, Fails, IsStopped, NeverEnds};
use test_support::context;

#[test]
fn answers_that_agree_are_no_question() {
    let (answered, asked) = solve(Answers("1840"), Answers("1840.0"), "no choice");
    assert!(asked.is_empty());
    let outcome = &answered.outcome;
    assert_eq!(outcome.answer.as_deref(), Some("1840"), "the first of those that agree");
    assert_eq!(
        outcome.members,
        [member(KgotLanguage::Cypher, "1840"), member(KgotLanguage::Direct, "1840.0")]
    );
    assert_eq!(outcome.support, ["Ada"]);
    assert_eq!((outcome.n_rounds, outcome.n_queries), (1, 1));
    assert_eq!(answered.graph.now().n_nodes(), 2, "that of the answer that was taken");
    assert_eq!(answered.trace.stop, Some(Stop::Answered));
    assert_eq!(
        notes(&answered),
        [
            "Cypher begins, 1 of 2",
            "Cypher answers: 1840",
            "direct retrieval begins, 2 of 2",
            "direct retrieval answers: 1840.0",
            "the answer of Cypher is taken",
        ]
    );
}

#[test]
fn of_answers_that_differ_a_model_chooses_by_what_they_stand_on() {
    for (choice, taken, nodes, support) in [
        (r#"{"choice": 1}"#, "Ada", 2, vec!["Ada".to_owned()]),
        (r#"{"choice": "2"}"#, "Bob", 0, Vec::new()),
        // Nothing that can be read: the first that was not forced.
        (r#"{"choice": 3}"#, "Ada", 2, vec!["Ada".to_owned()]),
    ] {
        let (answered, asked) = solve(Answers("Ada"), Answers("Bob"), choice);
        let outcome = &answered.outcome;
        assert_eq!(outcome.answer.as_deref(), Some(taken), "{choice}");
        assert_eq!((answered.graph.now().n_nodes(), &outcome.support), (nodes, &support));
        assert_eq!(outcome.members.len(), 2);
        assert_eq!(asked.len(), if choice.contains('3') { 2 } else { 1 });
        assert_eq!(outcome.costs["select_member"].calls, asked.len() as u64);
        for words in [
            "<answers>\n1. Ada\n2. Bob\n</answers>",
            "<answer_1>\nGiven by Cypher.\nRead by: MATCH (p:Person) RETURN 'Ada' AS x",
            "which gave: [{\"x\":\"Ada\",\"who\":\"Ada\"}]",
            "It stands on:\nAda (Person) {\"name\":\"Ada\"}",
            "<answer_2>\nGiven by direct retrieval.\nIt was read from the text of the graph:",
            "<task>\nWho?\n</task>",
        ] {
            assert!(asked[0].contains(words), "{words}\n{}", asked[0]);
        }
    }
}

#[test]
fn each_begins_with_a_graph_of_its_own() {
    let cancel = Cancel::default();
    let model = Two::new(Answers("Ada"), Answers("Ada"), "", &cancel);
    let options = KgotFusionOptions { members: vec![KgotLanguage::Cypher; 3], ..options() };
    let answered = solve_within(LIMITS, &options, &model);
    assert_eq!(answered.outcome.n_queries, 3, "each wrote into an empty graph");
    assert_eq!(answered.graph.now().n_nodes(), 2);
    assert_eq!(answered.outcome.members.len(), 3);
}

#[test]
fn what_one_language_cannot_another_may() {
    for (cypher, direct, answer) in [
        (Answers("Ada"), Fails, Some("Ada")),
        (Fails, Answers("Bob"), Some("Bob")),
        (Fails, Fails, None),
    ] {
        let (answered, asked) = solve(cypher, direct, "no choice");
        assert!(asked.is_empty());
        assert_eq!(answered.outcome.answer.as_deref(), answer);
        assert_eq!(answered.outcome.members.len(), usize::from(answer.is_some()));
        assert!(notes(&answered).iter().any(|note| note.contains("gives no answer")));
        let stop = answered.trace.stop.unwrap();
        match answer {
            Some(_) => assert_eq!(stop, Stop::Answered),
            None => assert!(matches!(stop, Stop::ModelFailed { .. }), "{stop:?}"),
        }
    }
}

#[test]
fn a_language_that_is_not_here_is_one_that_fails() {
    let cancel = Cancel::default();
    let model = Two::new(Answers("Ada"), Answers("Ada"), "", &cancel);
    let members = vec![KgotLanguage::Networkx, KgotLanguage::Cypher];
    let answered = solve_within(LIMITS, &KgotFusionOptions { members, ..options() }, &model);
    assert_eq!(answered.outcome.members, [member(KgotLanguage::Cypher, "Ada")]);
    assert!(notes(&answered)[1].contains("nobody runs Python with networkx here"));
}

#[test]
fn a_stop_in_the_middle_ends_all_and_keeps_what_was_answered() {
    let (answered, _) = solve(Answers("Ada"), IsStopped, "");
    assert_eq!(answered.outcome.answer, None);
    assert_eq!(answered.outcome.members, [member(KgotLanguage::Cypher, "Ada")]);
    assert_eq!(answered.trace.stop, Some(Stop::Cancelled));
    assert_eq!(answered.graph.now().n_nodes(), 0, "the graph at the end");
    let (answered, _) = solve(IsStopped, Answers("Bob"), "");
    assert_eq!((answered.outcome.answer, answered.outcome.members.len()), (None, 0));
    assert_eq!(answered.trace.stop, Some(Stop::Cancelled));
}

#[test]
fn limits_are_those_of_the_whole_run() {
    for max_rounds in 0..20 {
        let cancel = Cancel::default();
        let model = Two::new(Answers("Ada"), Answers("Bob"), r#"{"choice": 2}"#, &cancel);
        let answered = solve_within(Limits { max_rounds, ..LIMITS }, &options(), &model);
        let n = model.asked.borrow().len();
        let is_done = answered.trace.stop == Some(Stop::Answered);
        assert_eq!(answered.outcome.answer.is_some(), is_done);
        assert!(is_done || answered.trace.stop == Some(Stop::Rounds), "{max_rounds}");
        assert!(n <= max_rounds as usize && (is_done || n == max_rounds as usize));
    }
}

#[test]
fn a_forced_answer_says_so_and_yields_to_one_that_was_found() {
    let (answered, asked) = solve(NeverEnds, Answers("Bob"), "unreadable");
    let members = &answered.outcome.members;
    assert!(members[0].is_forced && !members[1].is_forced, "{members:?}");
    assert!(asked[0].contains("1. Eve\n2. Bob") && asked[0].contains("it may be a guess"));
    assert_eq!(answered.outcome.answer.as_deref(), Some("Bob"));
    assert!(!answered.outcome.is_forced);
}

// --- As a system of the experiment -----------------------------------------------------------------

fn setup(options: &Value) -> Result<Setup, String> {
    let experiment = experiments::find("kgot").unwrap();
    let options = experiment.read_options(FUSION, options)?;
    let json = json!({
        "experiment": "kgot", "system": FUSION, "options": options,
        "limits": experiment.limits(), "roles": {}, "scorer": 1,
    });
    Ok(serde_json::from_value(json).unwrap())
}

fn bench(model: &dyn Model, right: &str) -> Finished {
    let experiment = experiments::find("kgot").unwrap();
    let case = KgotCase { question: "Who?".into(), answer: right.into(), ..KgotCase::default() };
    let files = vec![("one.json".to_owned(), serde_json::to_string(&case).unwrap())];
    let world = World::default();
    let case = experiment.cases(&Source { files, ..Source::default() }, &world).unwrap().remove(0);
    let each =
        json!({ "votes": 1, "maths": false, "max_replies": 1, "members": ["cypher", "direct"] });
    let setup = setup(&each).unwrap();
    let mut models = Models::one(GRAPH.id, model);
    models.set(TOOLS.id, model);
    let cancel = Cancel::default();
    let limits = experiment.limits();
    let request = CaseRequest {
        setup: &setup,
        case: &case,
        world: &world,
        models,
        setting: RunContext { limits, ..context(&cancel) },
        sample: 0,
        session: &|_: &trace::Step| (),
    };
    let finished = experiment.run(request).now_or_never().unwrap().unwrap();
    // "Check again": from a file, without a model.
    let outcome = serde_json::from_str(&finished.outcome.to_string()).unwrap();
    let again = experiment.score(&world, &setup, &case, &finished.trace, &outcome).unwrap();
    assert_eq!(again, finished.score);
    finished
}

#[test]
fn the_verdict_is_of_the_answer_taken_and_any_is_a_measure_beside_it() {
    let cancel = Cancel::default();
    for (right, choice, verdict, any) in [
        ("Ada", r#"{"choice": 1}"#, Verdict::Correct, 1.0),
        ("Ada", r#"{"choice": 2}"#, Verdict::Incorrect, 1.0),
        ("Eve", r#"{"choice": 2}"#, Verdict::Incorrect, 0.0),
    ] {
        let finished = bench(&Two::new(Answers("Ada"), Answers("Bob"), choice, &cancel), right);
        assert_eq!((finished.score.verdict, finished.score.measures["any"]), (verdict, any));
        assert_eq!(
            finished.outcome["members"][1],
            json!({
                "language": "direct", "answer": "Bob", "is_forced": false,
            })
        );
    }
    let finished = bench(&Two::new(Fails, Fails, "", &cancel), "Ada");
    assert_eq!(finished.score.verdict, Verdict::NoAnswer);
    assert_eq!(finished.score.measures["any"], 0.0);
    // A run in one language has no such measure, and its outcome no members.
    let experiment = experiments::find("kgot").unwrap();
    let words = experiment.measures().iter().find(|measure| measure.id == "any").unwrap().lede;
    assert!(words.contains("no verdict"), "{words}");
}

#[test]
fn the_options_name_the_languages() {
    let usual = setup(&json!({})).unwrap().options;
    assert_eq!(usual.get("language"), None);
    assert_eq!(usual["max_rounds"], json!(7));
    let members: Vec<KgotLanguage> = serde_json::from_value(usual["members"].clone()).unwrap();
    assert_eq!(members.first(), Some(&KgotLanguage::Cypher));
    assert_eq!(members.last(), Some(&KgotLanguage::Direct));
    let options = setup(&json!({ "members": ["networkx"], "votes": 3 })).unwrap().options;
    assert_eq!((&options["members"], &options["votes"]), (&json!(["networkx"]), &json!(3)));
    let wrong = |options: Value| setup(&options).unwrap_err();
    assert!(wrong(json!({ "members": [] })).contains("names no language"));
    assert!(wrong(json!({ "members": ["prolog"] })).contains("prolog"));
    assert!(wrong(json!({ "language": "cypher" })).contains("language"));
}
