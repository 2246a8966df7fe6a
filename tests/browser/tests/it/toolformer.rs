//! Graph-ToolFormer: statements are run, written and stepped; data are dropped; mistakes are told.

use anyhow::{Result, ensure};

use crate::browser::{Browser, file};

async fn open(width: u32, scheme: &str) -> Result<Browser> {
    let page = Browser::open_sized("#/toolformer", width, 800, scheme).await?;
    page.find("[data-testid='family-attribute_calculation'] li").await?;
    Ok(page)
}

/// Puts words into the field as typing does, and runs them.
async fn say(page: &Browser, words: &str) -> Result<()> {
    write(page, words).await?;
    page.click("run").await
}

async fn write(page: &Browser, words: &str) -> Result<()> {
    let fill = "const f = document.querySelector(\"[data-testid='input']\");
        f.value = arguments[0];
        f.dispatchEvent(new Event('input', { bubbles: true }));";
    page.run(fill, vec![words.into()]).await?;
    Ok(())
}

async fn unfold(page: &Browser) -> Result<()> {
    page.run(
        "document.querySelectorAll('.toolformer .left details').forEach(d => d.open = true)",
        vec![],
    )
    .await?;
    Ok(())
}

async fn sentence(page: &Browser) -> Result<String> {
    page.text("[data-testid='sentence']").await
}

