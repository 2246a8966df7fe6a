//! The whole of a large graph is looked at, and large things hold up nothing.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use crate::browser::{Browser, base, file};
use crate::quiet;
use crate::screens::{Kg, Large, SOFTWARE, Solve, Traces, Whole};
use crate::servers::{Cors, Reply, Server, piece};

/// The longest that a task of the page may take here, in milliseconds: on a machine that does nothing
/// else it is a fifth of it.
const LONGEST_MS: f64 = 1_000.0;

/// Fails if a task took too long since the page was opened, and prints what was measured.
async fn held_up_nothing(page: &Browser, what: &str) -> Result<()> {
    let tasks = page.long_tasks().await?;
    let longest = tasks.first().copied().unwrap_or(0.0);
    println!(
        "LARGE {what}: longest task {longest:.0} ms, {} over 50 ms, {} MB",
        tasks.len(),
        page.memory_mb()
    );
    ensure!(longest < LONGEST_MS, "{what}: tasks of {tasks:.0?} ms");
    Ok(())
}

/// Opens the page in a browser that has WebGL.
async fn open(hash: &str, height: u32) -> Result<Browser> {
    Browser::open_at(&format!("{}{hash}", base()?), 1280, height, "light", &SOFTWARE).await
}

/// Solve with a graph of some number of nodes, each joined to three of those before it, most of them near
/// by.
async fn with_graph(n: u64) -> Result<Browser> {
    let page = open("#/solve?task=cycle&difficulty=easy&seed=1", 900).await?;
    Solve(&page).question().await?;
    let mut edges = String::new();
    let mut state = 1u64;
    let mut chance = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for i in 1..n {
        for _ in 0..3 {
            let near = if chance(20) == 0 { chance(i) } else { i - 1 - chance(i.min(60)) };
            writeln!(edges, "{i} {near}")?;
        }
    }
    Large(&page).open_file(&file(&format!("whole-{n}.txt"), &edges)?).await?;
    Whole(&page).is_drawn_in_part(&format!("of {n} nodes")).await?;
    Ok(page)
}

