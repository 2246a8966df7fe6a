//! GraphRunner: questions about a knowledge graph, its plans and baselines, and SPARQL.

use anyhow::Result;
use serde_json::json;

super::screen! {
    /// The page GraphRunner.
    Kg
    says {
        figures_say "@kg-figures", questions_say ".kg-questions", verdict_says "@kg-verdict",
        prints "@kg-printed", finding_says ".finding", answer_says "@kg-answer", story_says ".kg-answer",
        draws_as_false ".kg-page svg.graph .node.false", steps_fold ".steps details summary",
        faults_say "@kg-faults", asked_from "@kg-asked-from", judge_says "@kg-judged",
        columns_say "@columns", notes_say "@kg-notes", rows_say "@sparql-facts", cell_says "@sparql-table td", query_fault_says "@sparql-fault",
        query_ended "@sparql-said", needs "@needs-larger", examples_say "@sparql-examples", canvas_says "@canvas", schema_says ".kg-page svg.graph",
    }
    sees { beside "@kg-beside" }
    loses { wants_no_reply ".reply-form", needs_nothing "@needs-larger" }
    has { has_markup_in_sparql ".sparql img" }
    counts {
        n_questions ".kg-questions li button", n_findings ".finding", n_drawn ".kg-page svg.graph .node",
        n_rows "@sparql-table tbody tr",
    }
    chooses { first_column_is "column-1", second_column_is "column-2", third_column_is "column-3", fourth_column_is "column-4" }
    clicks { opens_table "open-table", to_traces "kg-to-traces", ask_made_questions "kg-ask-made" }
    presses { take_listed_question ".kg-questions li li button" }
    chooses { play "kg-script" }
    sets { ask "kg-question", write_plan "kg-plan" }
    values { question "kg-question", lines "kg-lines" }
    gives { open_file "kg-files" }
    fits { panel_fits ".stage" }
}

