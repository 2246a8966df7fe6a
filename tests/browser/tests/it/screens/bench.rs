//! Bench: benchmarks that are made, resumed, compared, checked and saved.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

super::screen! {
    /// The page Bench.
    Bench
    says {
        first_row_says "@bench-report tbody tr:first-child", has_sorted "@sorting-told",
        is_titled "main h1", options_say "@bench-options", reports "@bench-told",
        progress_says "@bench-progress", example_is_by "@bench-is-example", report_says "@bench-report", check_says "@check-result",
        unkept_say "@bench-unkept", lacks_live "@save-live-absent", about_says ".bench-about", is_by "@bench-by", is_about ".bench-what",
    }
    sees { report "@bench-report", failure "@sorting-run p" }
    shows { marks_last_run "button.bench-row.now", has_seal ".seal.ok", has_broken_seal ".seal.no" }
    has { has_report "@bench-report", has_unkept "@bench-unkept" }
    clicks {
        saves_unkept "bench-save-unkept",
        pauses "bench-pause", leaves "bench-back", returns "back", begins "bench-new",
        start "bench-start", adds_up "sorting-report",
    }
    presses {
        unfolds_failures "@sorting summary",
        previous_failure "@sorting-run ~ .bench-act button:first-child",
    }
    chooses { chooses "bench-experiment", adds_script "bench-script" }
    types { names "bench-title", reads_as "sorting-reader" }
    sets { of_each "bench-n", dates "about-date" }
    gets { estimates "bench-estimate" => "@bench-guess", checks "bench-check" => "@check-result" }
    gives { opens "bench-file", adds "bench-add" }
    awaits { watches_it_grow "return document.querySelectorAll('.bench-plots svg').length > 0 && document.querySelector('[data-testid=bench-pause]') !== null" }
}

