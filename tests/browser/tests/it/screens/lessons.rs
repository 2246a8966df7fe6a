//! Lessons: the list, a lesson with its blocks, and the editor.

use anyhow::{Result, ensure};
use serde_json::json;

super::screen! {
    /// The page Lessons.
    Lessons
    clicks {
        votes "votes", runs "lesson-run", writes "lesson-write", copies "lesson-copy",
        adds_notes "add-notes" => ".editor-preview .teacher",
    }
    fits { look_fits ".look", run_fits ".lesson-run", end_fits ".lesson-nav" }
    presses {
        takes_first "@lesson-list li:first-child a", unfolds_steps "@side-grounded @lesson-steps",
        picks_a_claim "@side-standalone mark.claim",
    }
    presses_its { votes_for "@vote-{}" }
    types { titles "lesson-title", asks_the_class "piece-predict" }
    says {
        is_titled "@lesson h1", lists_as_false "@lesson-claims @false-claims",
        draws ".lesson-figure svg", has_votes "@votes-1", counts_votes ".votes",
        verdict_with_tools_says "@side-grounded .card", findings_say "@findings",
        looks_into "@look-question", likely_words_say "@look-likely", previews ".editor-preview h1",
        previews_drawing ".editor-preview .lesson-figure svg",
        previews_question ".editor-preview .predict", tells_fault "@lesson-fault",
    }
    unfolds {
        reads_notes "@teacher summary" => "@teacher", guesses_0 "@choice-0" => "@because",
        guesses_1 "@choice-1" => "@because", plays_the_chosen_model "@players-own" => "@players-own",
    }
    shows {
        has_a_list "@lesson-list li:nth-child(10)",
        marks_what_is_false "@lesson-claims mark.claim.false & @lesson-claims .edge.ghost.false",
        is_wrong_alone "@side-standalone .card[data-verdict='Wrong'] & @lesson-block .edge.ghost.false",
        is_right_with_tools "@side-grounded .card[data-verdict='Correct']",
        draws_what_was_written "@lesson-block .edge.written",
        finds_the_disaster_out "@lesson-rescue .card[data-verdict='Faults'] & @lesson-rescue .edge.false
            & @lesson-rescue .card[data-verdict='No fault']",
        lists_likely_words "@look-likely li:nth-child(5) & @lesson-look .edge.read",
        is_large ".lessons.large", marks_the_fault ".piece-fields .report.no",
        draws_a_node "@lesson .lesson-figure svg .node",
    }
    counts {
        n_weights ".lesson-figure svg .edge text", n_verdicts ".card", n_runs "@lesson-run",
        n_drawn_lies "@lesson-block .edge.ghost.false",
    }
    reads { likely_words "@look-likely" }
    awaits {
        can_run "return $('@lesson-run') && $$('@lesson-run').every((b) => !b.disabled)",
        has_run "return $$('.lesson-run').every((b) => b.querySelector('.card'))
            && !document.body.textContent.includes('Running…')",
        has_settled "return ($('@lesson-run') || $('@lesson-recorded'))
            && $$('@lesson-run').every((b) => !b.disabled) && window.quiet > 12",
        is_at_its_top "return Math.max(scrollY, $('main').scrollTop) === 0",
    }
    holds {
        // Button, drawing and both answers one under the other, each as wide as the text.
        has_its_order "const whole = box('@lesson-block').width - 2, sides = box('.lesson-sides');
            const drawing = box('@lesson-block .lesson-figure');
            return box('.lesson-act').bottom <= drawing.top + 1 && drawing.bottom <= sides.top + 1
                && drawing.width > whole && sides.width > whole",
    }
    tells {
        list "return $$('@lesson-list a').map((a) => a.getAttribute('href'))",
        down "return Math.max(scrollY, $('main').scrollTop)",
        moved_buttons "return window.moved",
        parts_of_the_screen_on_paper "return ['.teacher', '.lesson-bar', '.votes', '.lesson-run', '.false-claims']
            .filter((css) => $(css)?.checkVisibility())",
        parts_that_paper_lacks "return ['.lesson h1', '.lesson-figure svg', '.lesson-question .question',
            '.choices button'].filter((css) => !$(css)?.checkVisibility({ contentVisibilityAuto: true }))",
        least_width "return Math.min(...$$('.lesson-side').map((s) => s.getBoundingClientRect().width))",
    }
    does {
        runs_every_block "$$('@lesson-run').forEach((b) => b.click())",
        picks_the_last_that_writes "$$('@side-grounded li.writes').at(-1).click()",
        goes_to_its_end "$('.lesson-nav .next').scrollIntoView({ block: 'end' })",
        takes_the_next "$('.lesson-nav .next').click()",
        picks_shortest "$$('.look-words button').find((b) => b.textContent.trim() === 'shortest').click()",
    }
}

