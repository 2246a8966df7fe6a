//! One problem: it is dropped, made, pasted or edited; it is run, judged, kept and opened again.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use serde_json::json;
use tasks::{Difficulty, Style, TaskId, Wording};

use crate::browser::{Browser, Companion, file};
use crate::screens::{Head, Player, Solve, Traces};

/// A problem in a file as NLGraph writes it.
fn real_format(task: TaskId) -> String {
    let problem = tasks::task(task).generate(Difficulty::Easy, 7);
    let question = problem.question(Wording::Benchmark, Style::ZeroShot);
    let answer = tasks::reference_text(&problem, &tasks::solve(&problem));
    json!({ "0": { "question": question, "answer": answer, "difficulty": "easy" } }).to_string()
}

#[tokio::test]
async fn a_dropped_question_is_solved_over_http_and_an_error_on_the_way_is_counted() -> Result<()> {
    let companion = Companion::start().await?;
    let page = Browser::open("#/dataset").await?;
    let (solve, head) = (Solve(&page), Head(&page));
    let question = real_format(TaskId::ShortestPath);
    solve.opens_dropped(TaskId::ShortestPath, &question).await?;
    head.uses_tested(&companion.url, "script").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    // One step says which functions were sent.
    solve.has_steps(9).await?;
    let calls: Vec<String> = solve.called().await?;
    ensure!(calls == ["create_graph", "add_nodes", "add_edges", "find_shortest_path"], "{calls:?}");
    ensure!(solve.n_mistakes().await? == 0, "an error is counted where none was");

    solve.opens_dropped(TaskId::Flow, &real_format(TaskId::Flow)).await?;
    head.uses_tested(&companion.url, "mistaken/bad-json").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    solve.counts_mistake("1 × malformed JSON").await?;
    solve.tells_mistake("not JSON").await?;
    ensure!(solve.n_bad_marks().await? == 1, "not one step is marked as bad");
    page.close().await
}

/// Native tests play every task with every script; here are a path, a yes or no, an order, rows and a set.
#[tokio::test]
async fn the_graph_grows_with_the_cursor_and_a_run_is_kept_reopened_and_deleted() -> Result<()> {
    let page =
        Browser::open("#/solve?task=shortest_path&difficulty=easy&seed=7&model=script").await?;
    let (solve, head) = (Solve(&page), Head(&page));
    solve.draws(8).await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    page.seek(1).await?;
    solve.draws(0).await?;
    page.seek(4).await?;
    solve.has_built(8).await?;
    page.seek(5).await?;
    solve.has_built_edges().await?;
    page.seek(8).await?;
    solve.draws_the_answer().await?;
    // What the person finds without the model: a function by hand, and an answer that lies.
    solve.calls_by_hand("describe_graph", "8").await?;
    solve.judges("The shortest path is 1, 7 with a total weight of 1.", "Wrong").await?;
    solve.draws_false_edges(1).await?;

    solve.keeps(1).await?;
    head.reloads().await?;
    solve.keeps(1).await?;
    ensure!(solve.n_steps().await? == 0, "the run is shown before anybody opened it");
    solve.lists_kept().await?;
    solve.opens_kept().await?;
    // The problem of the address, which comes from the engine, does not put it away.
    solve.is_judged("Correct").await?;
    solve.question().await?;
    solve.has_steps(8).await?;
    solve.deletes_kept().await?;
    solve.keeps(0).await?;

    for task in [TaskId::Connectivity, TaskId::Topology, TaskId::Gnn, TaskId::IndependentSet] {
        solve.choose_task(task).await?;
        let problem = tasks::task(task).generate(Difficulty::Easy, 7);
        let question = problem.question(Wording::Improved, Style::ZeroShot);
        let opening: String = question.chars().take(30).collect();
        solve.asks(&opening).await?;
        solve.with_tools().await?;
        solve.is_judged("Correct").await?;
        solve.alone().await?;
        solve.has_right_runs(2).await?;
        solve.shows_the_right_answer().await?;
    }
    page.close().await
}

