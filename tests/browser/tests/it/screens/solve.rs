//! Solve: one problem, answered with and without tools.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;
use tasks::TaskId;

use crate::browser::file;

super::screen! {
    /// The page Solve.
    Solve
    says { plays ".pill", verdicts_say ".verdicts", live_says "@live" }
    clicks { shows_solution "solve" }
    clicks {
        // The same buttons stop a run.
        with_tools "grounded", alone "standalone",
        next_problem "next-problem", begins_import "import", undoes "undo", lists_kept "kept",
        opens_table "open-table", toggles_few_tools "few-tools", toggles_attached "attach", is_the_model "be-the-model" => "@seat",
    }
    presses {
        opens_kept ".runs .open", deletes_kept ".runs .quiet", folds_run_settings "@run-choices summary",
        picks_what_is_false ".steps .claim.false" => ".steps .claim.false.picked",
    }
    gives { imports_file "file" }
    chooses { opens_ready "ready", imports_ready "import-ready", first_column_is "column-1", second_column_is "column-2", third_column_is "column-3", fourth_column_is "column-4" }
    says {
        asks ".question", steps_say ".steps", refuses "dialog .report.no", notices ".right .notice",
        columns_say "@columns", names_say "svg.graph", facts_say ".facts", counts_mistake "@mistakes", tells_mistake ".steps .bad .err",
        votes_say "@tallies", run_settings_say "@run-choices summary",
        wrong_row_says ".node.false .result",
    }
    is { asks_exactly ".question" }
    numbers {
        draws "svg.graph .node", has_steps ".steps li", has_built ".node.written",
        draws_false_edges ".edge.ghost.false", has_right_runs ".card[data-verdict='Correct']",
    }
    shows_its { is_judged ".card[data-verdict='{}']" }
    shows {
        has_verdict ".card[data-verdict]:not(.busy)", draws_what_is_false "svg.graph .false",
        draws_the_answer ".edge.true, .edge.path", has_right_rows ".node.true .result",
        is_right_or_wrong ".card[data-verdict='Correct'], .card[data-verdict='Wrong']",
    }
    counts {
        n_steps ".steps li", n_bad_marks ".timeline .k-bad", n_mistakes "@mistakes",
        n_right_rows ".node.true .result", n_rows ".node .result", n_cuts ".cut-line",
    }
    awaits {
        is_drawn "return $$('svg.graph .node').length > 3",
        has_built_edges "return $$('.edge.written').length > 6",
    }
    holds {
        // Every edge of the cut meets the line, and no node does.
        cut_parts_the_graph "const line = $('.cut-line');
            const along = p => Array.from({ length: 601 }, (_, i) =>
                p.getPointAtLength(p.getTotalLength() * i / 600));
            const least = (a, b) => Math.min(...a.map(p =>
                Math.min(...b.map(q => Math.hypot(p.x - q.x, p.y - q.y)))));
            const points = along(line), cut = $$('.edge.cut .line');
            const nodes = $$('.node').map(n => n.transform.baseVal.getItem(0).matrix)
                .map(m => ({ x: m.e, y: m.f }));
            return cut.length > 0 && cut.every(e => least(along(e), points) < 4)
                && least(nodes, points) > 18",
        has_a_question_in_sight "return $('.question').checkVisibility()",
    }
    tells {
        n_drawn "return $$('svg.graph .node').length",
        called "return $$('.fn b').map((b) => b.textContent)",
        rows "return $$('.node .beside').map((t) => t.textContent)",
    }
    // The page that is left writes its address a last time, before it knows that it is left.
    does {
        leaves_with_another_style "location.hash = '#/compare';
            const style = $('@style');
            style.value = [...style.options].map(o => o.value).find(v => v !== style.value);
            style.dispatchEvent(new Event('change', { bubbles: true }))",
    }
    reads { facts ".facts" }
    sets { votes_of "n-runs", opens_graph "graph-number" }
}

