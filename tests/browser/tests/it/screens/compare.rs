//! Compare: one problem with and without tools, and every claim of both answers.

use anyhow::{Result, ensure};
use serde_json::json;
use tasks::TaskId;

super::screen! {
    /// The page Compare, whose sides are 0, without tools, and 2, with them.
    Compare
    clicks {
        shows_with_tools "whose-2", shows_both "whose-1",
        looks_inside "look-inside" => "@look-likely li:nth-child(5)",
    }
    presses {
        picks_what_is_false "@side-0 mark.claim.false" => ".compare-stage .edge.ghost.false",
        skips_with_tools "@side-2 @skip",
    }
    says {
        names_the_script "@demo-note", alone_says "@side-0", is_playing "@side-2 .card.playing",
        claims_alone "@side-0 @n-claims", claims_with_tools "@side-2 @n-claims",
        lists_as_false "@side-0 @false-claims", asks ".compare-question",
    }
    shows {
        draws_what_is_not_there ".compare-stage .edge.ghost.false", draws_the_problem ".compare-stage .node",
        is_wrong_beside_correct "@side-0 .card[data-verdict='Wrong'] & @side-2 .card[data-verdict='Correct']
            & @side-0 mark.claim.false & .compare-stage .edge.false",
    }
    shows_its {
        alone_is "@side-0 .card[data-verdict='{}']", with_tools_is "@side-2 .card[data-verdict='{}']",
    }
    loses { draws_nothing_false ".compare-stage .edge.ghost" }
    counts { n_picked "mark.claim.picked", n_told_with_tools "@side-2 .card[data-verdict]" }
    tells { answers "return $$('.compare-side .claimed').map((c) => c.textContent)" }
}

impl Compare<'_> {
    /// Runs both sides, once there is a question.
    pub(crate) async fn runs_both(&self) -> Result<()> {
        self.awaits("there is a question", "return !!$('.question')?.textContent").await?;
        self.click("run-both").await
    }

    /// Chooses another task.
    pub(crate) async fn choose_task(&self, task: TaskId) -> Result<()> {
        self.choose("task", task.as_str()).await?;
        self.until_text(".compare-question summary", task.title()).await
    }

    /// Both verdicts, once they are there.
    pub(crate) async fn verdicts(&self) -> Result<Vec<String>> {
        self.shows_all("body[data-page='compare'] main").await?;
        self.until_count(".compare-side .card[data-verdict]:not(.busy)", 2).await?;
        let all = "return $$('.compare-side .card[data-verdict]').map((c) => c.dataset.verdict)";
        self.tells(all, &[]).await
    }

    /// Fails where the player leaves its column, in windows of many widths.
    pub(crate) async fn keeps_the_player_in_its_column(&self) -> Result<()> {
        self.find(".compare-stage .player-row").await?;
        for width in [640, 768, 900, 901, 960, 1024, 1100, 1280, 1920] {
            self.becomes(width, 800, "light").await?;
            let over = "return Math.max(...$$('.compare-stage .player-row > *')
                .map((e) => e.getBoundingClientRect().right - box('.compare-stage').right))";
            let over: f64 = self.tells(over, &[]).await?;
            ensure!(over <= 0.0, "at {width} the player is {over} outside");
        }
        self.becomes(1280, 800, "light").await
    }

    /// The link to both answers as it is in the dialog, and the code of a frame that shows it.
    pub(crate) async fn frame_code(&self) -> Result<(String, String)> {
        self.click("share").await?;
        self.click("share-frame").await?;
        let code = self.given("document.querySelector('.share-frame textarea').value").await?;
        self.shoot("share-pair-1280-light").await?;
        let link = self.value("share-link").await?;
        self.does("$('dialog.share').close()", &[]).await?;
        Ok((link, code))
    }

    /// Saves both answers as two pictures and a film, each of which is what it should be.
    pub(crate) async fn saves_pictures_and_a_film(&self) -> Result<()> {
        // The page offers files by links to blobs: they are caught here.
        let catch = "window.blobs = [];
            const make = URL.createObjectURL;
            URL.createObjectURL = b => { window.blobs.push(b); return make(b); }";
        self.does(catch, &[]).await?;
        self.click("share").await?;
        for (n, kind) in [(1, "svg"), (2, "png"), (3, "film")] {
            self.click(&format!("picture-{kind}")).await?;
            self.until(&format!("{kind} is saved"), &format!("return blobs.length === {n}"))
                .await?;
        }
        let seen = "const [svg, png, film] = window.blobs;
            const text = await svg.text();
            const bits = await createImageBitmap(png);
            const head = new Uint8Array(await film.slice(0, 8).arrayBuffer());
            // The first bytes of WebM (EBML), or of MP4.
            const isFilm = head.slice(0, 4).join() === '26,69,223,163'
                || String.fromCharCode(...head.slice(4)) === 'ftyp';
            return [text.startsWith('<svg') && text.includes('Without tools'), bits.width >= 1200,
                film.type.split('/')[0], film.size > 20000, isFilm]";
        let seen = self.promised(seen, vec![]).await?;
        ensure!(seen == json!([true, true, "video", true, true]), "{seen}");
        self.does("$('dialog.share').close()", &[]).await
    }
}
