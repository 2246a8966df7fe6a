//! Ask: a question in anybody's words.

use anyhow::Result;

super::screen! {
    /// The page Ask.
    Ask
    clicks {
        asks "run", undoes "ask-undo", to_traces "to-traces" => ".step-row", corrects "ask-correct",
        lets_it_propose "may-propose", keeps_proposal "keep-proposal" => "@offer-composed",
    }
    presses { takes_an_example ".ask .chip" }
    types { types "ask-question" }
    says {
        needs "@ask-needs-model", agrees "@ask-standing", steps_say ".ask .steps",
        shows_proposal "@found-proposal", shows_example "@ask-example",
    }
    shows { marks_what_is_true "@ask-answer mark.true" }
    loses { proposes_no_more "@found-proposal", offers_no_reply ".reply-form" }
    numbers { draws ".ask .node" }
    holds {
        // Whether words became markup.
        has_bold "return $$('.ask b').some((b) => b.textContent === 'reach')",
    }
    tells { kept_functions "return localStorage.getItem('graphground.composed')" }
    does {
        deletes_katy "$$('.ask .node').find((n) => n.textContent.includes('Katy')).focus();
            document.activeElement.dispatchEvent(
                new KeyboardEvent('keydown', { key: 'Delete', bubbles: true }))",
    }
}

impl Ask<'_> {
    /// Replies to a model that asks back.
    pub(crate) async fn replies(&self, words: &str) -> Result<()> {
        self.until_text(".reply-form", "Reply to the model").await?;
        self.type_into("reply", words).await?;
        self.click("send-reply").await
    }
}
