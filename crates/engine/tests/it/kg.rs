//! Knowledge graphs through the engine.

use graph::formats::TableColumns;
use protocol::kg::{
    FindNodes, KgDrawn, KgRun, KgSource, KgView, LoadGraph, MakeQuestions, NOT_OPEN, PreviewTable,
    ReadQuestions, VerifiedPlan, VerifyPlan,
};
use protocol::runs::{EndedRun, ModelChoice, RunEvent, StartRun};
use protocol::traces::ReplayTrace;
use systems::experiment::{Cost, Finished};
use systems::kgqa::{KgOptions, Outcome};
use tasks::Verdict;
use tasks::kgqa::{KgQuestion, is_told, is_typed};

use crate::page::*;

pub fn metro() -> LoadGraph {
    LoadGraph { source: KgSource::Metro { n_lines: 8, seed: 1 } }
}

fn opened(page: &mut Page) -> KgView {
    page.ask(metro())
}

fn questions(page: &mut Page) -> Vec<KgQuestion> {
    page.ask(MakeQuestions { n: 40, min_hops: 2, seed: 1 })
}

fn ask(
    page: &mut Page,
    system: &str,
    question: &KgQuestion,
    script: &str,
    plan: Option<&str>,
) -> (usize, Finished<Outcome>) {
    let mut ask = kg_run(system, question, self::script(script));
    ask.by_hand.plan = plan.map(str::to_owned);
    let posted = page.play(ask);
    let n = posted.iter().filter(|e| matches!(e, Event::Step { .. })).count();
    let drawn = told::<StartRun<KgRun>>(&posted).pop();
    let Some(RunEvent::Own(KgDrawn { places, way })) = drawn else { panic!("{drawn:?}") };
    let EndedRun { run, case, .. } = ended::<KgRun>(posted);
    let asked: KgQuestion = case.body.read().unwrap();
    let drawn = run.trace.graph_after(run.trace.steps.len()).unwrap();
    assert_eq!(asked.question, question.question);
    assert!(run.outcome.plan.is_some() || way.nodes.is_empty());
    assert!(drawn.indices().all(|i| places.get(drawn.name(i)).is_some()));
    (n, *run)
}

#[test]
fn a_graph_is_opened_asked_and_searched() {
    let mut page = Page::new();
    assert_eq!(page.refused(MakeQuestions { n: 1, min_hops: 1, seed: 1 }), NOT_OPEN);
    let view = opened(&mut page);
    assert!(view.n_nodes > 60 && view.n_edges > 100);
    assert_eq!(view.drawing.n_nodes(), view.schema.node_types().len());
    for question in questions(&mut page) {
        for system in ["graphrunner", "graph_cot"] {
            let (n_steps, run) = ask(&mut page, system, &question, "script", None);
            assert_eq!(n_steps, run.trace.steps.len());
            assert_eq!(run.score.verdict, Verdict::Correct, "{system} {}", question.question);
        }
    }
    let find = |hint: &str, node_type: &str| FindNodes {
        hint: hint.into(),
        node_type: Some(node_type.into()),
        options: Default::default(),
    };
    assert_eq!(page.ask(find("amber lin", "Line")).hits[0].node, "Amber Line");
    assert!(page.refused(find("x", "Tram")).contains("no node type \"Tram\""));
}

#[test]
fn any_graph_that_is_open_has_questions() {
    let mut page = Page::new();
    let view = page.ask(LoadGraph { source: KgSource::Town { seed: 2 } });
    assert_eq!(view.title, kg::generators::TOWN);
    let make = || MakeQuestions { n: 30, min_hops: 0, seed: 1 };
    let questions = page.ask(make());
    assert_eq!(questions.len(), 30);
    assert!(questions.iter().any(is_told) && !questions.iter().any(is_typed));
    let of_edges = questions.iter().find(|q| !is_told(q)).unwrap();
    let (_, run) = ask(&mut page, "graphrunner", of_edges, "script", None);
    assert_eq!(run.score.verdict, Verdict::Correct, "{}", run.score.explanation);
    // A graph of somebody's own: from its types and edges.
    let lines = "a\tknows\tb\nb\tknows\tc\nc\tknows\ta\na\tlikes\tc\nb\tlikes\ta\n";
    let own = LoadGraph { source: KgSource::Files { title: "mine".into(), columns: None } };
    page.try_with(own, files(&[("mine.tsv", lines.to_owned())])).unwrap();
    let questions = page.ask(make());
    assert!(!questions.is_empty() && questions.iter().all(is_typed));
    let (_, run) = ask(&mut page, "graphrunner", &questions[0], "script", None);
    assert_eq!(run.score.verdict, Verdict::Correct, "{}", run.score.explanation);
}

