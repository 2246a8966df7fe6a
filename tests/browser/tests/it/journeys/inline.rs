//! Statements with calls in them: run, written, and filled in by models that are loaded when asked.

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use crate::browser::{Browser, file};
use crate::screens::{Inline, Traces};

async fn open() -> Result<Browser> {
    let page = Browser::open("#/toolformer").await?;
    Inline(&page).is_ready().await?;
    Ok(page)
}

#[tokio::test]
async fn a_statement_is_read_as_it_is_typed_run_stepped_and_opened_as_a_trace() -> Result<()> {
    let page = open().await?;
    let inline = Inline(&page);
    // The run that the page begins with is forgotten at its end; one that is broken off may leave what it
    // found in the memory.
    let ran = "The bull graph has 5 nodes, and its radius is 2.";
    inline.sentence_says(ran).await?;
    inline.start().await?;
    inline.sentence_says(ran).await?;
    inline.has_calls(2).await?;
    ensure!(inline.drawn_and_remembered().await? == (5, 3), "a graph, and two results");
    inline.tree_says("GR, graph reasoning").await?;
    page.shoot("toolformer-1280-light").await?;
    // Before the first call nothing was filled in, nothing drawn, nothing remembered.
    inline.to_the_start().await?;
    inline.sentence_says("toolx:order").await?;
    ensure!(inline.drawn_and_remembered().await? == (0, 0));
    inline.step_on(3).await?;
    inline.sentence_says("has 5 nodes").await?;
    inline.keep_calls().await?;
    inline.sentence_says("toolx:order → 5").await?;
    // Run again, both are found in the working memory.
    inline.start().await?;
    inline.memory_says("used again once").await?;
    inline.forget().await?;

    let other = "It has [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r] nodes and the \
        density [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:density\")-->r].";
    inline.write(other).await?;
    inline.reads("2 calls, all of which can be read.").await?;
    inline.sentence_says("toolx:density").await?;
    ensure!(inline.n_waiting().await? == 2, "nothing of this has run");
    inline.pick_call().await?;
    inline.tree_says("GR, graph reasoning").await?;
    ensure!(inline.drawn_and_remembered().await?.1 == 0, "nothing was loaded");
    inline.write("It has [GR(GL(\"gpr\", {\"bull_graph\"), \"toolx:order\")-->r] nodes.").await?;
    inline.reads("Call 1 cannot be read").await?;
    inline.has_unreadable_call().await?;
    inline.write("It has nodes.").await?;
    inline.reads("No call in it").await?;
    // Of a question that another is to put into calls nothing is read.
    inline.writer("script").await?;
    inline.reads_nothing().await?;
    inline.writer("person").await?;

    inline.say("Its radius is [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:radius\")-->r].").await?;
    inline.sentence_says("Its radius is").await?;
    inline.filled_in().await?;
    inline.to_traces().await?;
    Traces(&page).is_open().await?;
    page.says("toolx:radius").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn calls_are_written_by_a_script_and_mistakes_leave_the_rest_of_the_text() -> Result<()> {
    let page = open().await?;
    let inline = Inline(&page);
    inline.press_example("ask-eccentricity").await?;
    inline.filled_in().await?;
    page.shoot("toolformer-written-1280-light").await?;
    inline.writer("mistaken:unknown-domain").await?;
    inline.start().await?;
    inline.fails_with("there is no model").await?;
    inline.writers_say("Our own small model").await?;

    // Kinds of calls run at a press.
    inline.writer("person").await?;
    inline.has_prompts().await?;
    inline.press_example("try-prompt-property-nested").await?;
    inline.sentence_says("{5: 6, 6: 6}").await?;
    inline.press_example("try-prompt-new-task").await?;
    inline.fails_with("there is no function").await?;

    for (call, why) in [
        (r#"[GR(GL("gpr", {"bull_graph"}), "oracle:order")-->r]"#, "oracle"),
        (r#"[GR(GL("gpr", {"bull_graph"}), "toolx:shortest_path", node#1)-->r]"#, "shortest_path"),
        (r#"[GR(GL("cora"), "graph_bert:topic", paper#1)-->r]"#, "not here"),
        (r#"[GR(GL("gpr", {"bull_graph"), "toolx:order")-->r]"#, "expected"),
    ] {
        inline.say(&format!("Before {call} and after.")).await?;
        let words = inline.fails_with(why).await?;
        ensure!(words.starts_with("Before ") && words.contains("and after."), "{words}");
    }

    // On a phone a press brings the sentence into view.
    page.becomes(360, 800, "light").await?;
    inline.press_example("try-community").await?;
    let words = inline.filled_in().await?;
    ensure!(words.contains('#'), "{words}");
    inline.draws("").await?;
    inline.sentence_is_in_view().await?;
    page.shoot("toolformer-360-light").await?;
    ensure!(page.sideways().await? <= 0.0, "it scrolls sideways");
    page.close().await
}

/// Nobody has to know that a model is a file: the first press loads it, and runs the statement.
#[tokio::test]
async fn statements_load_the_models_that_they_ask() -> Result<()> {
    let page = open().await?;
    let inline = Inline(&page);
    inline.unfold_left().await?;
    // A model's figure is beside its baseline before anything is loaded, also where rules are better.
    inline.model_says("figure-molecules", "always the most common class").await?;
    inline.model_says("held-out-molecule_function", "held out of the training").await?;
    inline.model_says("figure-wordnet", "The baseline is better at").await?;
    for function in ["topic", "molecule_function", "topk_recommendation", "tail_entity"] {
        inline.press_example(&format!("try-{function}")).await?;
        inline.filled_in().await?;
        inline.weighed().await?;
    }
    inline.has_taken("trained on family").await?;
    // On a new visit, a question that a script puts into calls, and a person's own words for two models.
    page.load("#/toolformer").await?;
    inline.is_ready().await?;
    inline.press_example("ask-topic").await?;
    inline.filled_in().await?;
    inline.weighed().await?;
    inline.has_taken("trained on papers").await?;
    inline.writer("person").await?;
    inline
        .say(
            "One may like [GR(GL(\"films\"), \"bpr:recommendation\", user#u1, item#i2)-->r], and \
             [GL(\"wordnet\")-->W] is here.",
        )
        .await?;
    inline.has_taken("wordnet").await?;
    inline.has_calls(2).await?;
    page.no_complaints().await?;
    page.close().await
}

/// Where a model lies, what is said once it is loaded, a statement that asks it, and what its sentence
/// then has in it.
const MODELS: [(&str, &str, &str, &str, &str); 5] = [
    (
        "papers",
        "graph_bert-papers",
        "Graph-Bert is here, trained on papers",
        r#"It is about [GR(GL("papers"), "graph_bert:topic", paper#7)-->r]."#,
        "It is about ",
    ),
    (
        "films",
        "bpr-films",
        "BPR is here, trained on films",
        r#"They may like [GR(GL("films"), "bpr:topk_recommendation", user#u2, 6)-->r]."#,
        "i",
    ),
    (
        "molecules",
        "seg_bert-molecules",
        "SEG-Bert is here, trained on molecules",
        r#"It is of class [GR(GL("molecules"), "seg_bert:molecule_function", instance#5)-->r]."#,
        "It is of class ",
    ),
    (
        "family",
        "transe-family",
        "trained on family",
        r#"Judith is [GR(GL("family"), "transe:relation", entity#Judith, entity#Arno)-->r] of Arno."#,
        "Judith is ",
    ),
    (
        "wordnet",
        "",
        "TransE is here, trained on wordnet",
        r#"A dog is a [GR(GL("wordnet"), "transe:tail_entity", entity#dog.n.01, relation#_hypernym)-->r]."#,
        ".n.0",
    ),
];

/// The first scores in steps of the companion.
fn find_scores(steps: &Value) -> Vec<(String, f64)> {
    match steps {
        Value::Array(all) => {
            all.iter().map(find_scores).find(|s| !s.is_empty()).unwrap_or_default()
        }
        Value::Object(step) => {
            let own = step.get("scores").cloned().unwrap_or_default();
            let own: Vec<(String, f64)> = serde_json::from_value(own).unwrap_or_default();
            if !own.is_empty() {
                return own;
            }
            step.values().map(find_scores).find(|s| !s.is_empty()).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// What the companion weighs in a statement.
fn weighed_natively(id: &str, model: &str, statement: &str) -> Result<Vec<(String, f64)>> {
    let weights = format!(
        "{}/../../assets/models/toolformer/{model}.safetensors",
        env!("CARGO_MANIFEST_DIR")
    );
    let line = json!({ "input": "?", "output": statement }).to_string();
    let path = file(&format!("{id}.jsonl"), &line)?;
    let ran = std::process::Command::new(std::env::var("GRAPHGROUND_COMPANION")?)
        .args(["toolformer", "run", &path.to_string_lossy()])
        .args(["--weights", &weights, "--json", "--steps"])
        .output()?;
    let ran: Value = serde_json::from_slice(&ran.stdout)?;
    let scores = find_scores(&ran["steps"]);
    ensure!(!scores.is_empty(), "{id}: no scores in {}", ran["steps"]);
    Ok(scores)
}

#[tokio::test]
async fn models_weigh_what_the_companion_weighs_and_broken_files_are_refused() -> Result<()> {
    let page = open().await?;
    let inline = Inline(&page);
    for (id, model, taken, statement, gives) in MODELS {
        inline.load_model(id, taken).await?;
        inline.say(statement).await?;
        let words = inline.ran().await?;
        ensure!(words.contains(gives) && !words.contains("GR("), "{words}");
        let here = inline.weighed().await?;
        ensure!(!here.is_empty(), "{id}: no scores");
        if model.is_empty() {
            continue;
        }
        let native = weighed_natively(id, model, statement)?;
        let most = native.iter().map(|(_, s)| s.abs()).fold(0.0, f64::max);
        for ((name, score), (other, native)) in here.iter().zip(&native) {
            ensure!(name == other, "{id}: {name} here, {other} natively");
            ensure!((score - native).abs() <= 1e-5 * most, "{id}: {name} {score} {native}");
        }
    }
    inline.draws("dog.n.01").await?;
    inline.steps_say("weighed: ").await?;
    page.shoot("toolformer-trained-1280-light").await?;
    inline.hub_says("WordNet").await?;

    // Data of one's own are taken; broken ones and damaged weights are refused, and what was there stays.
    let pack = concat!(
        r#"{"id":"a","type":"Person","name":"a"}"#,
        "\n",
        r#"{"id":"b","type":"Person","name":"b"}"#,
        "\n",
        r#"{"src":"a","dst":"b","type":"likes"}"#,
        "\n",
    );
    inline.open_file(&file("mine.jsonl", pack)?).await?;
    inline.has_taken("mine is here: 2 nodes and 1 links").await?;
    let broken = file("broken.jsonl", r#"{"format":"graphground-data","version":1}"#)?;
    inline.open_file(&broken).await?;
    page.has_notice("broken.jsonl").await?;
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let whole = std::fs::read(root.join("assets/models/toolformer/bpr-films.safetensors"))?;
    inline.open_file(&file("cut.safetensors", &whole[..whole.len() / 2])?).await?;
    page.has_notice("the file ends after").await?;
    inline.say("There are [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r].").await?;
    inline.sentence_says("There are 5.").await?;
    page.close().await
}
