//! Recorded answers and problems of a day: Catch the lie, the gallery, Be the model.

use anyhow::{Result, ensure};
use serde_json::json;

super::screen! {
    /// Catch the lie.
    Lie
    clicks {
        asks_with_tools "with-tools", next "lie-next", plays_again "lie-again", reveals "lie-reveal",
        is_for_a_class "lie-class" => "@lie-hands",
    }
    presses { presses_a_claim "@lie-text mark.lie-piece" }
    presses_its { raises "@lie-hand-{}" }
    says {
        names_who "@lie-who", is_at ".lie-who", is_scored "@lie-score h2", counts "@lie-hands",
        hands_are "@lie-hands-A",
    }
    has { has_answer "@lie-told" }
    shows { is_answered "@lie-told" }
    reads { answer "@lie-text:has(mark.lie-piece)", question ".lie-whole" }
    counts {
        n_drawn_false ".lie-stage .edge.false", n_truths ".lie-votes .truth",
        n_squares_played "@lie-squares li:not(.open)",
    }
    tells { display_of_a_claim "return getComputedStyle($('@lie-text mark.lie-piece')).display" }
    unfolds { copies "@copy-result" => "@copy-result" }
    values { line "result-line" }
}

super::screen! {
    /// The gallery of hallucinations.
    Gallery
    clicks { asks_with_tools "with-tools", leaves_the_log "gallery-back" }
    presses { unfolds_first "@gallery-card summary", unfolds_source ".gallery-source summary" }
    chooses { filters_error "gallery-error" }
    gives { opens_log "gallery-file" }
    says {
        source_says "@gallery-source", card_says "@gallery-card", could_not_read "@gallery-unread",
        answer_says "@gallery-card .claimed",
    }
    shows {
        draws_what_is_false "@gallery-card .edge.false",
        marks_what_is_false "@gallery-card mark.claim.false",
    }
    counts { n_cards "@gallery-card", n_pictures_in_texts "@gallery-card img" }
    tells { first_task "return $('@gallery-task').options[1].value" }
    awaits {
        has_invented_edges_alone "return $('@gallery-card') && $$('@gallery-card').every((card) =>
            [...card.querySelectorAll('.gallery-kind')].some((k) => k.textContent === 'Invented edge'))",
    }
}

super::screen! {
    /// The problem of a day.
    Daily
    values { line "result-line" }
    clicks {
        starts "daily-start", takes_edges "tray-add_edges" => "@seat textarea",
        asks_for_a_cycle "tray-has_cycle",
    }
    presses {
        goes_to_the_day_before ".daily-day a", clears ".tray p button",
        submits "@seat .schema-form button",
    }
    says {
        is_of "@daily-day", asks "@daily-question", names_the_script "@daily-script",
        counts_calls "@daily-count", result_says "@daily-told", takes_with_the_next "@daily-clicked",
    }
    differs { asks_other_than "@daily-question" }
    shows { has_right_answer ".card[data-verdict='Correct']" }
    numbers { draws "svg.graph .node" }
    reads { question "@daily-question" }
}

impl Lie<'_> {
    /// Picks the first claim, and says whether that was false, as the page says it. Whichever was picked,
    /// the lie is red.
    pub(crate) async fn picks_first(&self, with_key: bool) -> Result<bool> {
        const FIRST: &str = "@lie-text mark.lie-piece";
        match with_key {
            true => self.find(FIRST).await?.send_keys("\u{e007}").await?,
            false => self.press(FIRST).await?,
        }
        let words = self.text("@lie-told").await?;
        let is_caught = self.count("@lie-text mark.lie-piece.picked.false").await? == 1;
        let beginning = if is_caught { "Caught: " } else { "That one is true: " };
        ensure!(words.starts_with(beginning), "{words}");
        ensure!(self.count("mark.lie-piece.false").await? > 0, "{words}");
        Ok(is_caught)
    }
}

impl Lie<'_> {
    /// Looks at each claim of an answer that is over: what is true draws nothing red, and what is false
    /// and about an edge does.
    pub(crate) async fn shows_each_claim_alone(&self) -> Result<()> {
        self.press("@lie-text mark.lie-piece.true").await?;
        self.until_count(".lie-stage .edge.false", 0).await?;
        self.press("@lie-text mark.lie-piece.false").await?;
        self.find("@lie-text mark.lie-piece.false.looked-at").await?;
        Ok(())
    }
}

impl Gallery<'_> {
    /// Shows answers to a task alone, and waits until every card is of it.
    pub(crate) async fn filters_task(&self, task: &str, title: &str) -> Result<()> {
        self.choose("gallery-task", task).await?;
        let all = format!(
            "const all = $$('@gallery-card h2').map((h) => h.textContent);
             return all.length > 0 && all.every((title) => title === {})",
            json!(title)
        );
        self.awaits("every card is of that task", &all).await
    }
}

impl Daily<'_> {
    /// Clicks two nodes on the drawing.
    pub(crate) async fn clicks_two(&self) -> Result<()> {
        self.press("svg.graph .node:nth-child(1) .body").await?;
        self.press("svg.graph .node:nth-child(2) .body").await
    }

    /// Answers, in the model's place.
    pub(crate) async fn answers(&self, answer: &str) -> Result<()> {
        self.type_into("seat-answer", answer).await?;
        self.press("@seat form:last-child button").await
    }
}
