//! Our own small model in the page: chosen, right with tools, stopped, and plain about what it cannot
//! read.

use anyhow::{Context as _, Result, ensure};

use llm::Message;

use crate::browser::Browser;

/// Until no run is under way.
async fn idle(page: &Browser) -> Result<()> {
    let script = "return ['standalone', 'grounded'].every(
        (id) => document.querySelector(`[data-testid=${id}]`).textContent.trim() !== 'Stop')";
    page.until("the run is over", script).await
}

async fn choose_own(page: &Browser) -> Result<()> {
    page.click("endpoint").await?;
    page.click("use-own").await?;
    page.until_text("[data-testid='own-facts']", "wordings that it never met").await?;
    page.click("use").await?;
    page.until_text(".pill", "Our own small model, in this page").await
}

#[tokio::test]
async fn our_own_model_guesses_alone_and_is_right_with_tools() -> Result<()> {
    let hash = "#/solve?task=shortest_path&difficulty=easy&seed=7";
    let page = Browser::open_sized(hash, 1280, 900, "light").await?;
    page.until_text(".question", "Q:").await?;
    page.click("endpoint").await?;
    page.click("use-own").await?;
    page.shoot("own-model-1280-light").await?;
    page.press("dialog.endpoint footer .quiet").await?;
    choose_own(&page).await?;
    page.click("standalone").await?;
    page.find(".card[data-verdict]").await?;
    idle(&page).await?;
    page.click("grounded").await?;
    idle(&page).await?;
    page.find(".card[data-verdict='Correct']").await?;
    // It knows the tools by their names: that its prompt is short is no sign that somebody left them out.
    let told = page.text("main").await?;
    ensure!(!told.contains("tools_dropped"), "{told}");
    page.shoot("own-model-solved-1280-light").await?;
    // No worker of model files was needed for it, and the weights came once.
    let count = "return performance.getEntriesByType('resource')
        .filter((e) => e.name.includes(arguments[0])).length";
    let n = |what: &str| page.run(count, vec![what.into()]);
    ensure!(n("model_worker").await? == 0 && n("own.bin").await? == 1, "other files were loaded");
    // Nobody has to choose it again.
    page.client.refresh().await?;
    page.until_text(".pill", "Our own small model, in this page").await?;
    page.close().await
}

#[tokio::test]
async fn our_own_model_is_stopped_between_tokens() -> Result<()> {
    // Nine runs to the vote: one may be over before anybody is there to stop it.
    let hash = "#/solve?task=flow&difficulty=hard&seed=3&runs=9";
    let page = Browser::open_sized(hash, 1280, 900, "light").await?;
    page.until_text(".question", "flow").await?;
    choose_own(&page).await?;
    // The engine has the model, so that tokens are what is stopped.
    page.click("standalone").await?;
    idle(&page).await?;
    // Stop is pressed as soon as it says Stop: a person would be too late for so small a model.
    let pressed = "const button = () => document.querySelector('[data-testid=grounded]');
        button().click();
        const until = async (what) => {
            for (let i = 0; i < 400 && !what(); i++) await new Promise((on) => setTimeout(on, 5));
        };
        await until(() => button().textContent.trim() === 'Stop');
        const began = performance.now();
        button().click();
        await until(() => button().textContent.trim() !== 'Stop');
        return performance.now() - began";
    let took = page.promised(pressed, vec![]).await?.as_f64().context("no number")?;
    println!("a run of our own model ended {took:.0} ms after Stop");
    page.until_text("main", "topped").await?;
    ensure!(took < 500.0, "the run went on for {took} ms after Stop");
    // The engine is still there, and answers.
    page.click("grounded").await?;
    idle(&page).await?;
    page.find(".card[data-verdict='Correct']").await?;
    page.close().await
}

/// The probabilities that the page tells are logits after a softmax: where they agree, logits agree up to
/// a number that is the same for all.
#[tokio::test]
async fn the_page_computes_what_this_program_does() -> Result<()> {
    let page = Browser::open("#/compare?task=shortest_path&difficulty=easy&seed=7").await?;
    page.until_text(".question", "Q:").await?;
    page.click("run-both").await?;
    page.find("[data-testid='side-0'] .card[data-verdict]").await?;
    page.press("[data-testid='side-0'] [data-testid='look-inside']").await?;
    page.find("[data-testid='look-likely'] li:nth-child(5)").await?;
    let question = page.run("return document.querySelector('.question').textContent", vec![]);
    let question = question.await?.as_str().context("no question")?.to_owned();
    let answer = "return document.querySelector('[data-testid=side-0] .claimed').textContent";
    let answer = page.run(answer, vec![]).await?.as_str().context("no answer")?.to_owned();
    let weights = include_bytes!("../../../../assets/models/own/own.bin");
    let model = ownmodel::OwnModel::load(weights, ownmodel::OwnOptions::default())?;
    let before = [Message::user(question.trim())];
    let look = model.look(&before, &Message::assistant(answer.trim()), false, 5)?;
    // Words with characters, as the page lists them.
    let said = look.pieces[look.n_question..].iter().zip(&look.said);
    let expected: Vec<_> = said.filter(|(text, _)| !text.trim().is_empty()).collect();
    let script = "const all = [];
        for (const b of document.querySelectorAll('.look-words button')) {
            b.click();
            await new Promise((on) => setTimeout(on, 30));
            all.push([...document.querySelectorAll('[data-testid=look-likely] li')].map((li) =>
                [li.querySelector('code').textContent, Number(li.querySelector('meter').getAttribute('value'))]));
        }
        return all";
    let found: Vec<Vec<(String, f64)>> =
        serde_json::from_value(page.promised(script, vec![]).await?)?;
    ensure!(found.len() == expected.len() && found.len() > 8, "{} words", found.len());
    let mut most = 0.0_f64;
    for (found, (text, token)) in found.iter().zip(&expected) {
        for ((name, here), (known, there)) in found.iter().zip(&token.likely) {
            ensure!(known.ends_with(name.as_str()), "at {text}: {found:?} and {:?}", token.likely);
            most = most.max((here.ln() - f64::from(*there).ln()).abs());
        }
    }
    println!("logits of the page differ from this program's by {most:.1e} at most");
    ensure!(most < 1e-3, "{most}");
    page.close().await
}

