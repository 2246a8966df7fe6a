//! Traces: runs that were kept or opened, step by step.

use std::fmt::Display;

use anyhow::{Context as _, Result};
use serde_json::json;

super::screen! {
    /// The page Traces.
    Traces
    says {
        timed_says "@opened-ms", stage_says ".stage .empty", fork_is "@open-traces li.fork",
        open_say "@open-traces", kept_say "@kept-runs", detail_says "@detail",
        too_kind "@disagreement-0", too_strict "@disagreement-1", walk_says "@walk",
        verdict_says "@trace-verdict", first_row_says "@all-runs tbody tr", diff_says ".diff .virtual",
        changes_say "@diff-changes", examples_are "@examples-are",
    }
    sees { name "@open-traces b" }
    has { has_any_open "@open-traces li" }
    shows { is_open ".step-row", offers_examples "@trace-examples", is_at_a_mistake ".step-row.k-bad.now" }
    counts { n_rows ".step-row", n_mistakes ".step-row.k-bad", n_small_graphs ".diff-graphs svg" }
    clicks {
        opens_examples "trace-examples", opens_transcripts "paper-transcripts", to_table "run-table",
        to_solve "to-solve", shows_too_kind "disagreement-0", walks_on "walk-on",
        returns_to_table "to-table" => "@all-runs", draws_figure "figure" => "@scorers svg",
        keeps_all "keep-all", compares_two "compare-two" => "@diff-summary",
    }
    presses {
        newest_opens "@kept-runs .open" => ".step-row", opens_second "@open-traces li:nth-child(2) .open",
        follows_first_bar ".detail .spent button", closes_one "@open-traces [aria-label='Close']",
        opens_mistake ".step-row.k-bad", opens_reading_call ".step-row.k-reads",
        ends_comparison ".diff-head button:last-child",
    }
    chooses { filters "filter" }
    sets { searches "search-steps", searches_runs "search-runs" }
    values { step_note "step-note", run_note "run-note" }
    gets {
        raw_says "tab-raw" => "@raw-check", spent_says "tab-spent" => "@spent-words",
        replays "replay" => "@replay-report",
    }
    gives { opens_file "trace-file" }
    numbers { are_open "@open-traces li", keeps "@kept-runs li" }
    presses_its { presses_row "@all-runs tbody tr:nth-child({}) .name", picks "@all-runs tbody tr:nth-child({}) input" }
    shows_its { marks ".step-row .badge.{}" }
}