/// Notes, frame by frame, each button that can be pressed and moves all the same; counts the frames in
/// which nothing on the page changed.
const WATCH: &str = "window.moved = [];
    window.quiet = 0;
    new MutationObserver(() => { window.quiet = 0; })
        .observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    let first = new WeakMap(), lesson = '';
    const watch = () => {
        const title = document.querySelector('.lesson h1')?.textContent;
        // The next lesson may have the same buttons.
        if (title !== lesson) [first, lesson] = [new WeakMap(), title];
        const down = scrollY + document.querySelector('main').scrollTop;
        for (const b of document.querySelectorAll('[data-testid=lesson-run]')) {
            const top = b.getBoundingClientRect().top + down;
            if (b.disabled) first.delete(b); else if (!first.has(b)) first.set(b, top);
            if (Math.abs(top - (first.get(b) ?? top)) > 1) window.moved.push([first.get(b), top]);
        }
        window.quiet += 1;
        requestAnimationFrame(watch);
    };
    watch();";

impl Lessons<'_> {
    /// Goes to a lesson, by what is in its title.
    pub(crate) async fn opens(&self, name: &str, title: &str) -> Result<()> {
        self.go(&format!("#/lessons?l={name}")).await?;
        self.is_titled(title).await
    }

    /// Fails unless a handout has what a class needs on paper, and no part of the screen.
    pub(crate) async fn prints_a_handout(&self) -> Result<()> {
        self.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await?;
        let printed: Vec<String> = self.parts_of_the_screen_on_paper().await?;
        let lacks: Vec<String> = self.parts_that_paper_lacks().await?;
        ensure!(printed.is_empty() && lacks.is_empty(), "it has {printed:?} and lacks {lacks:?}");
        self.shoot("lesson-handout").await?;
        self.devtools("Emulation.setEmulatedMedia", json!({ "media": "" })).await?;
        self.becomes(1280, 800, "light").await
    }

    /// Runs every block; gives how many there are.
    pub(crate) async fn runs_all(&self) -> Result<usize> {
        self.can_run().await?;
        self.runs_every_block().await?;
        self.has_run().await?;
        self.n_runs().await
    }

    /// Fails unless button, drawing and both answers are one under the other and can be read.
    pub(crate) async fn keeps_its_order(&self) -> Result<()> {
        for width in [360, 1280] {
            self.becomes(width, 800, "light").await?;
            ensure!(self.has_its_order().await?, "the block falls apart at {width}");
            let least: f64 = self.least_width().await?;
            ensure!(least >= 260.0, "an answer is {least} pixels wide at {width}");
        }
        Ok(())
    }

    /// Switches large type on or off.
    pub(crate) async fn becomes_large(&self, large: bool) -> Result<()> {
        if large != (self.count(".lessons.large").await? == 1) {
            self.click("large").await?;
        }
        Ok(())
    }

    /// Continues with the next lesson from the end of this one, and waits until that is at its top.
    pub(crate) async fn continues(&self, title: &str) -> Result<()> {
        // This lesson is brought to its top, too, with the next frame.
        self.promised("await new Promise((go) => requestAnimationFrame(go))", vec![]).await?;
        self.goes_to_its_end().await?;
        let down: f64 = self.down().await?;
        ensure!(down > 200.0, "there is nothing to scroll");
        self.takes_the_next().await?;
        self.is_titled(title).await?;
        self.is_at_its_top().await
    }

    /// Watches from now on whether buttons that can be pressed move.
    pub(crate) async fn watches_the_buttons(&self) -> Result<()> {
        self.does(WATCH, &[]).await
    }
}
