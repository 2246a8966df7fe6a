//! Compare: both answers at once, and every claim marked in the text and on the drawing.

use anyhow::{Result, ensure};

use crate::browser::Browser;

#[tokio::test]
async fn a_false_claim_is_marked_in_the_text_and_on_the_drawing() -> Result<()> {
    let page = Browser::open("#/compare").await?;
    page.click("endpoint").await?;
    page.choose("script", "mistaken/bad-json").await?;
    page.click("use").await?;
    page.click("run-both").await?;
    page.find("[data-testid='side-0'] .card[data-verdict='Wrong']").await?;
    page.find("[data-testid='side-2'] .card[data-verdict='Correct']").await?;
    page.until_text("[data-testid='side-0'] [data-testid='n-claims']", "false").await?;
    page.find("[data-testid='side-0'] mark.claim.false").await?;
    page.until_text("[data-testid='side-0'] [data-testid='false-claims']", "there is no edge")
        .await?;
    page.until_text("[data-testid='side-2'] [data-testid='n-claims']", "all true").await?;
    page.find(".compare-stage .edge.ghost.false").await?;
    page.shoot("compare-both").await?;
    // The right answer alone has nothing false on the drawing.
    page.click("whose-2").await?;
    page.until("no false edge", "return !document.querySelector('.compare-stage .edge.ghost')")
        .await?;
    // One claim alone.
    page.press("[data-testid='side-0'] mark.claim.false").await?;
    page.find(".compare-stage .edge.ghost.false").await?;
    ensure!(page.count("mark.claim.picked").await? == 1);
    page.until_text("[data-testid='side-0']", "tokens not told").await?;
    page.close().await
}
