//! Knowledge Graph of Thoughts: a task, its growing graph, queries, stores and snapshots.

use std::path::Path;

use anyhow::Result;
use serde_json::json;

super::screen! {
    /// The page KGoT.
    Thoughts
    says {
        files_say "@kgot-files-title", answer_says "@kgot-answer", steps_say ".kgot .steps",
        stage_says ".kgot .stage", rows_say "@kgot-rows", query_fault_says "@kgot-fault",
        writing_says "@kgot-store-writes",
    }
    sees { members "@kgot-members", cell "@kgot-rows td" }
    shows { marks_what_is_new ".kgot .node.written", is_paused "@kgot-continue" }
    has { has_markup ".kgot .stage b" }
    counts { n_drawn ".kgot .node" }
    clicks { start "run", to_traces "to-traces" }
    chooses { method "kgot-method", language "kgot-language", ask_where "kgot-asked" }
    numbers { draws ".kgot .node" }
    sets { reads_pages_by "kgot-reader" }
    gives { open_snapshot "kgot-open-snapshot" }
}

impl Thoughts<'_> {
    /// Waits for a task of the set, and for the list of all.
    pub(crate) async fn is_ready(&self) -> Result<()> {
        self.files_say("4 files").await?;
        self.until_count("[data-testid='kgot-task'] option", 121).await
    }

    /// Opens what is folded beside the story.
    pub(crate) async fn unfold_all(&self) -> Result<()> {
        self.unfold(".kgot .left").await?;
        self.unfold(".kgot .stage").await
    }

    /// Begins a task of one's own.
    pub(crate) async fn own_task(&self, question: &str, files: &[&Path]) -> Result<()> {
        self.choose("kgot-task", "").await?;
        self.files_say("No files").await?;
        self.set("kgot-question", question).await?;
        self.unfold_all().await?;
        self.give("kgot-add-files", files).await?;
        self.files_say("1 file").await
    }

    /// Waits until the files themselves, unfolded, have some words.
    pub(crate) async fn file_says(&self, words: &str) -> Result<()> {
        self.unfold_all().await?;
        self.until_text("[data-testid='kgot-files']", words).await
    }

    /// Ticks or unticks members of fusion.
    pub(crate) async fn toggle_members(&self, members: &[&str]) -> Result<()> {
        for member in members {
            self.click(&format!("kgot-member-{member}")).await?;
        }
        Ok(())
    }

    /// Runs, and waits until the answer is right.
    pub(crate) async fn solve(&self) -> Result<()> {
        self.start().await?;
        self.is_right().await
    }

    /// Waits until the answer is right.
    pub(crate) async fn is_right(&self) -> Result<()> {
        self.find("[data-testid='kgot-answer']").await?;
        self.find(".kgot .card[data-verdict='Correct']").await?;
        Ok(())
    }

    /// The number of the first step that begins with some words, from 1; 0 where none does.
    pub(crate) async fn first_step(&self, words: &str) -> Result<usize> {
        let script = "const rows = [...document.querySelectorAll('.kgot .steps > li')];
            return rows.findIndex(r => r.textContent.startsWith(arguments[0])) + 1";
        let at = self.run(script, vec![json!(words)]).await?;
        Ok(at.as_u64().unwrap_or_default() as usize)
    }

    /// Waits until more than `n` nodes are drawn.
    pub(crate) async fn draws_more_than(&self, n: usize) -> Result<()> {
        let script = format!("return document.querySelectorAll('.kgot .node').length > {n}");
        self.until("more nodes are drawn", &script).await
    }

    /// Waits until the answer is on nodes.
    pub(crate) async fn marks_the_answer(&self) -> Result<()> {
        let script = "return document.querySelectorAll('.kgot .node.true').length > 1";
        self.until("the answer is on nodes", script).await
    }

    /// Types the beginning of a query, takes what is offered, and gives what is in the field then.
    pub(crate) async fn complete(&self, beginning: &str, offered: &str) -> Result<String> {
        let fill = "const f = document.querySelector('[data-testid=kgot-query]');
            f.focus(); f.value = arguments[0];
            f.setSelectionRange(f.value.length, f.value.length);
            f.dispatchEvent(new Event('input', { bubbles: true }));";
        self.by_id("kgot-query").await?;
        self.run(fill, vec![json!(beginning)]).await?;
        self.until_text("[data-testid='kgot-offered']", offered).await?;
        self.press("[data-testid='kgot-offered'] button").await?;
        self.value("kgot-query").await
    }

    /// Asks the graph by hand.
    pub(crate) async fn query(&self, query: &str) -> Result<()> {
        self.set("kgot-query", query).await?;
        self.click("kgot-put").await
    }

    /// Waits until the first cell is a number greater than this, or this very one.
    pub(crate) async fn cell_is(&self, more_than: bool, n: usize) -> Result<()> {
        let compare = if more_than { ">" } else { "===" };
        let script = format!(
            "return +document.querySelector('[data-testid=kgot-rows] td')?.textContent {compare} {n}"
        );
        self.until(&format!("the first cell is {compare} {n}"), &script).await
    }

    /// Has the run pause after each step that writes.
    pub(crate) async fn pause_at_steps(&self) -> Result<()> {
        self.tick("kgot-pauses").await
    }

    /// Ticks a box that may be out of sight.
    pub(crate) async fn tick(&self, id: &str) -> Result<()> {
        self.by_id(id).await?;
        self.run(&format!("document.querySelector(\"[data-testid='{id}']\").click()"), vec![])
            .await?;
        Ok(())
    }

    /// Continues as often as the run pauses, until there is an answer.
    pub(crate) async fn continue_to_the_end(&self) -> Result<()> {
        let next = "document.querySelector('[data-testid=kgot-continue]')?.click();
            return !!document.querySelector('[data-testid=kgot-answer]')";
        self.until("it came to its end", next).await
    }

    /// Adds a fact by hand.
    pub(crate) async fn add(&self, head: &str, relation: &str, tail: &str) -> Result<()> {
        self.set("kgot-head", head).await?;
        self.set("kgot-relation", relation).await?;
        self.set("kgot-tail", tail).await?;
        self.click("kgot-add").await
    }

    /// Picks a node by a piece of its name, and drops it once what is known of it is shown.
    pub(crate) async fn drop_node(&self, name: &str, known: &str) -> Result<()> {
        let click = "const n = [...document.querySelectorAll('.kgot .node')].find(n => n.textContent.includes(arguments[0]));
            for (const t of ['pointerdown', 'pointerup'])
                n.dispatchEvent(new PointerEvent(t, { bubbles: true, clientX: 5, clientY: 5 }));";
        self.run(click, vec![json!(name)]).await?;
        self.until_text("[data-testid='kgot-picked']", known).await?;
        self.click("kgot-drop-node").await
    }

    /// Lets models run Python.
    pub(crate) async fn let_models_run_python(&self) -> Result<()> {
        self.by_id("kgot-python").await?;
        let tick = "const box = document.querySelector('[data-testid=kgot-python]');
            if (!box.checked) box.click()";
        self.run(tick, vec![]).await?;
        Ok(())
    }

    /// Waits until Python is ready.
    pub(crate) async fn python_is_ready(&self) -> Result<()> {
        let ready = "return document.querySelector('[data-testid=kgot-python-state]')
            ?.textContent === 'Python is ready.'";
        self.until("Python is ready", ready).await
    }

    /// Types the address and key of a store.
    pub(crate) async fn store(&self, kind: &str, url: &str, key: &str) -> Result<()> {
        self.choose("kgot-store-kind", kind).await?;
        self.set("kgot-store-url", url).await?;
        self.set("kgot-store-key", key).await
    }

    /// Types an address once more, to allow writing to it, and waits for words about it.
    pub(crate) async fn allow_writing(&self, typed: &str, words: &str) -> Result<()> {
        self.set("kgot-store-confirm", typed).await?;
        self.writing_says(words).await
    }

    /// Whether the page offers to ask a store, to keep a copy in it, and to copy now.
    pub(crate) async fn offers_of_a_store(&self) -> Result<[bool; 3]> {
        let there = async |id: &str| {
            anyhow::Ok(self.count(&format!("[data-testid='kgot-{id}']")).await? > 0)
        };
        Ok([there("asked").await?, there("keep-copy").await?, there("copy").await?])
    }

    /// Copies the graph into the store.
    pub(crate) async fn copy(&self) -> Result<()> {
        self.tick("kgot-copy").await
    }

    /// Waits until the line about the copy has some words; gives it.
    pub(crate) async fn copied(&self, words: &str) -> Result<String> {
        self.until_text("[data-testid='kgot-copied']", words).await?;
        self.text("[data-testid='kgot-copied']").await
    }

    /// Runs one side of the lesson on this method, the first without a graph, the second with one.
    pub(crate) async fn run_in_lesson(&self, side: usize, verdict: &str) -> Result<()> {
        const LESSON: &str = "[data-testid='lesson-thoughts']";
        self.find(LESSON).await?;
        let press = "document.querySelectorAll(\"[data-testid='lesson-thoughts'] [data-testid='lesson-run']\")[arguments[0]].click()";
        self.run(press, vec![side.into()]).await?;
        self.find(&format!("{LESSON} .card[data-verdict='{verdict}']")).await?;
        Ok(())
    }

    /// Waits until the lesson marks what the answer is from.
    pub(crate) async fn lesson_marks_the_answer(&self) -> Result<()> {
        let script = "return document.querySelectorAll(\"[data-testid='lesson-thoughts'] .node.true\").length > 3";
        self.until("what the answer is from is marked", script).await
    }
}