impl Traces<'_> {
    /// Goes to the page, and opens the run that was kept last.
    pub(crate) async fn open_kept(&self) -> Result<()> {
        self.go("#/traces").await?;
        self.press("[data-testid='kept-runs'] .open").await?;
        self.is_open().await
    }

    /// How many steps the player counts.
    pub(crate) async fn n_steps(&self) -> Result<usize> {
        let count = self.text("[data-testid='count']").await?;
        count.rsplit(' ').next().context("no count")?.parse().context("no number")
    }

    /// Waits until the player is behind `step` steps.
    pub(crate) async fn is_at(&self, step: usize) -> Result<()> {
        self.until_text("[data-testid='count']", &format!("{step} of")).await
    }

    /// Waits until the player is behind `step` of `n` steps.
    pub(crate) async fn is_at_of(&self, step: usize, n: usize) -> Result<()> {
        self.until_text("[data-testid='count']", &format!("{step} of {n}")).await
    }

    /// Goes through the steps by letters, or by a key such as `Home`.
    pub(crate) async fn types(&self, keys: impl Display) -> Result<()> {
        self.blur().await?;
        self.keys(&keys.to_string()).await
    }

    /// Where node 0 is drawn.
    pub(crate) async fn place_of_node_0(&self) -> Result<String> {
        self.given(
            "(() => { const nodes = [...document.querySelectorAll('svg.graph .node')];
                const node = nodes.find((g) => g.querySelector('title').textContent === '0');
                return JSON.stringify(node.getBoundingClientRect()) })()",
        )
        .await
    }

    /// Waits until `n` steps are listed, such as `=== 3` or `< 3`.
    pub(crate) async fn lists(&self, than: &str) -> Result<()> {
        let are =
            format!("return +document.querySelector('[data-testid=n-listed]').textContent {than}");
        self.until(&format!("the steps listed are {than}"), &are).await
    }

    /// Scrolls the list of steps to a place, and waits for a step near it.
    pub(crate) async fn scrolls(&self, pixels: u32, step: u32) -> Result<()> {
        let script = "document.querySelector('.virtual').scrollTop = arguments[0]";
        self.run(script, vec![json!(pixels)]).await?;
        let is_near = format!(
            "return [...document.querySelectorAll('.step-row .n')]
                .some((n) => Math.abs(n.textContent - {step}) < 40)"
        );
        self.until(&format!("rows about step {step} are made"), &is_near).await
    }

    /// Plays the run fast.
    pub(crate) async fn plays(&self) -> Result<()> {
        self.choose_text(".speed", "20 ×").await?;
        self.click("play").await
    }

    /// Takes the run over at the cursor: with a script, or `person`.
    pub(crate) async fn takes_over(&self, by: &str) -> Result<()> {
        self.click("tab-fork").await?;
        self.choose("fork-model", by).await?;
        self.click("fork-go").await
    }

    /// Puts another result in the place of a call's.
    pub(crate) async fn puts_result(&self, result: &str) -> Result<()> {
        self.click("tab-fork").await?;
        self.type_into("fork-result", result).await?;
        self.click("fork-with-result").await
    }

    /// Answers in the model's place.
    pub(crate) async fn answers(&self, words: &str) -> Result<()> {
        self.by_id("seat").await?;
        self.type_into("seat-answer", words).await?;
        self.press("[data-testid='seat'] form:last-child button").await
    }

    /// Compares with the trace that was opened before this one.
    pub(crate) async fn compares(&self, words: &str) -> Result<()> {
        let before = "document.querySelectorAll('[data-testid=compare-with] option')[1].value";
        self.choose("compare-with", &self.given(before).await?).await?;
        self.until_text("[data-testid='diff-summary']", words).await?;
        self.find(".diff-row.other").await?;
        Ok(())
    }

    /// Saves the trace in a format; gives the text.
    pub(crate) async fn saves(&self, format: &str) -> Result<String> {
        self.choose("save-as", format).await?;
        self.saved(1).await?.pop().context("nothing was saved")
    }

    /// Waits until the answer is judged on the graph of its problem, with what is false in it marked.
    pub(crate) async fn shows_what_is_false(&self, verdict: &str) -> Result<()> {
        self.until_text("[data-testid='trace-verdict'] .card", verdict).await?;
        for css in [
            ".detail .certificate",
            ".detail .claim.false",
            "[data-testid='false-claims'] li",
            "svg.graph .edge.false, svg.graph [data-mark='false']",
        ] {
            self.find(css).await?;
        }
        Ok(())
    }

    /// Waits until more nodes than `n` are drawn.
    pub(crate) async fn draws_more_than(&self, n: usize) -> Result<()> {
        let are = format!("return document.querySelectorAll('svg.graph .node').length > {n}");
        self.until(&format!("more than {n} nodes"), &are).await
    }

    /// Writes tags and a note of the run, and a note of the step.
    pub(crate) async fn notes(&self, tags: &str, run: &str, step: &str) -> Result<()> {
        self.click("tab-step").await?;
        self.press("[data-testid='run-notes'] summary").await?;
        self.set("tags", tags).await?;
        self.set("run-note", run).await?;
        self.press(".step-note summary").await?;
        self.set("step-note", step).await
    }

    /// The link to the step at the cursor, from `#` on.
    pub(crate) async fn link_to_step(&self) -> Result<String> {
        self.click("step-link").await?;
        let link = self.value("share-link").await?;
        self.run("document.querySelector('dialog.share').close()", vec![]).await?;
        Ok(format!("#{}", link.split_once('#').context("no fragment")?.1))
    }

    /// Lists the runs of a tag, a task or another field in the table; all for an empty value.
    pub(crate) async fn table_by(&self, field: &str, value: &str) -> Result<()> {
        self.choose(&format!("by-{field}"), value).await
    }

    /// Waits until the table has `n` of all runs.
    pub(crate) async fn table_has(&self, n: usize, all: usize) -> Result<()> {
        self.until_text("[data-testid='n-runs']", &format!("{n} of {all}")).await
    }

    /// Opens the run of a row, counted from 1.
    pub(crate) async fn opens_row(&self, row: usize) -> Result<()> {
        self.presses_row(&row.to_string()).await?;
        self.is_open().await
    }

    /// Picks the first two rows.
    pub(crate) async fn picks_two(&self) -> Result<()> {
        self.picks("1").await?;
        self.picks("2").await
    }

    /// Saves what the table shows in a form; gives the text.
    pub(crate) async fn saves_all(&self, form: &str) -> Result<String> {
        self.choose("save-all", form).await?;
        self.saved(1).await?.pop().context("nothing was saved")
    }

    /// Milliseconds that the last file took to open.
    pub(crate) async fn opened_ms(&self) -> Result<f64> {
        let words = self.text("[data-testid='opened-ms']").await?;
        words.split(' ').find_map(|word| word.parse().ok()).context("no number")
    }

    /// Sorts the table by steps, and opens its last run.
    pub(crate) async fn sorts_and_opens(&self) -> Result<()> {
        self.press("[data-testid='all-runs'] th[data-column='Steps'] button").await?;
        self.find("[data-testid='all-runs'] th[aria-sort='ascending']").await?;
        self.press("[data-testid='all-runs'] tbody tr:last-child .name").await?;
        self.is_open().await
    }

    /// Everything that the model read up to a step of a kept run, which is as it was kept.
    pub(crate) async fn raw_of_kept(&self) -> Result<String> {
        self.click("tab-raw").await?;
        self.until_text("@raw-check", "its hash is the one that was kept").await?;
        self.text("@detail").await
    }
}