/// The list of the runs, with how many there are.
const RUNS: &str = "[data-testid='bench-runs'] h2";
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
    /// Begins a benchmark of the script that errs, in the place of the model in use.
    pub(crate) async fn begin(&self) -> Result<()> {
        self.begins().await?;
        self.asks_instead(Some("mistaken")).await
    }

    /// Puts a script, or the model in use, in the place of the first model.
    pub(crate) async fn asks_instead(&self, script: Option<&str>) -> Result<()> {
        self.press(".bench-models button").await?;
        match script {
            Some(name) => self.adds_script(name).await,
            None => self.click("bench-endpoint").await,
        }
    }

    /// Puts each case `n` times.
    pub(crate) async fn samples(&self, n: usize) -> Result<()> {
        if self.count(".bench-form[open]").await? == 0 {
            self.press(".bench-form summary").await?;
        }
        self.set("bench-samples", &n.to_string()).await
    }

    /// Leaves a system out, which is ticked at first.
    pub(crate) async fn leaves_out(&self, system: &str) -> Result<()> {
        self.click(&format!("system-{system}")).await
    }

    /// Types an option of the experiment.
    pub(crate) async fn option(&self, name: &str, value: &str) -> Result<()> {
        self.unfold(".bench-form").await?;
        self.type_into(&format!("bench-option-{name}"), value).await
    }

    /// Waits until the list of benchmarks has one with a title and some words about it.
    pub(crate) async fn lists_title(&self, title: &str, words: &str) -> Result<()> {
        self.until_text(".bench-list", &format!("{title}{words}")).await
    }

    /// Opens the benchmark of a title from the list.
    pub(crate) async fn opens_titled(&self, title: &str) -> Result<()> {
        self.press(&format!(".bench-list li:has([aria-label='Delete {title}']) .open")).await
    }

    /// How many runs are done, as the progress says.
    pub(crate) async fn n_done(&self) -> Result<usize> {
        let text = self.text("[data-testid='bench-progress'] span").await?;
        text.split(' ').next().context("no words")?.parse().context("no number")
    }

    /// Waits until more runs than `n` are done.
    pub(crate) async fn has_done_more_than(&self, n: usize) -> Result<()> {
        let script = format!(
            "const said = document.querySelector('[data-testid=bench-progress] span');
             return parseInt(said?.textContent ?? 0) > {n}"
        );
        self.until(&format!("more than {n} runs are done"), &script).await
    }

    /// Waits until no run is under way.
    pub(crate) async fn has_ended(&self) -> Result<()> {
        self.progress_says("new in").await?;
        self.until_gone("[data-testid='bench-pause']").await
    }

    /// Waits until the list has `n` runs.
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

    /// Fails if a plot is wider than a phone, or has words that are too small there.
    pub(crate) async fn plots_fit(&self) -> Result<()> {
        self.find("svg.plot").await?;
        let wide = "return [...document.querySelectorAll('svg.plot')].filter((plot) => {
            const { right, width } = plot.getBoundingClientRect();
            return right > innerWidth || plot.viewBox.baseVal.width > width * 1.1 }).length";
        ensure!(self.run(wide, vec![]).await? == json!(0), "a plot is wider than the phone");
        Ok(())
    }

    /// Puts the first setup beside the third, which differ.
    pub(crate) async fn compares(&self) -> Result<()> {
        self.choose("compare-right", "2").await?;
        self.click("bench-compare").await?;
        self.find("[data-testid='differing'] li").await?;
        Ok(())
    }

    /// Lists only the runs of a verdict, which are fewer than `n`.
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

    /// The lines of all benchmarks as the browser keeps them, once words are in them `n` times: what is
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

    /// Chooses several files at once.
    pub(crate) async fn opens_all(&self, paths: &[&Path]) -> Result<()> {
        self.give("bench-file", paths).await
    }

    /// Answers every question for a file beside the page as a site that lacks it.
    pub(crate) async fn is_on_a_bare_site(&self) -> Result<()> {
        let lacks = "const fetched = window.fetch;
            window.fetch = (ask, ...rest) => String(ask.url ?? ask).includes('graphground.html')
                ? Promise.resolve(new Response('', { status: 404 })) : fetched(ask, ...rest)";
        self.run(lacks, vec![]).await.map(drop)
    }

    /// Saves a file of a form; gives the texts of `n`.
    pub(crate) async fn saves(&self, form: &str, n: usize) -> Result<Vec<String>> {
        self.unfold("[aria-label='Files']").await?;
        self.click(&format!("save-{form}")).await?;
        self.saved(n).await
    }

    /// Holds the lock of the next benchmark that starts, as another tab does that makes its runs; or lets go
    /// of it.
    pub(crate) async fn another_tab_runs(&self, does: bool) -> Result<()> {
        let takes = "const take = navigator.locks.request.bind(navigator.locks);
            navigator.locks.request = async (name, ...rest) => {
                if (name.startsWith('graphground-bench-') && !window.release) {
                    await new Promise((held) => take(name, () => {
                        held();
                        return new Promise((release) => { window.release = release; });
                    }));
                }
                return take(name, ...rest);
            }";
        self.run(if does { takes } else { "release()" }, vec![]).await?;
        Ok(())
    }

    /// Sorts the run at hand into a class.
    pub(crate) async fn sorts(&self, class: &str) -> Result<()> {
        self.click(&format!("sort-{class}")).await
    }

    /// Makes a benchmark of the careful script with a title, and waits until its runs are done.
    pub(crate) async fn makes_scripted(&self, title: &str, done: &str) -> Result<()> {
        self.begin().await?;
        self.names(title).await?;
        self.adds_script("script").await?;
        self.start().await?;
        self.progress_says(done).await?;
        self.shows_report(title).await
    }

    /// Waits until the report of a benchmark is shown.
    pub(crate) async fn shows_report(&self, title: &str) -> Result<()> {
        self.is_titled(title).await?;
        self.shows_all("@bench-report table").await
    }

    /// Waits until the list of benchmarks is shown.
    pub(crate) async fn lists_benchmarks(&self) -> Result<()> {
        self.shows_all("@bench-file").await?;
        self.is_titled("Bench").await
    }
}