#[tokio::test]
async fn a_graph_of_ones_own_is_pasted_solved_and_edited_and_bad_input_changes_nothing()
-> Result<()> {
    let page = Browser::open("#/solve?task=flow&difficulty=easy&seed=2&model=script").await?;
    let solve = Solve(&page);
    solve.asks("maximum flow").await?;
    let before = solve.question().await?;
    solve.begins_import().await?;
    let beyond = "In an undirected graph, (i,j) means that node i and node j are connected with an undirected edge.\n\
         The nodes are numbered from 0 to 4, and the edges are: (0,1) (7,2)\nQ: Is there a cycle in this graph?\nA:";
    solve.pastes(beyond).await?;
    solve.refuses("7").await?;
    solve.refuses("0 to 4").await?;
    solve.pastes("hello, what is this?").await?;
    solve.refuses("could not be read as a question").await?;
    solve.refuses("one edge a line, such as `A B`").await?;
    solve.pastes(&"x".repeat(5_200_000)).await?;
    solve.refuses("5.2 MB").await?;
    ensure!(solve.question().await? == before, "what was on the screen is gone");

    solve.pastes("0 1 4\n1 2 1\n0 2 9\n2 3 2\n").await?;
    solve.draws(4).await?;
    solve.asks("shortest path from node 0 to node 3").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;

    solve.opens("#/solve?task=cycle&difficulty=easy&seed=1").await?;
    solve.is_drawn().await?;
    let n: usize = solve.n_drawn().await?;
    solve.adds_node().await?;
    solve.draws(n + 1).await?;
    solve.asks(&format!("numbered from 0 to {n}")).await?;
    solve.joins_the_new_node().await?;
    solve.undoes().await?;
    solve.undoes().await?;
    solve.draws(n).await?;
    page.close().await
}

/// A table whose headings nobody knows, in an encoding of before: the page shows its rows and asks.
#[tokio::test]
async fn the_columns_of_a_table_are_chosen_under_its_rows() -> Result<()> {
    let page = Browser::open("#/solve?task=flow&difficulty=easy&seed=2&model=script").await?;
    let solve = Solve(&page);
    solve.is_drawn().await?;
    let path = file("roads.csv", "")?;
    // Latin-1: "Köln" has one byte for its second letter.
    let text = "Nr;Stadt A;Stadt B;Dauer\n1;K\u{f6}ln;Ulm;4\n2;Ulm;Kiel;5\n3;K\u{f6}ln;Kiel;12\n";
    std::fs::write(&path, text.chars().map(|c| c as u8).collect::<Vec<_>>())?;
    solve.begins_import().await?;
    solve.imports_file(&path).await?;
    solve.columns_say("Stadt B").await?;
    solve.columns_say("K\u{f6}ln").await?;
    page.shoot("solve-columns-1280-light").await?;
    // The first two columns of words are taken for the ends; another choice frees the role.
    solve.first_column_is("1").await?;
    solve.third_column_is("2").await?;
    solve.first_column_is("0").await?;
    solve.second_column_is("1").await?;
    solve.fourth_column_is("4").await?;
    solve.opens_table().await?;
    solve.draws(3).await?;
    solve.names_say("K\u{f6}ln").await?;
    solve.notices("windows-1252").await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    page.close().await
}

/// A file may have several graphs: the first is opened, and another one by its number.
#[tokio::test]
async fn another_graph_of_a_file_is_chosen_by_its_number() -> Result<()> {
    let page = Browser::open("#/solve?task=flow&difficulty=easy&seed=2&model=script").await?;
    let solve = Solve(&page);
    solve.is_drawn().await?;
    let text =
        "graph one { a -- b }\ngraph two { a -- b -- c }\ngraph three { a -- b -- c -- d }\n";
    solve.begins_import().await?;
    solve.imports_file(&file("three.dot", text)?).await?;
    solve.draws(2).await?;
    solve.notices("2 graphs after the first").await?;
    solve.opens_graph("3").await?;
    solve.draws(4).await?;
    page.shoot("solve-several").await?;
    solve.opens_graph("2").await?;
    solve.draws(3).await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    page.close().await
}