#[test]
fn a_replay_says_that_the_graph_is_not_in_the_trace() {
    let mut page = Page::new();
    opened(&mut page);
    let question = questions(&mut page).remove(0);
    let (_, run) = ask(&mut page, "graphrunner", &question, "script", None);
    let message = page.refused(ReplayTrace { trace: Box::new(run.trace) });
    assert!(message.contains("not in the trace"), "{message}");
}

#[test]
fn a_plan_by_hand_is_verified_and_run() {
    let mut page = Page::new();
    opened(&mut page);
    let question = questions(&mut page).remove(0);
    let options = KgOptions::default();
    let verify = |plan: &str| VerifyPlan {
        plan: plan.into(),
        question: String::new(),
        options: Box::new(options.clone()),
    };
    let VerifiedPlan { findings, types, .. } =
        page.ask(verify("Find_Node[Amber Line, Line]\nFetch_Neighbors[s1, near]"));
    assert_eq!((findings.len(), types[0].as_slice()), (1, ["Line".to_owned()].as_slice()));
    assert!(page.refused(verify("hm")).contains("no plan was found"));
    let plan = "Find_Node[Amber Line, Line]\nFetch_Neighbors[s1, stops_at]";
    let (_, run) = ask(&mut page, "graphrunner", &question, "script", Some(plan));
    assert_eq!(run.outcome.plan.unwrap().steps.len(), 2);
    assert!(run.trace.model.starts_with("a plan by hand"));
    let (_, wrong) =
        ask(&mut page, "graphrunner", &question, "script", Some("Find_Node[Amber Line, Tram]"));
    assert_eq!(wrong.score.verdict, Verdict::NoAnswer);
    let mut ask = kg_run("graph_cot", &question, script("script"));
    ask.by_hand.plan = Some(plan.into());
    let message = page.refused(ask);
    assert_eq!(message, "Graph-CoT takes no plan by hand; GraphRunner does");
}

#[test]
fn a_file_of_questions_is_told_from_one_of_a_graph() {
    let mut page = Page::new();
    let read = |page: &mut Page, name: &str, text: &str| {
        page.try_with(ReadQuestions { n: 2 }, files(&[(name, text.to_owned())]))
    };
    let lines = concat!(
        "\n{\"question\": \"Which line?\", \"answers\": [\"amber line\"], \"hops\": 1}\n",
        "{\"question\": \"Who?\", \"answer\": \"Nobody here\"}\n",
        "{\"id\": \"c\", \"question\": \"What?\", \"answers\": [\"Amber Line\", \"Zone 1\"]}\n",
    );
    // Before a graph is open nobody knows what its nodes are.
    let file = read(&mut page, "qa.jsonl", lines).unwrap().unwrap();
    assert_eq!((file.n, file.n_known, file.questions.len()), (3, None, 2));
    opened(&mut page);
    let file = read(&mut page, "qa.jsonl", lines).unwrap().unwrap();
    assert_eq!((file.n, file.n_known), (3, Some(2)));
    assert_eq!(file.questions[0].answers, ["amber line"]);
    let node = "{\"id\": \"n\", \"type\": \"Thing\", \"name\": \"a question\"}";
    assert_eq!(read(&mut page, "graph.jsonl", node), Ok(None));
    assert_eq!(read(&mut page, "graph.tsv", "a\tquestion\tb"), Ok(None));
    let cut = "{\"question\": \"Which line?\", \"answers\": [";
    let error = read(&mut page, "cut.jsonl", cut).unwrap_err();
    assert!(error.starts_with("cut.jsonl, line 1, column "), "{error}");
    let error = read(&mut page, "late.jsonl", &format!("{lines}oh")).unwrap_err();
    assert!(error.starts_with("late.jsonl, line 5, column 1: "), "{error}");
}

