//! Bench: benchmarks that are made, resumed, compared, checked and saved.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

super::screen! {
    /// The page Bench.
    Bench
    says {
        is_titled "main h1", options_say "@bench-options", reports "@bench-told",
        progress_says "@bench-progress", report_says "@bench-report", check_says "@check-result",
        about_says ".bench-about", is_by "@bench-by", is_about ".bench-what",
    }
    has { has_report "@bench-report" }
    clicks {
        begin "bench-new", shows_an_example "bench-example", start "bench-start",
        adds_up "sorting-report",
    }
    presses { previous_failure "@sorting-run ~ .bench-act button:first-child" }
    chooses { chooses "bench-experiment", adds_script "bench-script" }
    sets { dates "about-date" }
    reads { failure "@sorting-run p" }
    gives { opens "bench-file" }
}

/// The list of the runs, with how many there are.
const RUNS: &str = "[data-testid='bench-runs'] h2";
/// What a benchmark says of itself, added up.
const REPORT: &str = "[data-testid='bench-report']";
/// The lines of all benchmarks as the browser keeps them.
const LINES: &str = "new Promise((done) => {
    const open = indexedDB.open('graphground');
    open.onsuccess = () => {
        const all = open.result.transaction('bench_lines').objectStore('bench_lines').getAll();
        all.onsuccess = () => {
            open.result.close();
            done(all.result.join(''));
        };
    };
})";