/// The best of many valid answers is asked for on the way: what is valid and not the best is partly right,
/// and what names somebody who is not there is wrong, whatever the benchmark's own script says.
#[tokio::test]
async fn what_is_false_in_an_answer_is_marked_and_what_is_right_is_drawn() -> Result<()> {
    let page = Browser::open("#/solve?task=shortest_path&difficulty=easy&seed=7").await?;
    let (solve, head) = (Solve(&page), Head(&page));
    solve.question().await?;
    page.play_script("mistaken/bad-json").await?;
    solve.alone().await?;
    solve.is_judged("Wrong").await?;
    solve.draws_what_is_false().await?;
    solve.picks_what_is_false().await?;
    page.shoot("solve-claims").await?;

    solve.opens("#/solve?task=MIS&difficulty=easy&seed=3").await?;
    solve.asks("Maximum Independent Set").await?;
    let problem = tasks::task(TaskId::IndependentSet).generate(Difficulty::Easy, 3);
    let best = tasks::reference_text(&problem, &tasks::solve(&problem));
    let first = best.trim_matches(['[', ']']).split(", ").next().unwrap_or_default().to_owned();
    for (answer, verdict) in [
        (best.clone(), "Correct"),
        (format!("[{first}]"), "Partly right"),
        (best.replace(']', ", Nobody Known]"), "Wrong"),
    ] {
        solve.judges(&answer, verdict).await?;
        page.shoot(&format!("solve-MIS-{}-1280-light", verdict.replace(' ', "-"))).await?;
    }
    head.says("GraphArena's own script says correct, other than here").await?;

    // A graph convolution has its rows at the nodes.
    solve.opens("#/solve?task=GNN&difficulty=easy&seed=4&model=script").await?;
    solve.is_drawn().await?;
    ensure!(solve.n_rows().await? == 0, "there are rows before an answer");
    solve.shows_the_right_answer().await?;
    solve.has_right_rows().await?;
    let rows: Vec<String> = solve.rows().await?;
    ensure!(rows.len() > 3 && rows.iter().all(|row| row.contains("] → [")), "{rows:?}");
    ensure!(solve.n_right_rows().await? == rows.len(), "some rows are not right");
    page.shoot("rows-right").await?;
    solve.judges("node 0: [99, 99]", "Wrong").await?;
    solve.wrong_row_says("[99, 99]").await?;
    page.shoot("rows-wrong").await?;

    // The minimum cut is a line across.
    for seed in [2, 3, 5] {
        solve.opens(&format!("#/solve?task=flow&difficulty=easy&seed={seed}")).await?;
        solve.is_drawn().await?;
        ensure!(solve.n_cuts().await? == 0, "seed {seed}: there is a cut before an answer");
        solve.shows_the_right_answer().await?;
        ensure!(solve.cut_parts_the_graph().await?, "seed {seed}: the line parts nothing");
        page.shoot(&format!("cut-{seed}")).await?;
    }
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_run_has_few_functions_an_attached_graph_votes_or_a_person_as_its_model() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=3&model=demo").await?;
    let solve = Solve(&page);
    solve.question().await?;
    solve.folds_run_settings().await?;
    solve.toggles_few_tools().await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    solve.steps_say("9 of 67 functions").await?;
    solve.steps_say("find_cycle").await?;

    solve.toggles_few_tools().await?;
    solve.toggles_attached().await?;
    solve.with_tools().await?;
    solve.facts_say("1 call").await?;
    solve.is_judged("Correct").await?;

    solve.toggles_attached().await?;
    solve.votes_of("3").await?;
    solve.folds_run_settings().await?;
    solve.run_settings_say("best of 3").await?;
    solve.with_tools().await?;
    solve.votes_say("3 ×").await?;

    solve.votes_of("1").await?;
    solve.is_the_model().await?;
    page.shoot("seat").await?;
    solve.calls_from_the_seat("create_graph").await?;
    solve.answers_from_the_seat("I do not know; perhaps there is a cycle.").await?;
    solve.has_verdict().await?;
    solve.facts_say("You").await?;

    // A thousand nodes take no words: they are attached.
    let graph = graph::generators::random_sparse(1000, 5000, false, 7)?;
    let mut text = String::new();
    for (i, edge) in graph.edges().enumerate() {
        writeln!(text, "{} {} {}", edge.source, edge.target, 1 + i * 7 % 20)?;
    }
    solve.begins_import().await?;
    solve.imports_file(&file("thousand.txt", &text)?).await?;
    solve.asks("999").await?;
    solve.folds_run_settings().await?;
    solve.toggles_attached().await?;
    solve.toggles_few_tools().await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    let traces = Traces(&page);
    traces.open_kept().await?;
    page.seek_end().await?;
    let words = traces.raw_of_kept().await?;
    ensure!(words.len() < 20_000, "the model read {} characters", words.len());
    let drawn: usize = solve.n_drawn().await?;
    ensure!(drawn > 10 && drawn <= 200, "{drawn} nodes are drawn");
    page.shoot("attached-thousand").await?;
    page.close().await
}