impl Kg<'_> {
    /// Waits for the network and its questions, the first of which comes into the field.
    pub(crate) async fn is_ready(&self) -> Result<()> {
        self.figures_say("nodes").await?;
        self.find("[data-testid='kg-questions']").await?;
        Ok(())
    }

    /// Opens what is folded in the left column.
    pub(crate) async fn unfold_left(&self) -> Result<()> {
        self.unfold(".left").await
    }

    /// Opens one of the graphs that the page has.
    pub(crate) async fn open_graph(&self, id: &str, words: &str) -> Result<()> {
        self.choose("kg-graph", id).await?;
        self.figures_say(words).await
    }

    /// Takes the next question of some number of hops.
    pub(crate) async fn next_question(&self, hops: usize) -> Result<String> {
        self.click(&format!("kg-hops-{hops}")).await?;
        self.question().await
    }

    /// Unfolds the list of questions; gives the one that is marked in it.
    pub(crate) async fn marked_question(&self) -> Result<String> {
        self.press(".kg-questions summary").await?;
        self.content(".kg-questions [aria-current]").await
    }

    /// Waits until more than `n` questions are listed.
    pub(crate) async fn lists_more_questions_than(&self, n: usize) -> Result<()> {
        let script =
            format!("return document.querySelectorAll('.kg-questions li li').length > {n}");
        self.until("more questions", &script).await
    }

    /// Looks for questions with a word, and waits until every one that is listed has it.
    pub(crate) async fn find_questions(&self, word: &str) -> Result<()> {
        self.type_into("kg-find-question", word).await?;
        let all_have_it = format!(
            "return [...document.querySelectorAll('.kg-questions li button')]
                .every((b) => b.textContent.toLowerCase().includes({}))",
            json!(word)
        );
        self.until("those with the word", &all_have_it).await
    }

    /// Presses a system's button: `graphrunner`, `graph_cot`, `graph_rag`, `text_rag`.
    pub(crate) async fn start(&self, system: &str) -> Result<()> {
        self.click(&format!("run-{system}")).await
    }

    /// Whether a system can be started.
    pub(crate) async fn can_start(&self, system: &str) -> Result<bool> {
        let button = self.by_id(&format!("run-{system}")).await?;
        Ok(button.attr("disabled").await?.is_none())
    }

    /// Waits for a system's row among the results, with some words.
    pub(crate) async fn row_says(&self, system: &str, words: &str) -> Result<()> {
        self.until_text(&format!("[data-testid='row-{system}']"), words).await
    }

    /// Waits until there is a verdict, and not this one.
    pub(crate) async fn verdict_is_not(&self, words: &str) -> Result<()> {
        let script = format!(
            "const verdict = document.querySelector('[data-testid=kg-verdict]');
             return verdict !== null && verdict.textContent !== {}",
            json!(words)
        );
        self.until(&format!("a verdict other than {words}"), &script).await
    }

    /// Whether a verdict is shown.
    pub(crate) async fn has_verdict(&self) -> Result<bool> {
        Ok(self.count("[data-testid='kg-verdict']").await? == 1)
    }

    /// Checks a plan by hand, and waits for words about it.
    pub(crate) async fn check_plan(&self, plan: &str, words: &str) -> Result<()> {
        self.set("kg-plan", plan).await?;
        self.click("kg-check").await?;
        self.until_text("[data-testid='kg-checked']", words).await
    }

    /// How many claims of the answer are true, and how many false.
    pub(crate) async fn claims(&self) -> Result<(usize, usize)> {
        let of = |kind: &str| format!("[data-testid='kg-answer'] .claim.{kind}");
        Ok((self.count(&of("true")).await?, self.count(&of("false")).await?))
    }

    /// Waits until the answer has a false claim, and the list of errors its kind.
    pub(crate) async fn marks_as_false(&self, claim: &str, kind: &str) -> Result<()> {
        self.until_text("[data-testid='kg-answer'] .claim.false", claim).await?;
        self.until_text("[data-testid='kg-errors']", kind).await
    }

    /// Shows on the drawing what was reached, to the last step.
    pub(crate) async fn show_reached(&self) -> Result<()> {
        self.click("kg-reached").await?;
        self.seek_end().await
    }

    /// Moves the player to its start, where nothing is drawn.
    pub(crate) async fn to_the_start(&self) -> Result<()> {
        self.press("[aria-label='To the start']").await?;
        self.until_gone(".kg-page svg.graph .node").await
    }

    /// Shows the types, and waits until `n` are drawn.
    pub(crate) async fn show_schema(&self, n: usize) -> Result<()> {
        self.click("kg-schema").await?;
        self.until_count(".kg-page svg.graph .node", n).await
    }

    /// Replies to a model that asked back.
    pub(crate) async fn reply(&self, words: &str) -> Result<()> {
        self.type_into("reply", words).await?;
        self.click("send-reply").await?;
        self.until_text("[data-testid='kg-exchange']", &format!("You replied: {words}")).await
    }

    /// Has the endpoint in use judge answers.
    pub(crate) async fn judge_by_endpoint(&self) -> Result<()> {
        self.choose("kg-judge", "@").await
    }

    /// Waits until the threshold is this, by whom.
    pub(crate) async fn threshold_is(&self, value: &str, by: &str) -> Result<()> {
        self.until_value("kg-theta", value).await?;
        self.until_text("[data-testid='kg-theta-own']", by).await
    }

    /// Sets the threshold; nothing resets it to the measure's own.
    pub(crate) async fn set_threshold(&self, value: Option<&str>) -> Result<()> {
        match value {
            Some(value) => self.set("kg-theta", value).await,
            None => self.click("kg-theta-reset").await,
        }
    }

    /// Types a store's address and key, and opens it.
    pub(crate) async fn open_store(&self, url: &str, key: &str) -> Result<()> {
        if self.count("[data-testid='kg-store'][open]").await? == 0 {
            self.press("[data-testid='kg-store'] summary").await?;
        }
        self.type_into("store-url", url).await?;
        if !key.is_empty() {
            self.type_into("store-key", key).await?;
        }
        self.click("store-open").await
    }

    /// What every field of the page has in it.
    pub(crate) async fn fields(&self) -> Result<String> {
        self.given("[...document.querySelectorAll('input')].map(i => i.value).join()").await
    }

    /// Opens the panel for SPARQL.
    pub(crate) async fn open_sparql(&self) -> Result<()> {
        self.click("kg-sparql").await?;
        self.by_id("sparql-query").await?;
        Ok(())
    }

    /// Asks in SPARQL; without a query, what is in the field. While one is under way, this stops it.
    pub(crate) async fn query(&self, query: Option<&str>) -> Result<()> {
        if let Some(query) = query {
            self.type_into("sparql-query", query).await?;
        }
        self.click("sparql-run").await
    }

    /// Shows more rows, until there are `n`.
    pub(crate) async fn more_rows(&self, n: usize) -> Result<()> {
        self.click("sparql-more").await?;
        self.until_count("[data-testid='sparql-table'] tbody tr", n).await
    }

    /// Saves the answer as `csv` or `tsv`.
    pub(crate) async fn save_rows(&self, form: &str) -> Result<()> {
        self.click(&format!("sparql-{form}")).await
    }

    /// Goes to the place of the fault; gives what is selected there.
    pub(crate) async fn selected_at_fault(&self) -> Result<String> {
        self.click("sparql-place").await?;
        self.given(
            "(() => { const q = document.querySelector('[data-testid=sparql-query]');
                return document.activeElement === q ? q.value.slice(q.selectionStart, q.selectionEnd) : '' })()",
        )
        .await
    }

    /// Waits until a query is under way and can be stopped.
    pub(crate) async fn query_is_under_way(&self) -> Result<()> {
        self.until_text("[data-testid='sparql-run']", "Stop").await?;
        self.until_text(".sparql [role='status']", "Asking…").await
    }

    /// Waits until a question is in the field.
    pub(crate) async fn is_asked(&self, question: &str) -> Result<()> {
        self.until_value("kg-question", question).await
    }
}
