//! Rescue: the map, events, plans, and the conversation.

use anyhow::{Context as _, Result};
use fantoccini::key::Key;
use serde_json::json;

super::screen! {
    /// The page Rescue.
    Rescue
    clicks {
        plans "plan-exact", replans "replan", undoes "undo-event", errs "errs",
        sends_few_tools "rescue-few-tools", toggles_tables "map-table", zooms_in "zoom-in",
    }
    presses { unfolds_last_turn ".turn.last details summary" }
    gives { opens_file "open-scenario" }
    fits { talk_fits ".talk", plan_fits ".plan-bar" }
    says {
        facts_say "@scenario-facts", is_named "@scenario-name", turn_says ".turn.last",
        turn_verdict_says ".turn.last @turn-verdict", plan_says "@plan-verdict", routes_say "@routes",
        best_says "@best", hints ".hint", tables_say ".map-tables",
    }
    unfolds { unfolds_calls ".turn.last .calls summary" => ".turn.last .calls" }
    shows_its {
        plan_has "@plan-verdict[data-verdict='{}']", burns "[data-location='{}'][aria-label*='fire']",
        burns_no_longer "[data-location='{}']:not([aria-label*='fire'])",
        marks_as_changed "[data-location='{}'] .changed",
    }
    loses { has_no_tables ".map-tables" }
    numbers { has_turns ".turn" }
    counts { n_steps ".map .route .step", n_bad_steps ".map .step.bad", n_rows ".map-tables tbody tr" }
    reads { name "@scenario-name", best "@best" }
    awaits { can_be_hit "return box('.location .hit').width >= 24" }
}

impl Rescue<'_> {
    /// Says something; gives the answer.
    pub(crate) async fn says(&self, words: &str) -> Result<String> {
        let before = self.count(".turn .answer").await?;
        self.type_into("say", words).await?;
        self.click("send").await?;
        let more = format!("return $$('.turn .answer').length > {before}");
        self.awaits(&format!("an answer to {words:?}"), &more).await?;
        self.text(".turn.last .answer").await
    }

    /// Clicks a location on the map, and waits until the menu is about something.
    pub(crate) async fn picks(&self, id: &str, title: &str) -> Result<()> {
        self.find(&format!("[data-location='{id}']")).await?;
        let click = "$(`[data-location='${arguments[0]}']`)
            .dispatchEvent(new MouseEvent('click', { bubbles: true }))";
        self.does(click, &[json!(id)]).await?;
        self.until_text(".menu h2", title).await
    }

    /// Takes a line of the menu.
    pub(crate) async fn takes(&self, words: &str) -> Result<()> {
        let press = "$$('.menu button').find((b) => b.textContent === arguments[0]).click()";
        self.does(press, &[json!(words)]).await
    }

    /// In how many milliseconds the plan was made, as the page says it.
    pub(crate) async fn planned_in(&self) -> Result<f64> {
        let best = self.best().await?;
        let words: Vec<&str> = best.split_whitespace().collect();
        let ms = words.windows(2).rev().find(|pair| pair[1].starts_with("ms"));
        ms.and_then(|pair| pair[0].parse().ok()).with_context(|| format!("no time: {best}"))
    }

    /// Makes a map of some size, and an exact plan for it.
    pub(crate) async fn plans_map_of(&self, size: &str) -> Result<()> {
        self.unfold(".left").await?;
        self.set("size", size).await?;
        self.click("generate").await?;
        self.facts_say(&format!("{size} locations")).await?;
        self.plans().await?;
        self.plan_has("No fault").await?;
        self.shoot(&format!("rescue-{size}-1280-light")).await
    }

    /// Walks to the right by its key, to a location; opens its menu.
    pub(crate) async fn walks_right(&self, from: &str, to: &str) -> Result<()> {
        self.find(&format!("[data-location='{from}']")).await?;
        self.does("$(`#at-${arguments[0]}`).focus()", &[json!(from)]).await?;
        self.key(Key::Right).await?;
        let has_it = format!("return document.activeElement.id === 'at-{to}'");
        self.until(&format!("{to} has the focus"), &has_it).await?;
        self.until_text(".menu h2", to).await?;
        self.key(Key::Enter).await
    }
}