#[tokio::test]
async fn a_statement_is_run_stepped_and_opened_as_a_trace() -> Result<()> {
    let page = open(1280, "light").await?;
    // The run that the page begins with is forgotten at its end; one that is broken off may leave what it
    // found in the memory.
    let ran = "The bull graph has 5 nodes, and its radius is 2.";
    page.until_text("[data-testid='sentence']", ran).await?;
    page.click("run").await?;
    page.until_text("[data-testid='sentence']", ran).await?;
    ensure!(page.count("[data-testid='chip']").await? == 2);
    ensure!(page.count("[data-testid='canvas'] .node").await? == 5, "the graph is drawn");
    ensure!(page.count("[data-testid='memory'] li").await? == 3, "a graph and two results");
    page.until_text("[data-testid='parse-tree']", "GR, graph reasoning").await?;
    page.shoot("toolformer-1280-light").await?;
    // Before the first call nothing was filled in, nothing drawn, nothing remembered.
    page.press("[aria-label='To the start']").await?;
    page.until_text("[data-testid='sentence']", "toolx:order").await?;
    ensure!(page.count("[data-testid='canvas'] .node").await? == 0);
    ensure!(page.count("[data-testid='memory'] li").await? == 0);
    page.press("[aria-label='One step on']").await?;
    page.press("[aria-label='One step on']").await?;
    page.press("[aria-label='One step on']").await?;
    page.until_text("[data-testid='sentence']", "has 5 nodes").await?;
    page.click("keep-calls").await?;
    page.until_text("[data-testid='sentence']", "toolx:order → 5").await?;
    // Run again, both are found in the working memory.
    page.click("run").await?;
    page.until_text("[data-testid='memory']", "used again once").await?;
    page.click("forget").await?;
    page.until_text("[data-testid='memory']", "Empty").await?;
    page.click("run").await?;
    page.until_text("[data-testid='sentence']", "radius").await?;
    page.click("to-traces").await?;
    page.until("the trace is open", "return location.hash.startsWith('#/traces')").await?;
    page.find(".step-row").await?;
    page.until_text("main", "toolx:radius").await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_statement_is_read_while_it_is_typed() -> Result<()> {
    let page = open(1280, "light").await?;
    // The page begins with a statement that was run.
    page.until_text("[data-testid='sentence']", "The bull graph has 5 nodes, and its radius is 2.")
        .await?;
    let other = "It has [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r] nodes and the \
        density [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:density\")-->r].";
    write(&page, other).await?;
    page.until_text("[data-testid='read']", "2 calls, all of which can be read.").await?;
    page.until_text("[data-testid='sentence']", "toolx:density").await?;
    ensure!(page.count("[data-testid='chip'].waits").await? == 2, "nothing of this has run");
    page.press("[data-testid='chip']").await?;
    page.until_text("[data-testid='parse-tree']", "GR, graph reasoning").await?;
    ensure!(page.count("[data-testid='memory'] li").await? == 0, "nothing was loaded");
    write(&page, "It has [GR(GL(\"gpr\", {\"bull_graph\"), \"toolx:order\")-->r] nodes.").await?;
    page.until_text("[data-testid='read']", "Call 1 cannot be read").await?;
    page.find("[data-testid='chip'].fails").await?;
    write(&page, "It has nodes.").await?;
    page.until_text("[data-testid='read']", "No call in it").await?;
    // Of a question that another is to put into calls nothing is read.
    page.choose("writer", "script").await?;
    page.until("nothing is told", "return !document.querySelector('.read-so-far').textContent")
        .await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn a_script_writes_the_statement_and_a_mistaken_one_is_told() -> Result<()> {
    let page = open(1280, "dark").await?;
    unfold(&page).await?;
    page.press("[data-testid='ask-eccentricity']").await?;
    page.find("[data-testid='chip'].gives").await?;
    ensure!(!sentence(&page).await?.contains("GR("), "{}", sentence(&page).await?);
    page.shoot("toolformer-written-1280-dark").await?;
    page.choose("writer", "mistaken:unknown-domain").await?;
    page.click("run").await?;
    page.find("[data-testid='chip'].fails").await?;
    page.until_text("[data-testid='call-error']", "there is no model").await?;
    page.close().await
}

#[tokio::test]
async fn communities_are_found_in_the_village() -> Result<()> {
    let page = open(360, "light").await?;
    unfold(&page).await?;
    page.press("[data-testid='try-community']").await?;
    page.find("[data-testid='chip'].gives").await?;
    ensure!(sentence(&page).await?.contains('#'), "{}", sentence(&page).await?);
    page.find("[data-testid='canvas'] .node").await?;
    page.until(
        "the sentence is in view",
        "const at = document.querySelector(\"[data-testid='sentence']\").getBoundingClientRect();
         return at.top >= 0 && at.bottom <= innerHeight",
    )
    .await?;
    page.shoot("toolformer-360-light").await?;
    let wide = page.run("return document.documentElement.scrollWidth > innerWidth", vec![]).await?;
    ensure!(wide == false, "the page scrolls sideways");
    page.close().await
}

/// Nobody has to know that a model is a file: the first press loads it, and runs the statement.
#[tokio::test]
async fn an_example_loads_the_model_that_it_asks() -> Result<()> {
    let page = open(1280, "light").await?;
    unfold(&page).await?;
    // The figure stands beside its baseline, before anything is loaded.
    page.until_text("[data-testid='figure-molecules']", "always the most common class").await?;
    page.until_text("[data-testid='held-out-molecule_function']", "held out of the training")
        .await?;
    for function in ["topic", "molecule_function", "topk_recommendation", "tail_entity"] {
        unfold(&page).await?;
        page.press(&format!("[data-testid='try-{function}']")).await?;
        page.find("[data-testid='chip'].gives").await?;
        page.find("[data-testid='weighed'] tr").await?;
        ensure!(!sentence(&page).await?.contains("GR("), "{}", sentence(&page).await?);
    }
    page.until_text("[data-testid='taken']", "trained on family").await?;
    page.no_complaints().await?;
    page.close().await
}

/// Whoever writes the statement, its calls wait for the models that they name.
#[tokio::test]
async fn a_written_statement_loads_the_models_that_it_calls() -> Result<()> {
    let page = open(1280, "light").await?;
    unfold(&page).await?;
    page.press("[data-testid='ask-topic']").await?;
    page.find("[data-testid='chip'].gives").await?;
    page.find("[data-testid='weighed'] tr").await?;
    page.until_text("[data-testid='taken']", "trained on papers").await?;
    // A person's own words too: two models, one after the other.
    page.choose("writer", "person").await?;
    say(
        &page,
        "One may like [GR(GL(\"films\"), \"bpr:recommendation\", user#u1, item#i2)-->r], and \
         [GL(\"wordnet\")-->W] is here.",
    )
    .await?;
    page.until_text("[data-testid='taken']", "wordnet").await?;
    page.until(
        "both calls are done",
        "return document.querySelectorAll(\"[data-testid='chip']\").length === 2",
    )
    .await?;
    page.no_complaints().await?;
    page.close().await
}

#[tokio::test]
async fn kinds_of_calls_run_at_a_press() -> Result<()> {
    let page = open(1280, "light").await?;
    page.find("[data-testid='prompts'] details").await?;
    unfold(&page).await?;
    page.press("[data-testid='try-prompt-property-nested']").await?;
    page.find("[data-testid='chip'].gives").await?;
    let words = sentence(&page).await?;
    ensure!(words.contains("{5: 6, 6: 6}"), "{words}");
    unfold(&page).await?;
    page.press("[data-testid='try-prompt-new-task']").await?;
    page.find("[data-testid='chip'].fails").await?;
    page.until_text("[data-testid='call-error']", "there is no function").await?;
    // A model that rules beat at something says so beside its figure, before it is loaded.
    page.until_text("[data-testid='figure-wordnet']", "The baseline is better at").await?;
    page.until_text("[data-testid='writers']", "Our own small model").await?;
    page.close().await
}

#[tokio::test]
async fn mistakes_are_told_and_the_rest_of_the_text_stands() -> Result<()> {
    let page = open(1280, "light").await?;
    for (call, why) in [
        (r#"[GR(GL("gpr", {"bull_graph"}), "oracle:order")-->r]"#, "oracle"),
        (r#"[GR(GL("gpr", {"bull_graph"}), "toolx:shortest_path", node#1)-->r]"#, "shortest_path"),
        (r#"[GR(GL("cora"), "graph_bert:topic", paper#1)-->r]"#, "not here"),
        (r#"[GR(GL("gpr", {"bull_graph"), "toolx:order")-->r]"#, "expected"),
    ] {
        say(&page, &format!("Before {call} and after.")).await?;
        page.find("[data-testid='chip'].fails").await?;
        let told = page.text("[data-testid='call-error']").await?;
        ensure!(told.contains(why), "{call}: {told}");
        let words = sentence(&page).await?;
        ensure!(words.starts_with("Before ") && words.contains("and after."), "{words}");
    }
    page.close().await
}

#[tokio::test]
async fn packs_are_taken_and_broken_files_refused() -> Result<()> {
    let page = open(1280, "light").await?;
    let pack = concat!(
        r#"{"id":"a","type":"Person","name":"a"}"#,
        "\n",
        r#"{"id":"b","type":"Person","name":"b"}"#,
        "\n",
        r#"{"src":"a","dst":"b","type":"likes"}"#,
        "\n",
    );
    let path = file("mine.jsonl", pack)?;
    page.by_id("open").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text("[data-testid='taken']", "mine is here: 2 nodes and 1 links").await?;
    let path = file("broken.jsonl", r#"{"format":"graphground-data","version":1}"#)?;
    page.by_id("open").await?.send_keys(&path.to_string_lossy()).await?;
    page.until_text(".notice", "broken.jsonl").await?;
    page.click("load-wordnet").await?;
    page.until_text("[data-testid='taken']", "trained on wordnet").await?;
    unfold(&page).await?;
    page.until_text("[data-testid='hub']", "WordNet").await?;
    page.close().await
}

/// Loads what lies beside the page, and waits for it.
async fn load(page: &Browser, id: &str, told: &str) -> Result<()> {
    page.click(&format!("load-{id}")).await?;
    page.until_text("[data-testid='taken']", told).await
}

#[tokio::test]
async fn trained_models_tell_topics_films_molecules_and_facts() -> Result<()> {
    let page = open(1280, "light").await?;
    load(&page, "papers", "Graph-Bert is here, trained on papers").await?;
    load(&page, "films", "BPR is here, trained on films").await?;
    load(&page, "molecules", "SEG-Bert is here, trained on molecules").await?;
    load(&page, "wordnet", "TransE is here, trained on wordnet").await?;
    for (statement, gives) in [
        (r#"It is about [GR(GL("papers"), "graph_bert:topic", paper#3)-->r]."#, "It is about "),
        (r#"They may like [GR(GL("films"), "bpr:topk_recommendation", user#u1, 5)-->r]."#, "i"),
        (
            r#"It is of class [GR(GL("molecules"), "seg_bert:molecule_function", instance#3)-->r]."#,
            "It is of class ",
        ),
        (
            r#"A dog is a [GR(GL("wordnet"), "transe:tail_entity", entity#dog.n.01, relation#_hypernym)-->r]."#,
            ".n.0",
        ),
    ] {
        say(&page, statement).await?;
        page.until(
            "it ran",
            "return document.querySelectorAll('.chip.gives, .chip.fails').length > 0",
        )
        .await?;
        let failed = page.count(".chip.fails").await?;
        if failed > 0 {
            anyhow::bail!("{statement}: {}", page.text("[data-testid='call-error']").await?);
        }
        let words = sentence(&page).await?;
        ensure!(words.contains(gives) && !words.contains("GR("), "{words}");
        page.find("[data-testid='weighed'] tr").await?;
        page.find("[data-testid='canvas'] .node").await?;
    }
    page.until_text("[data-testid='canvas']", "dog.n.01").await?;
    page.until_text(".right .steps", "weighed: ").await?;
    page.shoot("toolformer-trained-1280-light").await?;
    page.close().await
}

/// What the page shows that a model weighed, name by name.
async fn weighed(page: &Browser) -> Result<Vec<(String, f64)>> {
    let read = "return [...document.querySelectorAll(\"[data-testid='weighed'] tr\")]
        .map(r => [r.cells[0].textContent, Number(r.cells[1].dataset.score)])";
    Ok(serde_json::from_value(page.run(read, vec![]).await?)?)
}

#[tokio::test]
async fn a_model_weighs_the_same_in_the_page_and_in_the_companion() -> Result<()> {
    let page = open(1280, "light").await?;
    for (id, model, told, statement) in MODELS {
        load(&page, id, told).await?;
        say(&page, statement).await?;
        page.find(".chip.gives").await?;
        let here = weighed(&page).await?;
        let weights = format!(
            "{}/../../assets/models/toolformer/{model}.safetensors",
            env!("CARGO_MANIFEST_DIR")
        );
        let line = serde_json::json!({ "input": "?", "output": statement }).to_string();
        let path = file(&format!("{id}.jsonl"), &line)?;
        let path = path.to_string_lossy();
        let companion = std::env::var("GRAPHGROUND_COMPANION")?;
        let ran = std::process::Command::new(companion)
            .args(["toolformer", "run", &path, "--weights", &weights, "--json", "--steps"])
            .output()?;
        let ran: serde_json::Value = serde_json::from_slice(&ran.stdout)?;
        let steps = ran["steps"].to_string();
        let scores = find_scores(&ran["steps"]);
        ensure!(!scores.is_empty() && !here.is_empty(), "{id}: no scores in {steps}");
        let most = scores.iter().map(|(_, s)| s.abs()).fold(0.0, f64::max);
        for ((name, score), (other, native)) in here.iter().zip(&scores) {
            ensure!(name == other, "{id}: {name} here, {other} natively");
            ensure!((score - native).abs() <= 1e-5 * most, "{id}: {name} {score} {native}");
        }
    }
    page.close().await
}

/// Where a model lies, what is told once it is loaded, and a statement that asks it.
const MODELS: [(&str, &str, &str, &str); 4] = [
    (
        "papers",
        "graph_bert-papers",
        "trained on papers",
        r#"[GR(GL("papers"), "graph_bert:topic", paper#7)-->r]"#,
    ),
    (
        "films",
        "bpr-films",
        "trained on films",
        r#"[GR(GL("films"), "bpr:topk_recommendation", user#u2, 6)-->r]"#,
    ),
    (
        "molecules",
        "seg_bert-molecules",
        "trained on molecules",
        r#"[GR(GL("molecules"), "seg_bert:molecule_function", instance#5)-->r]"#,
    ),
    (
        "family",
        "transe-family",
        "trained on family",
        r#"[GR(GL("family"), "transe:relation", entity#Judith, entity#Arno)-->r]"#,
    ),
];

/// The first scores in steps of the companion.
fn find_scores(steps: &serde_json::Value) -> Vec<(String, f64)> {
    match steps {
        serde_json::Value::Array(all) => {
            all.iter().map(find_scores).find(|s| !s.is_empty()).unwrap_or_default()
        }
        serde_json::Value::Object(step) => {
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

#[tokio::test]
async fn damaged_weights_are_refused_and_what_was_there_stays() -> Result<()> {
    let page = open(1280, "light").await?;
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let whole = std::fs::read(root.join("assets/models/toolformer/bpr-films.safetensors"))?;
    let cut = file("cut.safetensors", "")?;
    std::fs::write(&cut, &whole[..whole.len() / 2])?;
    page.by_id("open").await?.send_keys(&cut.to_string_lossy()).await?;
    page.find(".notice").await?;
    say(&page, "There are [GR(GL(\"gpr\", {\"bull_graph\"}), \"toolx:order\")-->r].").await?;
    page.until_text("[data-testid='sentence']", "There are 5.").await?;
    page.close().await
}