#[tokio::test]
async fn a_large_graph_is_placed_searched_coloured_drawn_again_and_saved() -> Result<()> {
    let page = with_graph(5_000).await?;
    let whole = Whole(&page);
    whole.keep_pictures().await?;
    whole.toggle().await?;
    let said = whole.is_placed().await?;
    ensure!(said.contains("5,000 nodes") && said.contains("stress"), "{said}");
    let (drawn, plain) = whole.look().await?;
    ensure!(drawn > 2_000, "{drawn} pixels");
    page.shoot("whole-1280-light").await?;

    // The file of lines and circles looks like the picture; close by it has less.
    let seen = whole.saved_svg().await?;
    ensure!(seen[0] == 0 && seen[1] == 5_000, "{} errors, {} circles", seen[0], seen[1]);
    let (paths, names) = (seen[2].as_u64().unwrap_or(0), seen[3].as_u64().unwrap_or(0));
    ensure!((1..=64).contains(&paths) && names > 3, "{paths} paths, {names} names");
    let picture = whole.saved_picture().await?;
    let (share, a, b) = whole.differences([&picture, &seen[5]]).await?;
    println!("WHOLE svg {} bytes, {share:.5} of the pixels differ; {a} and {b}", seen[4]);
    ensure!(share < 0.1 && b > 1_000, "{share} of the pixels differ, {b} are drawn");
    whole.wheel(8).await?;
    let circles = whole.saved_svg().await?[1].as_u64().context("no circles")?;
    ensure!((1..5_000).contains(&circles), "{circles} circles");

    // A context that was lost is drawn again.
    let close = whole.saved_picture().await?;
    let (share, ..) = whole.differences([&picture, &close]).await?;
    ensure!(share > 0.01, "the comparison sees no difference where there is one");
    whole.lose_context().await?;
    whole.look().await?;
    let after = whole.saved_picture().await?;
    let (share, _, drawn) = whole.differences([&close, &after]).await?;
    ensure!(drawn > 1_000 && share < 0.01, "{drawn} pixels, {share} differ");
    whole.press_key("0").await?;

    // Colours and sizes by measures that have to be found first.
    whole.show_by("colour", "Betweenness").await?;
    let (_, coloured) = whole.look().await?;
    ensure!(coloured > plain, "{coloured} colours after {plain}");
    whole.show_by("size", "PageRank").await?;
    // A node by its name, with what it is joined to; a neighbour leads on.
    whole.search("499", "499").await?;
    whole.picked_says("neighbours").await?;
    whole.picked_says("PageRank").await?;
    page.shoot("whole-picked-1280-light").await?;
    let before = whole.picked().await?;
    whole.to_a_neighbour().await?;
    ensure!(whole.picked().await? != before, "still at {before}");
    // The keyboard moves the drawing, and 0 shows all of it.
    let seen = whole.look().await?;
    whole.press_key("Escape").await?;
    whole.press_key("0").await?;
    ensure!(whole.look().await? != seen, "nothing moved");
    whole.wheel(8).await?;
    let close = whole.look().await?;
    whole.press_key("ArrowLeft").await?;
    ensure!(whole.look().await? != close, "the arrow moved nothing");
    whole.toggle().await?;
    whole.is_closed().await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_knowledge_graph_is_seen_whole_and_filtered_by_type() -> Result<()> {
    let page = open("#/kg?lines=8&seed=1", 640).await?;
    let whole = Whole(&page);
    Kg(&page).figures_say("nodes").await?;
    whole.open_on_kg().await?;
    whole.is_placed().await?;
    let (all, _) = whole.look().await?;
    whole.toggle_first_type().await?;
    let (fewer, _) = whole.look().await?;
    ensure!(fewer < all, "{fewer} of {all} pixels without a type");
    whole.toggle_first_type().await?;
    ensure!(whole.look().await?.0 == all);
    for (width, scheme) in
        [(1280, "dark"), (768, "light"), (360, "light"), (360, "dark"), (1280, "light")]
    {
        page.becomes(width, 640, scheme).await?;
        let (all, _) = whole.look().await?;
        ensure!(all > 200, "at {width}: {all} pixels");
        page.shoot(&format!("whole-kg-{width}-{scheme}")).await?;
        let wide = page.sideways().await?;
        ensure!(wide <= 0.0, "at {width} it scrolls sideways by {wide}");
    }
    // A click on a node picks it: the middle of a place that is asked for by name.
    whole.search("Moon Library", "").await?;
    whole.picked_says("Moon Library").await?;
    whole.unpick().await?;
    whole.click_the_middle().await?;
    whole.picked_says("Moon Library").await?;
    page.no_complaints().await?;
    page.close().await
}

async fn a_link_to_a_dense_graph_is_bounded() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&gen=er,500,1&seed=1").await?;
    let (solve, large) = (Solve(&page), Large(&page));
    page.has_notice("it has 124750 edges; at most 50000 are read from a link").await?;
    solve.question().await?;
    held_up_nothing(&page, "a link to 124,750 edges").await?;
    // One that is allowed is drawn in part, and its question is shown in part.
    page.load("#/solve?task=cycle&gen=er,500,0.39&seed=1").await?;
    large.is_drawn_in_part("of 500 nodes: what was touched").await?;
    large.is_cut("The beginning of").await?;
    let n = large.n_characters().await?;
    ensure!(n <= 4_000, "the question is not cut: {n} characters");
    held_up_nothing(&page, "a link to 48,700 edges").await?;
    large.question_fits("large").await?;
    page.becomes(1280, 800, "light").await?;
    large.show_all(400_000).await?;
    held_up_nothing(&page, "the whole question").await?;
    large.show_less().await?;
    large.is_cut("The beginning of").await?;
    large.solves().await?;
    held_up_nothing(&page, "its solution").await?;
    page.shoot("large-link-1280-light").await?;
    page.close().await
}

async fn a_file_of_a_hundred_thousand_nodes_is_asked_about() -> Result<()> {
    let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=1").await?;
    let (solve, large) = (Solve(&page), Large(&page));
    solve.question().await?;
    let mut edges = String::new();
    for i in 0..100_000_u64 {
        writeln!(edges, "{i} {}", (i * 7 + 1) % 100_001)?;
    }
    large.open_file(&file("hundred-thousand.txt", &edges)?).await?;
    large.is_cut("million characters").await?;
    large.is_drawn_in_part("of 100001 nodes").await?;
    held_up_nothing(&page, "100,000 nodes and edges").await?;
    // A node is typed, not chosen from a hundred thousand.
    let (listed, typed) = large.ends().await?;
    ensure!(listed < 100, "every node is listed");
    ensure!(typed == 2, "the ends cannot be typed");
    large.type_an_end("no such").await?;
    page.has_notice("The graph has no node \"no such\"").await?;
    large.type_an_end("77").await?;
    page.has_no_notice().await?;
    large.solves().await?;
    held_up_nothing(&page, "its solution").await?;
    page.shoot("large-file-1280-light").await?;
    page.close().await
}