impl Solve<'_> {
    /// The text of the question, once it is there.
    pub(crate) async fn question(&self) -> Result<String> {
        self.until_text(".question", "Q:").await?;
        self.content(".question").await
    }

    /// Waits until the browser keeps `n` runs.
    pub(crate) async fn keeps(&self, n: usize) -> Result<()> {
        let words = match n {
            0 => "No runs kept".to_owned(),
            1 => "1 run kept".to_owned(),
            n => format!("{n} runs kept"),
        };
        self.until_text("[data-testid='kept']", &words).await
    }

    /// Goes to a problem; gives its question, once it is another one than before.
    pub(crate) async fn opens(&self, hash: &str) -> Result<String> {
        let before: String = self.tells("return $('.question')?.textContent ?? ''", &[]).await?;
        self.go(hash).await?;
        self.asks_other_than(&before).await
    }

    /// Waits for another question; gives it.
    pub(crate) async fn asks_other_than(&self, before: &str) -> Result<String> {
        self.until_is(".question", "!==", before).await?;
        self.content(".question").await
    }

    /// Drops a file with one question on Dataset, as NLGraph writes it, and opens it here.
    pub(crate) async fn opens_dropped(&self, task: TaskId, text: &str) -> Result<()> {
        self.go("#/dataset").await?;
        self.give("dataset-files", &[file(&format!("{task}.json"), text)?]).await?;
        self.until_text("@dataset-summary", "1 question parsed").await?;
        self.press("@dataset-table .link").await?;
        self.press(".problem").await?;
        self.until_text(".left h1", task.title()).await
    }

    /// Chooses a task.
    pub(crate) async fn choose_task(&self, task: TaskId) -> Result<()> {
        self.choose("task", task.as_str()).await?;
        self.until_text(".left h1", task.title()).await
    }

    /// Shows the right answer, which is found to be right.
    pub(crate) async fn shows_the_right_answer(&self) -> Result<()> {
        self.click("solve").await?;
        self.until_text(".card b", "Solver").await?;
        self.is_judged("Correct").await
    }

    /// Pastes into the dialog that takes a graph or a problem, and has it read.
    pub(crate) async fn pastes(&self, text: &str) -> Result<()> {
        self.set("paste", text).await?;
        self.click("read").await
    }

    /// Pastes a text, and leaves for another page before the engine has read it.
    pub(crate) async fn pastes_and_leaves_for(&self, text: &str, hash: &str) -> Result<()> {
        self.set("paste", text).await?;
        self.does("$('[data-testid=read]').click(); location.hash = arguments[0]", &[json!(hash)])
            .await
    }

    /// Adds a node with a click on the paper.
    pub(crate) async fn adds_node(&self) -> Result<()> {
        self.click("edit").await?;
        let click = "const at = { bubbles: true, clientX: box('svg.graph').left + 12,
                clientY: box('svg.graph').bottom - 40, pointerId: 1, pointerType: 'mouse' };
            for (const kind of ['pointerdown', 'pointerup'])
                $('svg.graph').dispatchEvent(new PointerEvent(kind, at))";
        self.does(click, &[]).await
    }

    /// Joins the node that was added last with the first, by a click on each.
    pub(crate) async fn joins_the_new_node(&self) -> Result<()> {
        let n = self.count("svg.graph .edge").await?;
        self.press("svg.graph .node:last-child .body").await?;
        self.shows_all("svg.graph .node.picked").await?;
        self.press("svg.graph .node:first-child .body").await?;
        self.until_count("svg.graph .edge", n + 1).await
    }

    /// Calls a function on the graph, once more than forty are listed.
    pub(crate) async fn calls_by_hand(&self, function: &str, result: &str) -> Result<()> {
        self.click("by-hand").await?;
        self.awaits("functions are listed", "return $$('@function option').length >= 40").await?;
        self.choose("function", function).await?;
        self.press(".by-hand .ghost").await?;
        self.until_text("@call-result", result).await
    }

    /// Has an answer of one's own judged.
    pub(crate) async fn judges(&self, answer: &str, verdict: &str) -> Result<()> {
        if self.count(".judge[open]").await? == 0 {
            self.click("judge-open").await?;
        }
        self.type_into("judge-text", answer).await?;
        self.click("judge").await?;
        self.is_judged(verdict).await
    }

    /// Calls a function that needs no arguments from the model's place.
    pub(crate) async fn calls_from_the_seat(&self, function: &str) -> Result<()> {
        self.choose("seat-tool", function).await?;
        self.press("@seat .schema-form button").await?;
        self.steps_say(function).await?;
        self.shows_all("@seat").await
    }

    /// Answers from the model's place, which is then free.
    pub(crate) async fn answers_from_the_seat(&self, answer: &str) -> Result<()> {
        self.type_into("seat-answer", answer).await?;
        self.press("@seat form:last-child button").await?;
        self.until_gone("@seat").await
    }

    /// Replies to a model that asked back.
    pub(crate) async fn replies(&self, words: &str) -> Result<()> {
        self.until_text(".verdicts", "asks back").await?;
        self.type_into("reply", words).await?;
        self.click("send-reply").await
    }

    /// Walks from node to node by the arrow keys; gives the names that were read out.
    pub(crate) async fn walks_the_graph(&self) -> Result<Vec<String>> {
        self.is_drawn().await?;
        self.does("$('.node[tabindex=\"0\"]').focus()", &[]).await?;
        let mut heard = Vec::new();
        for key in [Key::Right, Key::Down, Key::Left, Key::Up, Key::Right, Key::Down] {
            heard.push(self.given("document.activeElement.ariaLabel").await?);
            self.key(key).await?;
        }
        Ok(heard)
    }

    /// Shows the graph as a table, of more than three rows.
    pub(crate) async fn is_a_table(&self) -> Result<()> {
        self.click("table").await?;
        let n = self.count(".graph-table tbody tr").await?;
        ensure!(n > 3, "the table has {n} rows");
        Ok(())
    }

    /// Waits until no run is under way.
    pub(crate) async fn is_idle(&self) -> Result<()> {
        let script = "return ['standalone', 'grounded'].every(
            (id) => document.querySelector(`[data-testid=${id}]`).textContent.trim() !== 'Stop')";
        self.until("the run is over", script).await
    }

    /// Fails where a model's words became markup, or where something is still coming.
    pub(crate) async fn has_no_markup_and_nothing_live(&self) -> Result<()> {
        self.until_gone(".steps .say b").await?;
        self.until_gone("[data-testid='live']").await
    }
}
