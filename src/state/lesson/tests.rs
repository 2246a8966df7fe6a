//! Every lesson is read, and every block is played: what a lesson promises, it keeps.

use std::sync::LazyLock;

use agent::{Cancel, Limits, RunContext};
use futures_util::FutureExt as _;
use llm::Model;
use ownmodel::{OwnModel, OwnOptions};
use proptest::prelude::*;
use systems::grounded::scripted::Script;
use systems::kgot::experiment::{judge_answer, task_of};
use systems::kgot::scripted::KgotScript;
use systems::kgot::{KgotModels, KgotOptions, KgotPlace, ToolPlace, run, run_without_graph};
use systems::rescue::scripted::RescueScript;
use systems::rescue::{Dialogue, limits, say};
use systems::{Run, RunOptions, RunRequest, run_system};
use tasks::rescue::{NINE_LOCATIONS, Scenario};
use tasks::{Problem, Style, Wording, claims, parse_question, task, verify};

use super::*;

fn made(source: &ProblemSource) -> (Problem, String) {
    match source {
        ProblemSource::Question(text) => (parse_question(text).unwrap(), text.clone()),
        ProblemSource::Made { task: id, difficulty, seed } => {
            assert!(task(*id).difficulties.contains(difficulty), "{id} has no level {difficulty}");
            let problem = task(*id).generate(*difficulty, *seed);
            let question = problem.question(Wording::Improved, Style::ZeroShot);
            (problem, question)
        }
    }
}

fn setting(limits: Limits, cancel: &Cancel) -> RunContext<'_> {
    RunContext { limits, seed: None, clock: &|| 0.0, cancel, watch: &() }
}

fn play(which: usize, block: &RunBlock, problem: &Problem, question: &str) -> Run {
    let system = systems::nlgraph::find(block.systems.ids()[which]).unwrap();
    let attach = block.attach && system.has_tools;
    let attached = problem.attached_question(Wording::Improved);
    let cancel = Cancel::default();
    let request = RunRequest {
        system,
        problem,
        question: if attach { &attached } else { question },
        options: RunOptions { attach, ..RunOptions::default() },
        setting: setting(Limits::default(), &cancel),
        python: None,
    };
    let script;
    let model: &dyn Model = match &block.players[which] {
        Player::Own => &*OWN,
        Player::Script(name) => {
            script = Script::by_name(name).unwrap_or_else(|| panic!("there is no script {name:?}"));
            &script
        }
    };
    run_system(request, model, &mut |_| {}).now_or_never().unwrap()
}

/// Our own model, as it ships.
static OWN: LazyLock<OwnModel> = LazyLock::new(|| {
    let weights = include_bytes!("../../../assets/models/own/own.bin");
    OwnModel::load(weights, OwnOptions::default()).unwrap()
});

/// What our own model answers to a problem without tools.
fn alone(problem: &Problem, question: &str) -> String {
    let block = RunBlock {
        systems: Systems::Standalone,
        players: vec![Player::Own],
        expect: Vec::new(),
        attach: false,
    };
    play(0, &block, problem, question).trace.answer().unwrap_or_default().to_owned()
}

/// The answers that real models gave.
const RECORDED: &str = include_str!("../../../assets/answers/recorded.jsonl");

/// Whether a line has that answer of SmolLM2's to that question.
fn is_said(line: &str, question: &str, text: &str) -> bool {
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let is_theirs = line["model"].as_str().unwrap().to_lowercase().contains("smollm2");
    let answer = line["answer"].as_str().unwrap();
    is_theirs && line["question"] == question && answer.trim() == text
}

