//! The player of a run's steps: its count, its caption, the keys that move it, and its drawing.

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use serde_json::json;

super::screen! {
    /// The player of the page that is shown.
    Player
    clicks { skips "skip" }
    says { caption_says "@caption", announces "@announced", plays ".card.playing" }
    shows {
        has_paused "@play[aria-label='Play']", has_begun "@play[aria-label='Pause']",
        has_a_drawing "svg",
    }
    awaits {
        has_played "const [at, n] = $('@count')?.textContent.split(' of ') ?? [];
            return n && n !== '0' && at === n",
        is_one_before_its_end "const [at, n] = $('@count').textContent.split(' of ');
            return n - at === 1",
        // The step that is shown is in sight, down a long list.
        follows_what_plays "const now = box('.steps .now'), right = box('.right');
            return $('.right').scrollTop > 50 && now.top < right.bottom - 20 && now.bottom > right.top",
        has_fingers "return matchMedia('(pointer: coarse)').matches",
        has_a_bar_at_the_bottom "const bar = box('@run-bar');
            return $('@run-bar').checkVisibility()
                && bar.bottom <= innerHeight + 1 && bar.top > innerHeight - 90",
    }
    holds {
        has_its_verdict_in_sight "const card = box('.card[data-verdict]');
            return card.top >= 0 && card.bottom <= innerHeight",
        has_a_bar "return $('@run-bar').checkVisibility()",
    }
    tells {
        politeness "return $('@announced').ariaLive",
        display_of_the_last_step "return getComputedStyle($('.steps li:last-child')).display",
        early_verdicts "return window.early",
        // Where stage, drawing and its node 0 are on the page.
        place_of_the_drawing "const stage = box('.stage'), canvas = box('@canvas');
            const node = $$('.node').find(n => n.textContent.trim().startsWith('0'))
                .querySelector('.body').getBoundingClientRect();
            return [stage.top + scrollY, canvas.top + scrollY, canvas.height,
                node.left, node.top + scrollY].map(Math.round)",
        // The part of the drawing that is shown: corner and size.
        view "const v = $('svg.graph').viewBox.baseVal; return [v.x, v.y, v.width, v.height]",
        // A place on the drawing at which no node is, and none is near: a browser moves a finger to what it
        // may have meant.
        free_place "const isFree = (x, y) => document.elementFromPoint(
                box('svg.graph').left + x, box('svg.graph').top + y)?.matches('svg.graph');
            const around = [-20, 0, 20];
            for (let y = 30; y < 250; y += 10) for (let x = 30; x < 250; x += 10)
                if (around.every(dx => around.every(dy => isFree(x + dx, y + dy)))) return [x, y]",
        scrolled_and_zoomed "return [scrollY, visualViewport.scale]",
        corner "return [box('svg.graph').left, box('svg.graph').top]",
    }
    does {
        // Notes each moment at which a verdict is shown though the play is not at its end.
        watches_for_early_verdicts "window.early = [];
            const look = () => {
                const count = $('@count')?.textContent;
                const [at, n] = (count ?? '').split(' of ');
                const verdict = $('.card[data-verdict], .evidence');
                if (verdict && count && at !== n) window.early.push(count);
                if (!verdict) requestAnimationFrame(look);
            };
            look()",
        shows_the_drawing "$('.stage').scrollIntoView()",
    }
}

impl Player<'_> {
    /// Waits until the player is behind `step` steps.
    pub(crate) async fn is_at(&self, step: usize) -> Result<()> {
        self.until_text("@count", &format!("{step} of")).await
    }

    /// Goes to the end by its key; gives how many steps there are, two or more.
    pub(crate) async fn goes_to_the_end(&self) -> Result<usize> {
        self.key(Key::End).await?;
        self.has_played().await?;
        let n = self.text("@count").await?.rsplit(' ').next().unwrap_or_default().parse()?;
        ensure!(n >= 2, "there are {n} steps");
        Ok(n)
    }

    /// Goes to the start by its key.
    pub(crate) async fn goes_to_the_start(&self) -> Result<()> {
        self.key(Key::Home).await?;
        self.is_at(0).await
    }

    /// Steps back from the end and on from the start by keys, such as those of all ways to do so.
    pub(crate) async fn steps_by(&self, back: &[&str], on: &[&str]) -> Result<()> {
        self.blur().await?;
        for key in back {
            let n = self.goes_to_the_end().await?;
            self.keys(key).await?;
            self.is_at(n - 1).await?;
        }
        for key in on {
            self.goes_to_the_start().await?;
            self.keys(key).await?;
            self.is_at(1).await?;
        }
        Ok(())
    }

    /// Runs by the bar at the bottom of a phone, where the page's own button is out of sight.
    pub(crate) async fn runs_by_the_bar(&self) -> Result<()> {
        self.shows_all("@bar-run:not(:disabled)").await?;
        self.does("scrollTo(0, document.body.scrollHeight)", &[]).await?;
        self.has_a_bar_at_the_bottom().await?;
        self.click("bar-run").await
    }

    /// Steps back from the end and on by that bar.
    pub(crate) async fn steps_by_the_bar(&self) -> Result<()> {
        self.has_played().await?;
        self.click("bar-back").await?;
        self.is_one_before_its_end().await?;
        self.click("bar-next").await?;
        self.has_played().await
    }

    /// Runs a script on the family that is shown, to its outcome.
    pub(crate) async fn runs_a_family(&self) -> Result<()> {
        self.until_text("@about", "tools to choose from").await?;
        self.click("run").await?;
        self.until_text("@outcome", "Right is").await
    }

    /// Puts fingers on the drawing, each at a place from its corner, moves them and lets all go.
    pub(crate) async fn touches(&self, at: &[(f64, f64)], to: &[Vec<(f64, f64)>]) -> Result<()> {
        // The browser notes what fingers may do on a drawing when it has drawn it.
        let drawn =
            "for (let i = 0; i < 3; i += 1) await new Promise((go) => requestAnimationFrame(go))";
        self.promised(drawn, vec![]).await?;
        let [left, top]: [f64; 2] = self.corner().await?;
        let event = async |kind: &str, places: &[(f64, f64)]| {
            let points: Vec<_> = (0..)
                .zip(places)
                .map(|(id, (x, y))| json!({ "x": left + x, "y": top + y, "id": id }))
                .collect();
            let event = json!({ "type": kind, "touchPoints": points });
            self.devtools("Input.dispatchTouchEvent", event).await
        };
        for n in 1..=at.len() {
            event("touchStart", &at[..n]).await?;
        }
        for places in to {
            event("touchMove", places).await?;
        }
        event("touchEnd", &[]).await
    }
}
