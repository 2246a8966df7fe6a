//! Who comes for the first time: what is seen in the first ten seconds, where the doors, the addresses and
//! the palette lead, and what the graph functions are.

use anyhow::{Result, ensure};

use crate::browser::{Browser, base};
use crate::quiet;
use crate::screens::{Bench, Compare, Head, Home, Lessons, Solve, Tools, Traces};

#[tokio::test]
async fn the_first_ten_seconds() -> Result<()> {
    let _alone = quiet::alone();
    // A new browser has an empty cache: the visit is a first one.
    let page = Browser::open_new(&base()?).await?;
    let (home, head) = (Home(&page), Head(&page));
    let drawn = home.seconds_until("home drawn").await?;
    let answered = home.seconds_until("home answered").await?;
    println!(
        "FIRST drawing {drawn:.2} s, both verdicts {answered:.2} s after the page was asked for"
    );
    ensure!(drawn < 10.0 && answered < 20.0, "{drawn} s, {answered} s");
    home.has_both_answers().await?;
    // What is false is red on the drawing, and the right graph is there.
    home.is_wrong_alone().await?;
    home.is_right_with_tools().await?;
    head.says("with tools").await?;
    // The strip runs to its end by itself.
    home.is_scored("of 10").await?;
    println!("{}", home.score().await?);
    home.takes_another().await?;
    // A person who wants another model finds the dialog.
    home.goes_through("model").await?;
    head.offers_models().await?;
    head.cancels().await?;
    home.goes_through("inspect").await?;
    Traces(&page).is_open().await?;
    page.close().await
}

#[tokio::test]
async fn the_doors_lead_on_and_a_model_that_costs_something_is_asked_only_by_a_person() -> Result<()>
{
    let page = Browser::open_playing("#/").await?;
    let (home, head) = (Home(&page), Head(&page));
    home.has_both_answers().await?;
    for (door, path) in [("teach", "lessons"), ("bench", "bench")] {
        home.goes_through(door).await?;
        home.is_left_for(path).await?;
        head.goes_home().await?;
        // It is as it was left.
        home.has_both_answers().await?;
    }
    home.is_scored("of 10").await?;
    page.fits("home", None).await?;

    page.note_requests().await?;
    page.load("#/tools").await?;
    page.type_endpoint("http://127.0.0.1:1/v1", "m", "").await?;
    head.uses_what_is_typed().await?;
    head.goes_home().await?;
    home.names_who("m at 127.0.0.1:1").await?;
    home.waits_for_a_person().await?;
    // Looking at the page in every window takes long enough for a request.
    page.fits("home-asks-first", None).await?;
    let asked = page.requests().await?;
    let asked: Vec<_> = asked
        .iter()
        .filter(|url| url.contains("127.0.0.1:1/") || url.contains("own.bin"))
        .collect();
    ensure!(asked.is_empty(), "{asked:?} was asked for before anybody did");
    home.asks_the_model("server is not running").await?;
    page.close().await
}

/// Who knows whom in somebody's own words: both answer with these names, within five seconds.
#[tokio::test]
async fn friends_are_asked_about_by_their_names() -> Result<()> {
    let page = Browser::open_playing("#/").await?;
    let home = Home(&page);
    home.has_both_answers().await?;
    home.opens_people().await?;
    home.writes_about_people("Emma knows Noah.").await?;
    home.asks_about_people().await?;
    page.says("There is no question yet").await?;
    let people = "Emma knows Noah, Noah knows Mia. Mia knows Lea and Ben. Ben knows Ida. \
                  Tom knows Kim. What is the shortest chain from Emma to Ida?";
    home.writes_about_people(people).await?;
    let asked = std::time::Instant::now();
    home.asks_about_people().await?;
    home.asks("What is the shortest chain from Emma to Ida?").await?;
    home.has_both_answers().await?;
    let took = asked.elapsed().as_secs_f64();
    println!("FRIENDS both verdicts {took:.2} s after they were asked");
    ensure!(took < 5.0, "{took} s");
    home.is_right_with_tools().await?;
    home.draws_emma().await?;
    page.fits("home-people", None).await?;
    let link = home.shares_people().await?;
    // Another problem is one of the page's again.
    home.takes_another().await?;
    // The link shows the same question with the same two answers.
    let (_, place) = link.split_once('#').unwrap_or_default();
    page.load(&format!("#{place}")).await?;
    page.says("Emma").await?;
    let verdicts = Compare(&page).verdicts().await?;
    ensure!(verdicts == ["Wrong", "Correct"], "{verdicts:?}");
    page.close().await
}