/// What a block turns out to be other than its lesson says.
fn broken(block: &Block, problem: Option<&(Problem, String)>) -> Vec<String> {
    match (block, problem) {
        (Block::Run(run), Some((problem, question))) => run
            .expect
            .iter()
            .enumerate()
            .filter_map(|(which, expected)| {
                let played = play(which, run, problem, question);
                (played.judgement.verdict != *expected).then(|| {
                    let (answer, why) = (played.trace.answer(), &played.judgement.explanation);
                    let found = played.judgement.verdict;
                    format!("{:?} {which}: {found:?}: {answer:?}, {why}", run.players)
                })
            })
            .collect(),
        (Block::Answer(block), Some((problem, _))) => {
            let found = verify(problem, &block.text);
            (found.verdict != block.expect)
                .then(|| format!("{:?}: {:?}, {}", block.text, found.verdict, found.explanation))
                .into_iter()
                .collect()
        }
        (Block::Claims(text), Some((problem, question))) => {
            let found = claims::find(problem, &text.text);
            let n_false = found.iter().filter(|c| !c.is_true).count();
            let told: Vec<String> =
                found.iter().map(|c| format!("{} ({})", c.says, c.is_true)).collect();
            let wrong = n_false != text.n_false;
            let mut faults = Vec::new();
            if wrong {
                faults.push(format!("{n_false} claims are false: {told:?}"));
            }
            match text.quoted {
                Some(Quoted::Own) => {
                    let said = alone(problem, question);
                    if said != text.text {
                        faults.push(format!("our own model says {said:?} and not {:?}", text.text));
                    }
                }
                Some(Quoted::Smollm2)
                    if !RECORDED.lines().any(|line| is_said(line, question, &text.text)) =>
                {
                    faults.push(format!("no line has this answer to {question:?}"));
                }
                Some(Quoted::Smollm2) | None => {}
            }
            faults
        }
        (Block::Look(block), Some((problem, question))) => {
            let said = alone(problem, question);
            let before = [llm::Message::user(question)];
            let answer = llm::Message::assistant(&*block.answer);
            let look = OWN.look(&before, &answer, false, 3).unwrap();
            let mut faults = Vec::new();
            if said != block.answer {
                faults.push(format!("our own model says {said:?} and not {:?}", block.answer));
            }
            let is_word =
                |piece: &String| piece.trim_matches(|c: char| !c.is_alphanumeric()) == block.word;
            if !look.pieces[look.n_question..].iter().any(is_word) {
                faults.push(format!("the answer has no word {:?}", block.word));
            }
            faults
        }
        (Block::Rescue(block), _) => {
            let script = RescueScript::by_name(&block.script).unwrap();
            let nine = Dialogue::new(Scenario::from_json(NINE_LOCATIONS).unwrap());
            let cancel = Cancel::default();
            let setting = setting(limits(), &cancel);
            let turn = say(nine, &block.say, &script, &agent::Choosing::All, setting, &mut |_| {})
                .now_or_never()
                .unwrap();
            let found: Vec<String> = turn
                .graph_findings
                .iter()
                .chain(&turn.findings)
                .map(|f| f.message.clone())
                .collect();
            let mut faults: Vec<String> = block
                .finds
                .iter()
                .filter(|words| !found.iter().any(|f| f.contains(*words)))
                .map(|words| format!("no finding says {words:?}: {found:?}"))
                .collect();
            if block.finds.is_empty() && !found.is_empty() {
                faults.push(format!("there are findings: {found:?}"));
            }
            faults
        }
        (Block::Thoughts(block), _) => {
            let case = tasks::kgot::cases(0).swap_remove(block.index);
            let script = KgotScript::new([0]);
            let script = if block.script == "hasty" { script.hasty() } else { script };
            let task = task_of(&case);
            let cancel = Cancel::default();
            let limits = Limits { max_rounds: 300, max_calls: 300, ..Limits::default() };
            let setting = setting(limits, &cancel);
            let (trace, outcome) = if block.has_graph {
                let models = KgotModels { graph: &script, tools: &script };
                let (options, place) = (KgotOptions::default(), KgotPlace::default());
                let solved = run(&task, &options, models, &place, setting, &mut |_| {})
                    .now_or_never()
                    .unwrap();
                (solved.trace, solved.outcome)
            } else {
                let place = ToolPlace::default();
                run_without_graph(&task, &script, &place, setting, &mut |_| {})
                    .now_or_never()
                    .unwrap()
            };
            let score = judge_answer(&case.answer, &trace, &outcome);
            let mut faults = Vec::new();
            if score.verdict != block.expect {
                faults.push(format!("{:?}: {}", score.verdict, score.explanation));
            }
            if block.has_graph && outcome.support.is_empty() {
                faults.push("the answer stands on nothing".into());
            }
            faults
        }
        (Block::Recorded(block), _) => {
            let record = recorded::record(&block.run).unwrap();
            let score = record.score.unwrap();
            let expected = serde_json::to_value(block.expect).unwrap();
            let is_so = expected == score.label.as_str();
            let fault = || format!("{}: {}: {}", block.run, score.label, score.explanation);
            (!is_so).then(fault).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Plays a lesson and lists what it promises and does not keep.
fn stale(lesson: &Lesson) -> Vec<String> {
    let mut problem = None;
    let mut faults = Vec::new();
    for block in &lesson.blocks {
        if let Block::Problem(block) = block {
            problem = Some(made(&block.source));
        }
        faults.extend(broken(block, problem.as_ref()));
    }
    faults
}

#[test]
fn every_lesson_keeps_what_it_promises() {
    let mut faults = Vec::new();
    for (name, text) in LESSONS {
        match parse(text) {
            Ok(lesson) => {
                faults.extend(stale(&lesson).into_iter().map(|f| format!("{name}: {f}")));
            }
            Err(error) => faults.push(format!("{name}: {error}")),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_lesson_that_promises_something_else_is_found() {
    for (name, text) in LESSONS {
        let mut lesson = parse(text).unwrap();
        let mut n_spoilt = 0;
        for block in &mut lesson.blocks {
            n_spoilt += match block {
                Block::Run(run) => {
                    run.expect.iter_mut().for_each(|e| *e = Verdict::NoAnswer);
                    run.expect.len()
                }
                Block::Claims(text) => {
                    text.n_false += 1;
                    1
                }
                Block::Answer(block) => {
                    block.expect = Verdict::NoAnswer;
                    1
                }
                Block::Look(block) => {
                    block.answer.push('!');
                    1
                }
                Block::Rescue(block) => {
                    block.finds = vec!["a unicorn".into()];
                    1
                }
                Block::Thoughts(block) => {
                    block.expect = Verdict::NoAnswer;
                    1
                }
                Block::Recorded(block) => {
                    let was = block.expect;
                    block.expect =
                        if was == Verdict::NoAnswer { Verdict::Correct } else { Verdict::NoAnswer };
                    1
                }
                _ => 0,
            };
        }
        assert!(n_spoilt > 0, "{name} has nothing to see");
        assert_eq!(stale(&lesson).len(), n_spoilt, "{name}");
    }
}

#[test]
fn each_lesson_has_its_own_file_name_and_title() {
    let mut names: Vec<&str> = LESSONS.iter().map(|(n, _)| *n).collect();
    let mut titles: Vec<String> = LESSONS.iter().map(|(_, t)| parse(t).unwrap().title).collect();
    names.sort_unstable();
    names.dedup();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!((names.len(), titles.len()), (LESSONS.len(), LESSONS.len()));
    assert_eq!(position("friends"), Some(0));
    assert_eq!(position("friend"), None);
}

const HEAD: &str = "---\ntitle: T\nidea: I\nminutes: 5\n---\n";

#[test]
fn markdown_becomes_blocks() {
    let text = format!("{HEAD}## A *b*\none\ntwo\n\n- x\n  y\n- z\n1. first\nafter\n");
    let lesson = parse(&text).unwrap();
    let plain = |s: &str| vec![Span::Plain(s.into())];
    assert_eq!((lesson.title.as_str(), lesson.minutes), ("T", 5));
    assert_eq!(
        lesson.blocks,
        [
            Block::Heading(vec![Span::Plain("A ".into()), Span::Em("b".into())]),
            Block::Paragraph(plain("one two")),
            Block::List { ordered: false, items: vec![plain("x y"), plain("z")] },
            Block::List { ordered: true, items: vec![plain("first after")] },
        ]
    );
}

#[test]
fn faults_say_where_and_what_would_be_right() {
    let made = "```problem\ntask = flow\ndifficulty = easy\nseed = 1\n```\n";
    let cases = [
        ("text".to_owned(), 1, "begins with"),
        ("---\ntitle: T".to_owned(), 2, "not closed"),
        (HEAD.replace("minutes: 5", "minutes: 0"), 4, "\"0\""),
        (HEAD.replace("idea: I\n", ""), 1, "\"idea\""),
        (HEAD.replace("idea: I", "idee: I"), 3, "\"idee\""),
        (format!("{HEAD}# big"), 6, "\"# big\""),
        (format!("{HEAD}\n```video\n```"), 7, "\"video\" is no kind of block"),
        (format!("{HEAD}```run"), 6, "not closed"),
        (format!("{HEAD}```run\nsystem = both\n```"), 6, "needs a problem above"),
        (format!("{HEAD}```problem\ntask = flow\ndifficulty = tough\n```"), 8, "easy, medium"),
        (format!("{HEAD}```problem\nlayout = star\n```"), 7, "\"star\" is no layout"),
        (format!("{HEAD}```problem\ntask = flaw\n```"), 7, "\"flaw\" is no task"),
        (format!("{HEAD}{made}```run\nsystem = none\n```"), 12, "grounded, standalone, both"),
        (
            format!("{HEAD}{made}```run\nsystem = both\nscript = script\nexpect = Wrong\n```"),
            14,
            "1 verdicts for 2 systems",
        ),
        (
            format!(
                "{HEAD}{made}```run\nsystem = grounded\nexpect = Wrong\nscript = a\nmodel = own\n```"
            ),
            15,
            "not both",
        ),
        (
            format!("{HEAD}{made}```run\nsystem = grounded\nexpect = Wrong\nmodel = gpt\n```"),
            14,
            "\"gpt\" is no model",
        ),
        (format!("{HEAD}{made}```run\nsystem = both\nsystem = both\n```"), 13, "given twice"),
        (format!("{HEAD}{made}```claims\nfalse = 1\n```"), 11, "missing"),
        (format!("{HEAD}{made}```look\nword = 7\n---\nIt is 8.\n```"), 11, "the word \"7\""),
        (
            format!("{HEAD}```predict\nask = a\nright = b\nbecause = c\n```"),
            6,
            "1 choices; a question has 2 to 6",
        ),
        (format!("{HEAD}```rescue\nscript = hero\n```"), 7, "\"hero\" plays no rescue"),
        (format!("{HEAD}```recorded\nrun = none\n```"), 7, "\"none\" was not recorded"),
        (
            format!("{HEAD}{made}```claims\nfalse = 1\nmodel = gpt\n---\nx\n```"),
            13,
            "own and smollm2 are",
        ),
        (format!("{HEAD}```thoughts\ntask = 0\n```"), 7, "\"0\" is no number of a task"),
        (format!("{HEAD}```thoughts\ntask = 1\nmethod = x\n```"), 8, "\"x\" is no method"),
    ];
    for (text, line, part) in cases {
        let error = parse(&text).unwrap_err();
        assert_eq!(error.line, line, "{text}\n{error}");
        assert!(error.message.contains(part), "{error}");
    }
    let long = parse(&"x".repeat(100_001)).unwrap_err();
    assert!(long.message.contains("100001 bytes"), "{long}");
}

proptest! {
    /// Any text is a lesson, or the error names a line that it has.
    #[test]
    fn any_text_is_read_or_refused_with_its_line(
        lines in prop::collection::vec(
            prop_oneof![
                Just("---".to_owned()), Just("```".to_owned()), Just("```run".to_owned()),
                Just("```problem".to_owned()), Just("```predict".to_owned()),
                Just("title: a".to_owned()), Just("task = flow".to_owned()),
                Just("- **x".to_owned()), Just("seed = -1".to_owned()), "\\PC{0,20}",
            ],
            0..20,
        ),
        with_head: bool,
    ) {
        let text = format!("{}{}", if with_head { HEAD } else { "" }, lines.join("\n"));
        if let Err(error) = parse(&text) {
            prop_assert!((1..=text.lines().count().max(1)).contains(&error.line), "{error}");
        }
    }

    /// No letter of a line is lost but the marks.
    #[test]
    fn spans_keep_every_letter(line in "[a-c*`é <]{0,30}") {
        let kept: String = inline::spans(&line)
            .iter()
            .map(|s| match s {
                Span::Plain(t) => t.clone(),
                Span::Strong(t) => format!("**{t}**"),
                Span::Em(t) => format!("*{t}*"),
                Span::Code(t) => format!("`{t}`"),
            })
            .collect();
        prop_assert_eq!(kept, line);
    }
}

#[test]
fn the_mistakes_of_a_graph_are_false_on_its_map() {
    let scenario = Scenario::from_json(NINE_LOCATIONS).unwrap();
    let mut graph =
        graph::Graph::from_deltas(&[graph::Delta::Create { directed: false, weighted: true }])
            .unwrap();
    let names = ["L0", "L5", "L9"].map(graph::NodeName::from);
    for name in &names {
        graph.ensure_node(name.clone()).unwrap();
    }
    let (source, target) = (names[1].clone(), names[2].clone());
    graph
        .apply(&graph::Delta::AddEdge { source, target, weight: Some(1.0), capacity: None })
        .unwrap();
    let findings = tasks::rescue::check_graph(&scenario, &graph);
    let scene = map::scene(&scenario, &graph, &findings);
    let is_false = |name: &str| {
        scene.nodes.iter().any(|n| n.name == name.into() && n.marks.contains(&draw::Mark::False))
    };
    assert!(is_false("L0"));
    assert!(!is_false("L5"));
    assert!(scene.edges.iter().any(|e| e.marks.contains(&draw::Mark::False)));
}

#[test]
fn the_names_are_those_of_the_lessons() {
    assert!(LESSONS.iter().map(|(name, _)| *name).eq(NAMES));
}