#[test]
fn a_judge_is_another_model_and_is_asked_where_an_answer_is_known() {
    let mut page = Page::new();
    opened(&mut page);
    let question = questions(&mut page).remove(0);
    let mut judged = |question: &KgQuestion, model: &str, judge: Option<ModelChoice>| {
        let mut ask = kg_run("graphrunner", question, script(model));
        if let Some(judge) = judge {
            ask = ask.with_model("judge", judge);
        }
        *ended::<KgRun>(page.play(ask)).run
    };
    let without = judged(&question, "script", None);
    assert_eq!(without.outcome.judged, None);
    let with = judged(&question, "script", Some(script("script")));
    assert_eq!(with.outcome.judged, Some(true));
    assert!(with.outcome.judge_said.as_deref().is_some_and(|said| said.starts_with("Yes")));
    // Its turn stands in the trace and counts as no turn of the run.
    let rounds = |run: &Finished<Outcome>| Cost::of(&run.trace).n_rounds;
    assert_eq!(rounds(&with), rounds(&without));
    let steps = |run: &Finished<Outcome>| run.trace.steps.len();
    assert!(steps(&with) > steps(&without));
    let unknown = KgQuestion { question: "Is it nice?".into(), ..KgQuestion::default() };
    assert_eq!(judged(&unknown, "script", Some(script("script"))).outcome.judge_said, None);
}

#[test]
fn files_are_read_and_their_faults_told() {
    let mut page = Page::new();
    let node =
        |i: usize| format!("{{\"id\": \"n{i}\", \"type\": \"Thing\", \"name\": \"thing {i}\"}}");
    let mut lines: Vec<String> = (0..100).map(node).collect();
    for i in (0..100).step_by(33) {
        lines[i] = "{\"id\": 7".into();
    }
    let ask = || LoadGraph { source: KgSource::Files { title: "mine".into(), columns: None } };
    let view = page.try_with(ask(), files(&[("my.jsonl", lines.join("\n"))])).unwrap();
    assert_eq!((view.n_nodes, view.n_faults), (96, 4));
    assert!(view.faults[0].starts_with("line 1, column "), "{}", view.faults[0]);
    for (name, text, told) in
        [("x.exe", "", "no format has this ending"), ("x.jsonl", "hello", "line 1, column 1")]
    {
        let error = page.try_with(ask(), files(&[(name, text.to_owned())])).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
    // What was open before stays open.
    let (hint, options) = ("thing 5".into(), Default::default());
    let found = page.ask(FindNodes { hint, node_type: None, options });
    assert_eq!(found.hits.len(), 1);
}

/// Of a table that names none of its columns a person says what they are, once its first rows are seen.
#[test]
fn the_columns_of_a_table_are_asked_for() {
    let mut page = Page::new();
    let text = "Nr;Stadt A;Stadt B;Linie\n1;Ulm;Kiel;blue\n2;Kiel;Jena;red\n3;Jena;Ulm;red\n";
    let preview = |head: &str| PreviewTable { name: "roads.csv".into(), head: head.into() };
    let view = page.ask(preview(text)).0.unwrap();
    assert_eq!(view.columns, ["Nr", "Stadt A", "Stadt B", "Linie"]);
    assert_eq!(view.rows[1], ["2", "Kiel", "Jena", "red"]);
    // What names its columns, and triples, need nobody; numbers under a word show a heading.
    for known in ["source;target\na;b\n", "Bob,knows,Ann\nAnn,met,Eve\nEve,likes,Bob\n"] {
        assert_eq!(page.ask(preview(known)).0, None, "{known}");
    }
    let ages = page.ask(preview("Wer,Wen,Seit\nAnn,Bob,1990\nEve,Ann,1991\n")).0;
    assert_eq!(ages.unwrap().columns, ["Wer", "Wen", "Seit"]);
    let mut load = |columns: Option<TableColumns>| {
        let source = KgSource::Files { title: "roads".into(), columns };
        page.try_with(LoadGraph { source }, files(&[("roads.csv", text.to_owned())]))
    };
    let words = load(None).unwrap_err();
    assert!(words.contains("none of the columns `Nr`, `Stadt A`"), "{words}");
    let column = |name: &str| Some(name.to_owned());
    let columns = TableColumns {
        source: column("Stadt A"),
        target: column("3"),
        relation: column("linie"),
        weight: None,
    };
    let view = load(Some(columns)).unwrap();
    assert_eq!((view.n_nodes, view.n_edges), (3, 3));
    let words = load(Some(TableColumns { source: column("Ort"), ..TableColumns::default() }));
    assert!(words.unwrap_err().contains("there is no column `Ort`; there are Nr, Stadt A"));
}