impl Bench<'_> {
    /// Begins the form of a new benchmark, and names it.
    pub(crate) async fn begin_named(&self, title: &str) -> Result<()> {
        self.begin().await?;
        self.type_into("bench-title", title).await
    }

    /// Puts a script, or the model in use, in the place of the first model.
    pub(crate) async fn asks_instead(&self, script: Option<&str>) -> Result<()> {
        self.press(".bench-models button").await?;
        match script {
            Some(name) => self.adds_script(name).await,
            None => self.click("bench-endpoint").await,
        }
    }

    /// Makes so many cases of each group and level.
    pub(crate) async fn of_each(&self, n: usize) -> Result<()> {
        self.set("bench-n", &n.to_string()).await
    }

    /// Puts each case so many times.
    pub(crate) async fn samples(&self, n: usize) -> Result<()> {
        if self.count(".bench-form[open]").await? == 0 {
            self.press(".bench-form summary").await?;
        }
        self.set("bench-samples", &n.to_string()).await
    }

    /// Types an option of the experiment.
    pub(crate) async fn option(&self, name: &str, value: &str) -> Result<()> {
        self.unfold(".bench-form").await?;
        self.type_into(&format!("bench-option-{name}"), value).await
    }

    /// Asks what a start would take.
    pub(crate) async fn estimates(&self, words: &str) -> Result<()> {
        self.click("bench-estimate").await?;
        self.until_text("[data-testid='bench-guess']", words).await
    }

    /// Pauses the runs at once.
    pub(crate) async fn pauses(&self) -> Result<()> {
        self.click("bench-pause").await?;
        self.reports("Paused").await
    }

    /// How many runs are done, as the progress says.
    pub(crate) async fn n_done(&self) -> Result<usize> {
        let text = self.text("[data-testid='bench-progress'] span").await?;
        text.split(' ').next().context("no words")?.parse().context("no number")
    }

    /// Waits until more runs than so many are done.
    pub(crate) async fn has_done_more_than(&self, n: usize) -> Result<()> {
        let script = format!(
            "const said = document.querySelector('[data-testid=bench-progress] span');
             return parseInt(said?.textContent ?? 0) > {n}"
        );
        self.until(&format!("more than {n} runs are done"), &script).await
    }

    /// Waits until no run is under way.
    pub(crate) async fn has_ended(&self) -> Result<()> {
        self.progress_says("new ones in").await?;
        self.until_gone("[data-testid='bench-pause']").await
    }

    /// Waits until the list has so many runs.
    pub(crate) async fn lists(&self, n: usize) -> Result<()> {
        self.until_text(RUNS, &format!("Runs: {n} of {n}")).await
    }

    /// How many runs the list has, once it has any.
    pub(crate) async fn n_listed(&self) -> Result<usize> {
        let has_any =
            format!("return /of [1-9]/.test(document.querySelector({})?.textContent)", json!(RUNS));
        self.until("runs are listed", &has_any).await?;
        self.text(RUNS).await?.rsplit(' ').next().context("no words")?.parse().context("no number")
    }

    /// Goes back to the list of benchmarks.
    pub(crate) async fn leaves(&self) -> Result<()> {
        self.click("bench-back").await?;
        self.until_gone("[data-testid='bench-back']").await
    }

    /// Waits until the first row of a table of the report has some words.
    pub(crate) async fn first_row_says(&self, words: &str) -> Result<()> {
        self.until_text(&format!("{REPORT} tbody tr:first-child"), words).await
    }

    /// Fails if a plot is wider than a phone, or has words that are too small there.
    pub(crate) async fn plots_fit(&self) -> Result<()> {
        self.find("svg.plot").await?;
        let wide = "return [...document.querySelectorAll('svg.plot')].filter((plot) => {
            const { right, width } = plot.getBoundingClientRect();
            return right > innerWidth || plot.viewBox.baseVal.width > width * 1.1 }).length";
        ensure!(self.run(wide, vec![]).await? == json!(0), "a plot is wider than the phone");
        Ok(())
    }

    /// Adds the runs of a second file.
    pub(crate) async fn adds(&self, path: &Path, words: &str) -> Result<()> {
        self.give("bench-add", &[path]).await?;
        self.reports(words).await
    }

    /// Puts the first setup beside the third, which differ.
    pub(crate) async fn compares(&self) -> Result<()> {
        self.choose("compare-right", "2").await?;
        self.click("bench-compare").await?;
        self.find("[data-testid='differing'] li").await?;
        Ok(())
    }

    /// Verifies every run again, and waits for some words about it.
    pub(crate) async fn checks(&self, words: &str) -> Result<()> {
        self.click("bench-check").await?;
        self.check_says(words).await
    }

    /// Lists only the runs of a verdict, which are fewer than so many.
    pub(crate) async fn filters(&self, verdict: &str, n: usize) -> Result<()> {
        self.choose("runs-verdict", verdict).await?;
        let is_fewer = format!(
            "const [, some] = /Runs: (\\d+) of {n}/.exec(document.querySelector({}).textContent);
             return 0 < some && some < {n}",
            json!(RUNS)
        );
        self.until("fewer runs are listed", &is_fewer).await
    }

    /// Opens the first run of the list as a trace.
    pub(crate) async fn opens_run(&self) -> Result<()> {
        self.press("button.bench-row").await?;
        self.find(".step-row").await?;
        Ok(())
    }

    /// Opens a run whose row has some words.
    pub(crate) async fn opens_run_of(&self, words: &str) -> Result<()> {
        let script = format!(
            "const rows = [...document.querySelectorAll('button.bench-row')];
             const row = rows.find((row) => row.textContent.includes({}));
             row?.click();
             return row !== undefined",
            json!(words)
        );
        self.until(&format!("a run of {words} is opened"), &script).await?;
        self.has_address("#/traces").await
    }

    /// Returns from a run to the list with it.
    pub(crate) async fn returns(&self, title: &str) -> Result<()> {
        self.click("back").await?;
        self.is_titled(title).await?;
        self.find("button.bench-row.now").await?;
        Ok(())
    }

    /// The lines of all benchmarks as the browser keeps them, once words are in them so many times: what is
    /// shown is kept a little later.
    pub(crate) async fn kept_lines(&self, words: &str, n: usize) -> Result<String> {
        let are_kept =
            format!("return {LINES}.then((text) => text.split({}).length > {n})", json!(words));
        self.until(&format!("{n} times {words} is kept"), &are_kept).await?;
        self.given(LINES).await
    }

    /// Types what the report says of itself, by the name of the field.
    pub(crate) async fn describes(&self, field: &str, words: &str) -> Result<()> {
        self.type_into(&format!("about-{field}"), words).await
    }

    /// Saves a file of a form; gives the texts of so many.
    pub(crate) async fn saves(&self, form: &str, n: usize) -> Result<Vec<String>> {
        self.click(&format!("save-{form}")).await?;
        self.saved(n).await
    }

    /// Holds the lock of the next benchmark that starts, as another tab does that makes its runs.
    pub(crate) async fn another_tab_starts(&self) -> Result<()> {
        let script = "const take = navigator.locks.request.bind(navigator.locks);
            navigator.locks.request = async (name, ...rest) => {
                if (name.startsWith('graphground-bench-') && !window.release) {
                    await new Promise((held) => take(name, () => {
                        held();
                        return new Promise((release) => { window.release = release; });
                    }));
                }
                return take(name, ...rest);
            }";
        self.run(script, vec![]).await?;
        Ok(())
    }

    /// Lets go of that lock.
    pub(crate) async fn other_tab_ends(&self) -> Result<()> {
        self.run("release()", vec![]).await?;
        Ok(())
    }

    /// Unfolds the runs that are not right.
    pub(crate) async fn unfolds_failures(&self) -> Result<()> {
        self.press("[data-testid='sorting'] summary").await?;
        self.find("[data-testid='sorting-run']").await?;
        Ok(())
    }

    /// Says who sorts, which is the reader of so many.
    pub(crate) async fn reads_as(&self, name: &str, n_sorted: usize) -> Result<()> {
        self.type_into("sorting-reader", name).await?;
        self.has_sorted(n_sorted).await
    }

    /// Sorts the run at hand into a class.
    pub(crate) async fn sorts(&self, class: &str) -> Result<()> {
        self.click(&format!("sort-{class}")).await
    }

    /// Waits until the reader has sorted so many.
    pub(crate) async fn has_sorted(&self, n: usize) -> Result<()> {
        self.until_text("[data-testid='sorting-told']", &format!("{n} of ")).await
    }

    /// Makes a benchmark of the careful script with a title, and waits until its runs are done.
    pub(crate) async fn makes_scripted(&self, title: &str, done: &str) -> Result<()> {
        self.begin().await?;
        self.type_into("bench-title", title).await?;
        self.choose("bench-script", "script").await?;
        self.start().await?;
        self.until_text("[data-testid='bench-progress']", done).await?;
        self.shows_report(title).await
    }

    /// Waits until the report of a benchmark is shown.
    pub(crate) async fn shows_report(&self, title: &str) -> Result<()> {
        self.until_text("main h1", title).await?;
        self.find("[data-testid='bench-report'] table").await?;
        Ok(())
    }

    /// Waits until the list of benchmarks is shown.
    pub(crate) async fn lists_benchmarks(&self) -> Result<()> {
        self.find("[data-testid='bench-file']").await?;
        self.until_text("main h1", "Bench").await
    }
}
