//! The first page: a problem, both answers, and where to go from there.

use anyhow::Result;

super::screen! {
    /// The first page.
    Home
    presses_its { goes_through "@door-{}" }
    types { writes_about_people "home-people-words" }
    says { asks "@home-question", names_who "@home-who", is_scored "@home-score" }
    clicks { opens_people "home-people-open", asks_about_people "home-people-ask" }
    shows {
        draws_emma "@home-side-1 .canvas .node[aria-label*='Emma']",
        is_wrong_alone "@home-side-0 [data-verdict='Wrong'] & @home-side-0 .canvas .edge.false",
        is_right_with_tools "@home-side-1 [data-verdict='Correct'] & @home-side-1 .canvas .node
            & @home-side-1 .home-calls li",
        waits_for_a_person "@home-ask",
    }
    reads { score "@home-score" }
    shows_its { is_left_for "body[data-page='{}'] main" }
    unfolds { asks_the_model "@home-ask" => "@home-side-1" }
}

impl Home<'_> {
    /// When something was first on the screen, in seconds since the page was asked for.
    pub(crate) async fn seconds_until(&self, what: &str) -> Result<f64> {
        let entry = format!("return performance.getEntriesByName('{what}')[0]");
        self.until(what, &format!("{entry} !== undefined")).await?;
        Ok(self.tells::<f64>(&format!("{entry}.startTime"), &[]).await? / 1000.0)
    }

    /// Waits until both sides have a verdict, and a sentence says what happened.
    pub(crate) async fn has_both_answers(&self) -> Result<()> {
        let both = "return $('@home-side-0 [data-verdict]') && $('@home-side-1 [data-verdict]')
            && $('@home-told').textContent.length > 20";
        self.awaits("both have a verdict, and a sentence says what happened", both).await
    }

    /// The link to somebody's own people with both answers.
    pub(crate) async fn shares_people(&self) -> Result<String> {
        self.click("share").await?;
        let link = self.value("share-link").await?;
        self.does("$('dialog.share').close()", &[]).await?;
        Ok(link)
    }

    /// Asks for another problem, and waits until both have answered it.
    pub(crate) async fn takes_another(&self) -> Result<()> {
        let before = self.content("@home-question").await?;
        self.click("home-another").await?;
        self.until_is("@home-question", "!==", &before).await?;
        self.has_both_answers().await
    }
}