#[tokio::test]
async fn a_copied_edge_is_the_one_that_was_looked_at() -> Result<()> {
    let page = Browser::open("#/compare?task=shortest_path&difficulty=easy&seed=7").await?;
    page.until_text(".question", "Q:").await?;
    page.click("run-both").await?;
    page.find("[data-testid='side-2'] .card[data-verdict='Correct']").await?;
    page.press("[data-testid='side-2'] [data-testid='look-inside']").await?;
    page.until_text("[data-testid='look-words']", "add_edges(").await?;
    // The word that is shown first is the end of an edge that a call copies.
    let words = "const all = [...document.querySelectorAll('.look-words button')];
        const at = all.findIndex((b) => b.ariaPressed === 'true');
        return [all[at - 1].textContent, all[at].textContent]";
    let words: Vec<String> = serde_json::from_value(page.run(words, vec![]).await?)?;
    let told = page.text("[data-testid='look-edges']").await?;
    let [u, v] = words.as_slice() else { anyhow::bail!("{words:?}") };
    ensure!(told.contains(&format!("most: {u}–{v} ")), "{told} at {words:?}");
    page.run("document.querySelector('.look-place').scrollIntoView()", vec![]).await?;
    page.shoot("look-inside-calls-1280-light").await?;
    page.press("[data-testid='look-turns'] button:last-child").await?;
    page.until_text("[data-testid='look-question']", "→").await?;
    page.close().await
}

/// A person may press Stop while the weights are still on their way.
#[tokio::test]
async fn a_stop_in_the_first_moment_says_that_it_stopped() -> Result<()> {
    let page = Browser::open("#/compare?task=shortest_path&difficulty=hard&seed=7").await?;
    page.until_text(".question", "Q:").await?;
    let pressed = "const button = () => document.querySelector('[data-testid=run-both]');
        const until = async (what) => {
            for (let i = 0; i < 400 && !what(); i++) await new Promise((on) => setTimeout(on, 5));
        };
        await until(() => !button().disabled);
        button().click();
        await until(() => button().textContent.trim() === 'Stop');
        button().click();
        await until(() => button().textContent.trim() !== 'Stop');
        return performance.getEntriesByType('resource').filter((e) => e.name.includes('engine_worker.js')).length";
    let n = page.promised(pressed, vec![]).await?;
    for side in [0, 2] {
        page.until_text(&format!("[data-testid='side-{side}']"), "topped").await?;
    }
    page.shoot("compare-stopped-1280-light").await?;
    // The engine is the same, and answers.
    page.click("run-both").await?;
    page.find("[data-testid='side-2'] .card[data-verdict='Correct']").await?;
    let count = "return performance.getEntriesByType('resource').filter((e) => e.name.includes('engine_worker.js')).length";
    ensure!(page.run(count, vec![]).await? == n, "another worker was started");
    page.close().await
}

#[tokio::test]
async fn our_own_model_says_what_it_cannot_read() -> Result<()> {
    let page = Browser::open("#/ask").await?;
    choose_own(&page).await?;
    page.type_into("ask-question", "Quelle heure est-il à Bruxelles, et qui est venu hier soir?")
        .await?;
    page.click("run").await?;
    page.until_text("main", "are not among those that this small model knows").await?;
    page.shoot("own-model-refuses-1280-light").await?;
    page.close().await
}

/// The drawing of a maximum flow says how much flows through each pipe, and where it begins and ends.
#[tokio::test]
async fn a_flow_is_seen_on_its_pipes() -> Result<()> {
    let hash = "#/solve?task=flow&difficulty=easy&seed=2";
    let page = Browser::open_sized(hash, 1280, 900, "light").await?;
    page.until_text(".question", "flow").await?;
    page.click("grounded").await?;
    idle(&page).await?;
    page.find(".card[data-verdict='Correct']").await?;
    // Behind the last step of what plays.
    let ends = "return [...document.querySelectorAll('.graph .beside')]
        .map((t) => t.textContent.trim()).sort().join() === 'sink,source'";
    page.until("the ends are named", ends).await?;
    let pipes = "const all = [...document.querySelectorAll('.graph .weight')]
            .map((t) => t.textContent.split('/').map(Number));
        return all.length > 4 && all.every(([flow, most]) => flow <= most)";
    page.until("each pipe says its flow", pipes).await?;
    page.shoot("solve-flow-1280-light").await?;
    page.close().await
}
