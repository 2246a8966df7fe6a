//! What every page has: the head with the model in use, notices, the palette, the list of keys, large type.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::{Value, json};

super::screen! {
    /// What is around each page.
    Head
    clicks { uses_what_is_typed "use", hides_or_reveals "reveal", reveals_now "reveal-now", ends_large "large" }
    presses {
        cancels "dialog.endpoint footer .quiet", goes_home ".brand" => "body[data-page='home'] main",
    }
    types { types_into_palette "palette" }
    says {
        names_model ".pill", notices ".notice", says "main", is_lost "@lost", offers_to_reveal "@reveal",
        finds_no_endpoint ".report.no",
    }
    shows {
        offers_models "dialog.endpoint[open]", lists_keys "@keys[open]", is_large "body[data-large] main",
    }
    loses { is_small "body[data-large]", hides_no_colours "body[data-hides-colours]" }
    counts { n_lost "@lost" }
    does {
        goes_back "history.back()",
        goes_forward "history.forward()",
        opens_palette "dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))",
    }
    awaits {
        is_at_the_first_stop "return document.activeElement?.className === 'skip'",
        has_skipped_the_head "return document.activeElement?.tagName === 'MAIN'",
    }
    tells {
        // Whether colours that tell right from wrong show: in the text, on the drawing, on its lines.
        colours "const mark = getComputedStyle($('mark.claim.false'));
            const stroke = (css) => getComputedStyle($(css)).stroke;
            return [mark.textDecorationLine !== 'none' || mark.backgroundColor !== 'rgba(0, 0, 0, 0)',
                getComputedStyle($('.edge.ghost.false')).visibility === 'visible',
                stroke('.edge.true .line') !== stroke('.edge:not(.true, .false) .line')]",
        // What a finger presses and is too small for it.
        small_targets "return $$('button, select, summary, .top a')
            .filter(e => e.checkVisibility() && !e.closest('svg, dialog'))
            .filter(e => e.getBoundingClientRect().height < 43.5)
            .map(e => `${e.tagName} ${e.className} ${e.textContent.slice(0, 30)}`)",
        size_of_words "return parseFloat(getComputedStyle($('main')).fontSize)",
    }
}

impl Head<'_> {
    /// Opens the dialog of models if it is not, types an address, and has it tested.
    pub(crate) async fn tests_endpoint(&self, url: &str) -> Result<()> {
        if self.count("dialog.endpoint[open]").await? == 0 {
            self.click("endpoint").await?;
            self.click("use-endpoint").await?;
        }
        self.type_into("base-url", url).await?;
        self.click("test-endpoint").await
    }

    /// Tests an endpoint that is right, then has it answer from now on.
    pub(crate) async fn uses_tested(&self, url: &str, model: &str) -> Result<()> {
        self.tests_endpoint(url).await?;
        self.until_text(".report", "It answers, and has").await?;
        self.type_into("model", model).await?;
        self.click("use").await?;
        self.names_model(model).await
    }

    /// Loads the page again, as it is.
    pub(crate) async fn reloads(&self) -> Result<()> {
        self.client.refresh().await?;
        self.find("main").await?;
        Ok(())
    }

    /// Goes to an address of which nothing is expected.
    pub(crate) async fn follows(&self, hash: &str) -> Result<()> {
        self.does("location.hash = arguments[0]", &[json!(hash)]).await
    }

    /// Waits until the address is this, and nothing else.
    pub(crate) async fn address_is(&self, hash: &str) -> Result<()> {
        let script = format!("return location.hash === {}", json!(hash));
        self.until(&format!("the address is {hash}"), &script).await
    }

    /// Waits until the tab's title begins so.
    pub(crate) async fn is_titled(&self, title: &str) -> Result<()> {
        let script = format!("return document.title.startsWith({})", json!(title));
        self.until(&format!("the tab is titled {title}"), &script).await
    }

    /// Presses Tab on a fresh page: the first stop leads past the head.
    pub(crate) async fn skips_the_head(&self) -> Result<()> {
        self.blur().await?;
        self.find("body").await?.send_keys(&char::from(Key::Tab).to_string()).await?;
        self.is_at_the_first_stop().await?;
        self.key(Key::Enter).await?;
        self.has_skipped_the_head().await
    }

    /// Opens the palette, types into it, and takes the first line once one has some words.
    pub(crate) async fn takes_from_palette(&self, typed: &str, words: &str) -> Result<()> {
        self.opens_palette().await?;
        self.types_into_palette(typed).await?;
        self.until_text("dialog.palette li", words).await?;
        self.press("dialog.palette li").await
    }

    /// Presses Escape, which closes whatever is open.
    pub(crate) async fn escapes(&self) -> Result<()> {
        self.key(Key::Escape).await?;
        self.until_gone("dialog[open]").await
    }

    /// Asks for the list of keys.
    pub(crate) async fn asks_for_keys(&self) -> Result<()> {
        self.blur().await?;
        self.keys("?").await?;
        self.lists_keys().await
    }

    /// Switches to large type, which is larger and fits, and to the whole screen and back.
    pub(crate) async fn presents(&self, name: &str) -> Result<()> {
        if self.count("details.present[open]").await? == 0 {
            self.click("present").await?;
        }
        let before: f64 = self.size_of_words().await?;
        self.click("large").await?;
        self.is_large().await?;
        let larger: f64 = self.size_of_words().await?;
        ensure!(larger > before * 1.3, "{name} is no larger");
        let wide = self.sideways().await?;
        ensure!(wide <= 0.0, "{name} scrolls sideways by {wide} where it is large");
        self.click("full-screen").await?;
        self.until("it fills the screen", "return document.fullscreenElement !== null").await?;
        self.shoot(&format!("large-{name}")).await?;
        self.click("full-screen").await?;
        self.until("it does no longer", "return document.fullscreenElement === null").await
    }

    /// Fails unless the model in use can be read in the head of a wide window.
    pub(crate) async fn shows_the_model_whole(&self, path: &str) -> Result<()> {
        let pill = "const words = $('.pill .words');
            return [box('.pill').width > 180 && box('.pill').right <= 1280
                    && words.scrollWidth <= words.clientWidth,
                $('.pill').title === words.textContent, getComputedStyle(words).textOverflow]";
        let pill: Value = self.tells(pill, &[]).await?;
        ensure!(pill == json!([true, true, "ellipsis"]), "{path}: {pill}");
        Ok(())
    }

    /// Fails unless the head of a phone is low: brand and model in one row, the pages in another.
    pub(crate) async fn is_low(&self, path: &str) -> Result<()> {
        let head = "const middle = (css) => box(css).top + box(css).height / 2;
            return [box('.top').height, Math.abs(middle('.brand') - middle('.pill')),
                box('.top .ways').height, box('.pill').right]";
        let head: [f64; 4] = self.tells(head, &[]).await?;
        ensure!(head[0] <= 110.0, "{path}: the head is {} high", head[0]);
        ensure!(head[1] < 4.0, "{path}: brand and model are in two rows");
        ensure!(head[2] < 50.0, "{path}: the pages are in two rows");
        ensure!(head[3] <= 360.0, "{path}: the model is cut off");
        Ok(())
    }

    /// Fails where something that a finger presses is too small for it.
    pub(crate) async fn has_large_targets(&self, path: &str) -> Result<()> {
        let small: Vec<String> = self.small_targets().await?;
        ensure!(small.is_empty(), "{path}: too small for a finger: {small:?}");
        let wide = self.sideways().await?;
        ensure!(wide <= 0.0, "{path} scrolls sideways by {wide}");
        self.shoot(&format!("touch-{path}")).await
    }
}