/// A model that calls `add_edges` with some number of edges, once, and then answers.
fn adds_edges(n: usize) -> Result<Server> {
    let edges: Vec<[usize; 2]> = (0..n).map(|i| [i % 1_000, (i * 7 + 1) % 100_000]).collect();
    let arguments = json!({ "edges": edges }).to_string();
    Server::start(Cors::Open, move |asked| {
        if asked.path.ends_with("/models") {
            return Reply::json(200, json!({ "data": [{ "id": "m" }] }));
        }
        let answered = asked.body["messages"].as_array().into_iter().flatten();
        if answered.filter(|m| m["role"] == "tool").count() > 0 {
            let said = piece(json!({ "content": "No, there is no cycle." }), Some("stop"));
            return Reply::events(&[said], true);
        }
        let name = json!({ "name": "add_edges", "arguments": "" });
        let mut events = vec![piece(
            json!({ "tool_calls": [{ "index": 0, "id": "c1", "function": name }] }),
            None,
        )];
        for start in (0..arguments.len()).step_by(100_000) {
            let part = &arguments[start..(start + 100_000).min(arguments.len())];
            let call = json!({ "index": 0, "function": { "arguments": part } });
            events.push(piece(json!({ "tool_calls": [call] }), None));
        }
        events.push(piece(json!({}), Some("tool_calls")));
        Reply::events(&events, true)
    })
}

async fn a_call_with_hundreds_of_thousands_of_edges_holds_up_nothing() -> Result<()> {
    for (n, words) in [(300_000, "are too long"), (90_000, "n_nodes: 90000")] {
        let server = adds_edges(n)?;
        let page = Browser::open("#/solve?task=cycle&difficulty=easy&seed=1").await?;
        let (solve, large, traces) = (Solve(&page), Large(&page), Traces(&page));
        solve.question().await?;
        page.use_endpoint(&server.url(), "m").await?;
        solve.with_tools().await?;
        solve.has_verdict().await?;
        solve.steps_say(words).await?;
        solve.keeps(1).await?;
        held_up_nothing(&page, &format!("a call of {n} edges")).await?;
        // What was called is there, behind a fold, and the whole of it when it is asked for.
        if n < 100_000 {
            large.show_all_of_a_call(900_000).await?;
            held_up_nothing(&page, "all of its arguments").await?;
        }
        traces.open_kept().await?;
        large.look_into_the_trace("add_edges").await?;
        held_up_nothing(&page, &format!("its trace, {n} edges")).await?;
        page.close().await?;
    }
    Ok(())
}

async fn ten_thousand_rows_are_shown_part_by_part() -> Result<()> {
    let page = Browser::open("#/kg?lines=8&seed=1").await?;
    let kg = Kg(&page);
    kg.is_ready().await?;
    kg.open_sparql().await?;
    kg.query(Some("SELECT * WHERE { ?a ?b ?c . ?d ?e ?f }")).await?;
    kg.rows_say("The first 10000 rows; there are more").await?;
    ensure!(kg.n_rows().await? == 500);
    kg.more_rows(1_000).await?;
    held_up_nothing(&page, "10,000 rows").await?;
    page.says("1000 of 10000 rows").await?;
    page.close().await
}

async fn a_hundred_thousand_nodes_are_placed_panned_and_can_be_stopped() -> Result<()> {
    let page = with_graph(100_000).await?;
    let whole = Whole(&page);
    whole.toggle().await?;
    // A stop comes through, and the way back.
    whole.stop().await?;
    whole.toggle().await?;
    whole.is_closed().await?;
    whole.toggle().await?;
    let said = whole.is_placed().await?;
    let (drawn, _) = whole.look().await?;
    ensure!(drawn > 20_000, "{drawn} pixels");
    let frames = whole.panned(30).await?;
    let tasks = page.long_tasks().await?;
    let longest = tasks.first().copied().unwrap_or(0.0);
    println!("WHOLE {said} {frames:.1} frames a second, longest task {longest:.0} ms");
    page.shoot("whole-large-1280-light").await?;
    page.close().await
}

/// One test, since nothing else may run beside what is measured: each wait for that would cost a minute.
#[tokio::test]
async fn what_is_large_holds_up_nothing() -> Result<()> {
    let _alone = quiet::alone();
    a_link_to_a_dense_graph_is_bounded().await?;
    a_file_of_a_hundred_thousand_nodes_is_asked_about().await?;
    a_call_with_hundreds_of_thousands_of_edges_holds_up_nothing().await?;
    ten_thousand_rows_are_shown_part_by_part().await?;
    a_hundred_thousand_nodes_are_placed_panned_and_can_be_stopped().await
}