#[tokio::test]
async fn addresses_back_the_palette_and_the_keyboard_lead_where_they_say() -> Result<()> {
    // The address without a path is the first page, and nothing is said.
    let page = Browser::open("").await?;
    let (home, head, solve) = (Home(&page), Head(&page), Solve(&page));
    let (bench, lessons) = (Bench(&page), Lessons(&page));
    home.asks("node").await?;
    ensure!(head.n_lost().await? == 0, "the first page is said to be none");
    head.follows("#/nonsense").await?;
    head.is_lost("no page \"nonsense\"").await?;
    page.go("#/lessons?l=friends").await?;
    head.is_titled("A message among friends · Lessons · Graphground").await?;
    ensure!(head.n_lost().await? == 0, "a lesson is said to be none");
    page.go("#/solve?task=banana&seed=3").await?;
    head.notices("task \"banana\"").await?;
    head.is_titled("One problem").await?;
    // The first stop of the keyboard leads past the head.
    head.skips_the_head().await?;
    let heard = solve.walks_the_graph().await?;
    let differ = heard.iter().any(|label| *label != heard[0]);
    ensure!(differ && heard.iter().all(|label| label.contains("node ")), "{heard:?}");
    solve.is_a_table().await?;

    // Back leaves a benchmark for the list, and forward opens it again.
    page.go("#/bench").await?;
    bench.makes_scripted("Scripts", "160 of 160 runs").await?;
    page.has_address("b=").await?;
    head.goes_back().await?;
    bench.lists_benchmarks().await?;
    ensure!(page.address().await? == "#/bench", "the list has another address");
    head.goes_forward().await?;
    bench.shows_report("Scripts").await?;
    // The palette has it too, from anywhere; and lessons, and things to do.
    page.go("#/tools").await?;
    head.takes_from_palette("scripts benchmark", "Scripts · 160 runs").await?;
    bench.shows_report("Scripts").await?;
    head.takes_from_palette("friends", "lesson").await?;
    lessons.is_titled("A message among friends").await?;
    head.takes_from_palette("choose the model", "Choose the model").await?;
    head.offers_models().await?;
    head.cancels().await?;
    // A benchmark that this browser does not keep is reported.
    page.go("#/bench?b=12345").await?;
    head.notices("keeps no benchmark").await?;
    page.no_complaints().await?;
    // Nonsense in an address is ignored.
    page.load("#/nowhere?task=xyz&seed=%00").await?;
    home.asks("node").await?;
    page.close().await
}

/// Native tests run the example of every function; here are some of each shape of arguments and results.
#[tokio::test]
async fn a_function_is_found_tried_and_read_in_every_shape_also_on_a_phone() -> Result<()> {
    let page = Browser::open("#/tools").await?;
    let tools = Tools(&page);
    tools.is_listed().await?;
    let names: Vec<String> = tools.names().await?;
    let tried = ["add_edges", "describe_graph", "find_shortest_path", "max_flow", "pagerank"];
    for name in tried {
        ensure!(names.iter().any(|known| known == name), "{name} is not in the catalogue");
        tools.tries(name).await?;
    }
    page.go("#/tools?f=find_shortest_distance").await?;
    tools.shows("find_shortest_distance").await?;
    for (shape, word) in
        ["exceptions", "\"function\"", "input_schema", "inputSchema"].iter().enumerate()
    {
        tools.shows_schema(shape + 1, word).await?;
    }
    tools.finds("matching").await?;
    tools.lists_few().await?;

    // On a phone the functions are folded until one is looked for.
    page.becomes(360, 780, "light").await?;
    page.load("#/tools").await?;
    tools.shows_one().await?;
    let top: f64 = tools.begins_at().await?;
    ensure!(top < 780.0, "the function begins at {top} px");
    tools.is_folded().await?;
    tools.finds("matching").await?;
    tools.is_open().await?;
    tools.takes_first().await?;
    tools.shows("matching").await?;
    tools.is_folded().await?;
    page.close().await
}
