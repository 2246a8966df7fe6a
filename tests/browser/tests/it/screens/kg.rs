//! GraphRunner: questions about a knowledge graph, its plans and baselines, and SPARQL.

use anyhow::Result;
use serde_json::json;

super::screen! {
    /// The page GraphRunner.
    Kg
}

impl Kg<'_> {
    /// Waits for the network and its questions, the first of which comes into the field.
    pub(crate) async fn is_ready(&self) -> Result<()> {
        self.figures_say("nodes").await?;
        self.find("[data-testid='kg-questions']").await?;
        Ok(())
    }

    /// Waits until the line about the open graph has some words.
    pub(crate) async fn figures_say(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='kg-figures']", words).await
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

    /// Chooses files of one's own.
    pub(crate) async fn open_file(&self, path: &std::path::Path) -> Result<()> {
        self.give("kg-files", &[path]).await
    }

    /// Takes the next question of some number of hops.
    pub(crate) async fn next_question(&self, hops: usize) -> Result<String> {
        self.click(&format!("kg-hops-{hops}")).await?;
        self.question().await
    }

    /// What is in the field of the question.
    pub(crate) async fn question(&self) -> Result<String> {
        self.value("kg-question").await
    }

    /// Puts a question into the field.
    pub(crate) async fn ask(&self, words: &str) -> Result<()> {
        self.set("kg-question", words).await
    }

    /// Unfolds the list of questions; gives the one that is marked in it.
    pub(crate) async fn marked_question(&self) -> Result<String> {
        self.press(".kg-questions summary").await?;
        self.content(".kg-questions [aria-current]").await
    }

    /// How many questions are listed.
    pub(crate) async fn n_questions(&self) -> Result<usize> {
        self.count(".kg-questions li button").await
    }

    /// Waits until more than so many questions are listed.
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

    /// Takes the first of the listed questions.
    pub(crate) async fn take_listed_question(&self) -> Result<()> {
        self.press(".kg-questions li li button").await
    }

    /// Waits until the list of questions says something.
    pub(crate) async fn questions_say(&self, words: &str) -> Result<()> {
        self.until_text(".kg-questions", words).await
    }

    /// Chooses the script that plays the model here.
    pub(crate) async fn play(&self, script: &str) -> Result<()> {
        self.choose("kg-script", script).await
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

    /// Waits until the verdict has some words.
    pub(crate) async fn verdict_says(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='kg-verdict']", words).await
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

    /// Waits until the plan is printed, with some words.
    pub(crate) async fn prints(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='kg-printed']", words).await
    }

    /// How many lines the network of the page has, as its field says.
    pub(crate) async fn lines(&self) -> Result<String> {
        self.value("kg-lines").await
    }

    /// Waits until a finding of the verifier says something.
    pub(crate) async fn finding_says(&self, words: &str) -> Result<()> {
        self.until_text(".finding", words).await
    }

    /// How many findings the verifier has.
    pub(crate) async fn n_findings(&self) -> Result<usize> {
        self.count(".finding").await
    }

    /// Checks a plan by hand, and waits for words about it.
    pub(crate) async fn check_plan(&self, plan: &str, words: &str) -> Result<()> {
        self.set("kg-plan", plan).await?;
        self.click("kg-check").await?;
        self.until_text("[data-testid='kg-checked']", words).await
    }

    /// Puts a plan into its field.
    pub(crate) async fn write_plan(&self, plan: &str) -> Result<()> {
        self.set("kg-plan", plan).await
    }

    /// Waits until the answer has some words.
    pub(crate) async fn answer_says(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='kg-answer']", words).await
    }

    /// Waits until what is said about the answer has some words.
    pub(crate) async fn story_says(&self, words: &str) -> Result<()> {
        self.until_text(".kg-answer", words).await
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

    /// Waits until a node that is drawn as false has some words.
    pub(crate) async fn draws_as_false(&self, words: &str) -> Result<()> {
        self.until_text(".kg-page svg.graph .node.false", words).await
    }

    /// How many nodes are drawn.
    pub(crate) async fn n_drawn(&self) -> Result<usize> {
        self.count(".kg-page svg.graph .node").await
    }

    /// Moves the player to its start, where nothing is drawn.
    pub(crate) async fn to_the_start(&self) -> Result<()> {
        self.press("[aria-label='To the start']").await?;
        self.until_gone(".kg-page svg.graph .node").await
    }

    /// Shows the types, and waits until so many are drawn.
    pub(crate) async fn show_schema(&self, n: usize) -> Result<()> {
        self.click("kg-schema").await?;
        self.until_count(".kg-page svg.graph .node", n).await
    }

    /// The results of systems beside each other.
    pub(crate) async fn beside(&self) -> Result<String> {
        self.text("[data-testid='kg-beside']").await
    }

    /// Waits until the steps have something folded under some words.
    pub(crate) async fn steps_fold(&self, words: &str) -> Result<()> {
        self.until_text(".steps details summary", words).await
    }

    /// Opens the run on Traces.
    pub(crate) async fn to_traces(&self) -> Result<()> {
        self.click("kg-to-traces").await
    }

    /// Waits until the faults of a file that was opened have some words.
    pub(crate) async fn faults_say(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='kg-faults']", words).await
    }

    /// Replies to a model that asked back.
    pub(crate) async fn reply(&self, words: &str) -> Result<()> {
        self.type_into("reply", words).await?;
        self.click("send-reply").await?;
        self.until_text("[data-testid='kg-exchange']", &format!("You replied: {words}")).await
    }

    /// Waits until no reply is wanted.
    pub(crate) async fn wants_no_reply(&self) -> Result<()> {
        self.until_gone(".reply-form").await
    }

    /// Waits until the line about questions of a file has some words.
    pub(crate) async fn asked_from(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='kg-asked-from']", words).await
    }

    /// Has the endpoint in use judge answers.
    pub(crate) async fn judge_by_endpoint(&self) -> Result<()> {
        self.choose("kg-judge", "@").await
    }

    /// Waits until the judge has said some words.
    pub(crate) async fn judge_says(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='kg-judged']", words).await
    }

    /// Goes back to the questions that the page made.
    pub(crate) async fn ask_made_questions(&self) -> Result<()> {
        self.click("kg-ask-made").await
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

    /// Waits until the line about an answer in SPARQL has some words.
    pub(crate) async fn rows_say(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='sparql-facts']", words).await
    }

    /// Waits until a cell of the answer has some words.
    pub(crate) async fn cell_says(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='sparql-table'] td", words).await
    }

    /// How many rows of the answer are shown.
    pub(crate) async fn n_rows(&self) -> Result<usize> {
        self.count("[data-testid='sparql-table'] tbody tr").await
    }

    /// Shows more rows, until there are so many.
    pub(crate) async fn more_rows(&self, n: usize) -> Result<()> {
        self.click("sparql-more").await?;
        self.until_count("[data-testid='sparql-table'] tbody tr", n).await
    }

    /// Saves the answer as `csv` or `tsv`.
    pub(crate) async fn save_rows(&self, form: &str) -> Result<()> {
        self.click(&format!("sparql-{form}")).await
    }

    /// Waits until the fault of a query has some words.
    pub(crate) async fn query_fault_says(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='sparql-fault']", words).await
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

    /// Whether something in the panel for SPARQL became markup.
    pub(crate) async fn has_markup_in_sparql(&self) -> Result<bool> {
        Ok(self.count(".sparql img").await? > 0)
    }

    /// Waits until a query is under way and can be stopped.
    pub(crate) async fn query_is_under_way(&self) -> Result<()> {
        self.until_text("[data-testid='sparql-run']", "Stop").await?;
        self.until_text(".sparql [role='status']", "Asking…").await
    }

    /// Waits until the panel says how a query ended.
    pub(crate) async fn query_ended(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='sparql-said']", words).await
    }

    /// Waits until the examples of queries have some words.
    pub(crate) async fn examples_say(&self, words: &str) -> Result<()> {
        self.until_text("[data-testid='sparql-examples']", words).await
    }
}
