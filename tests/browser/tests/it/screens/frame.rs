//! A page of somebody else that frames the app, and moves it.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::browser::Browser;

super::screen! {
    /// The example page with a frame.
    Framing
    presses_its { moves "#{}" }
    says { place_says "#place" }
    shows { draws "svg" }
    awaits { has_a_verdict "return $('.card[data-verdict]:not(.busy)') !== null" }
    // What is no message of ours; then the frame is asked where it is.
    does {
        sends_nonsense "for (const m of [null, 7, 'next', {}, { graphground: 1 }, { order: 'next' },
                { graphground: 2, order: 'next' }, { graphground: 1, order: 'goto' },
                { graphground: 1, order: 'goto', step: -1 }, { graphground: 1, order: 'goto', step: '1' }])
            frame.contentWindow.postMessage(m, '*');
            frame.contentWindow.postMessage({ graphground: 1, order: 'tell' }, '*');
            place.textContent = 'asked'",
    }
}

impl Framing<'_> {
    /// Opens the example page around the app.
    pub(crate) async fn open(app: &str) -> Result<Browser> {
        let example =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/embed.html").canonicalize()?;
        let url = format!("file://{}?app={app}", example.display());
        Browser::open_plain(&url, 1280, 900, "light").await
    }

    /// Opens a page around the app, and looks into its frame.
    pub(crate) async fn goes_around(&self, url: &str) -> Result<()> {
        self.client.goto(url).await?;
        self.find("#frame").await?;
        Ok(())
    }

    /// Presses a button of the frame, though it is out of sight, as an outer page may get a person to.
    pub(crate) async fn presses_what_is_hidden(&self, id: &str) -> Result<()> {
        self.by_id(id).await?;
        let press = format!("document.querySelector(\"[data-testid='{id}']\").click()");
        self.run(&press, vec![]).await?;
        Ok(())
    }

    /// Where the page is as one file.
    pub(crate) fn single_file() -> Result<String> {
        let path =
            std::env::var("GRAPHGROUND_SINGLE_FILE").context("run with `cargo xtask test`")?;
        Ok(format!("file://{path}"))
    }

    /// Fails unless the frame has the stage alone: no head, no dialogs, and none of the parts that the
    /// outer page hides.
    pub(crate) async fn frames_the_stage_alone(&self) -> Result<()> {
        self.find("#frame").await?.enter_frame().await?;
        self.find(".stage").await?;
        for gone in [".top", "dialog.endpoint", "dialog.share", "@share"] {
            ensure!(self.count(gone).await? == 0, "{gone} is in the frame");
        }
        for hidden in [".question", ".tools"] {
            ensure!(!self.find(hidden).await?.is_displayed().await?, "{hidden} is not hidden");
        }
        Ok(())
    }
}