/// The page that is left writes its address a last time, before it knows that it is left.
#[tokio::test]
async fn an_address_names_a_problem_or_a_step_and_back_returns_to_what_was_before() -> Result<()> {
    let page = Browser::open("#/solve?task=matching&difficulty=hard&seed=11").await?;
    let (solve, head, player) = (Solve(&page), Head(&page), Player(&page));
    solve.asks("job applicants").await?;
    let first = solve.question().await?;
    page.opens_elsewhere("#/solve?task=matching&difficulty=hard&seed=11").await?;
    solve.asks_exactly(&first).await?;

    for path in ["solve", "compare"] {
        let first = solve
            .opens(&format!("#/{path}?task=cycle&difficulty=easy&seed=3&model=script"))
            .await?;
        solve.next_problem().await?;
        page.has_address("seed=4").await?;
        solve.next_problem().await?;
        page.has_address("seed=5").await?;
        head.goes_back().await?;
        page.has_address("seed=4").await?;
        head.goes_back().await?;
        page.has_address("seed=3").await?;
        solve.asks_exactly(&first).await?;
        head.goes_forward().await?;
        page.has_address("seed=4").await?;
    }

    // The whole setup is in the address, and what is changed on the page, too.
    for (path, setup) in [("compare", ""), ("solve", "&tools=3&attach=1&runs=2")] {
        let hash = format!(
            "#/{path}?task=flow&difficulty=hard&seed=4&wording=benchmark&style=zero_cot\
             &model=mistaken%2Fbad-json{setup}"
        );
        page.opens_elsewhere(&hash).await?;
        head.names_model("sends bad JSON").await?;
        let first = solve.question().await?;
        ensure!(first.contains("step by step"), "the style is lost: {first}");
        head.address_is(&hash).await?;
        solve.next_problem().await?;
        page.has_address("seed=5").await?;
        let second = solve.asks_other_than(&first).await?;
        let address = page.address().await?;
        page.opens_elsewhere(&address).await?;
        solve.asks_exactly(&second).await?;
        head.names_model("sends bad JSON").await?;
    }

    solve.opens("#/solve?task=cycle&difficulty=easy&seed=2").await?;
    solve.leaves_with_another_style().await?;

    // A trace by its address moves to another step, and is found where it was left.
    let hash = "#/solve?task=cycle&difficulty=easy&seed=3&model=script&system=grounded&play=1";
    page.opens_elsewhere(hash).await?;
    solve.keeps(1).await?;
    let id = page.kept_runs().await?.remove(0);
    for step in [2, 1] {
        page.go(&format!("#/traces?run={id}&step={step}")).await?;
        player.is_at(step).await?;
    }
    page.seek(3).await?;
    player.is_at(3).await?;
    page.go("#/tools").await?;
    head.goes_back().await?;
    player.is_at(3).await?;
    page.close().await
}

#[tokio::test]
async fn a_ready_graph_is_chosen_asked_about_and_named_in_the_address() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=3&model=script").await?;
    let (solve, head) = (Solve(&page), Head(&page));
    solve.asks("cycle").await?;
    solve.opens_ready("metro").await?;
    solve.asks("Summit").await?;
    head.address_is("#/solve?ready=metro").await?;
    page.fits("solve-ready", None).await?;
    solve.with_tools().await?;
    solve.is_judged("Correct").await?;
    page.reload().await?;
    solve.asks("Summit").await?;
    solve.begins_import().await?;
    solve.imports_ready("courses").await?;
    solve.asks("Numbers").await?;
    page.load("#/solve?ready=nothing").await?;
    page.has_notice("there are metro, ring").await?;
    page.no_complaints().await?;
    page.close().await
}
