//! The whole of a large graph: placed in a worker, drawn on a canvas, searched, coloured, filtered, moved.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// What lets Chromium draw by WebGL where there is no graphics processor.
pub(crate) const SOFTWARE: [&str; 3] =
    ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

/// Keeps from now on what the page saves.
const WATCH: &str = "
    HTMLCanvasElement.prototype.toBlob = function () { window.saved = this.toDataURL(); };
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { window.blob = blob; return make.call(URL, blob); };";

/// Counts the pixels of the drawing that are not empty, and their colours.
const LOOK: &str = "
    const from = document.querySelector('.whole-canvas');
    const c = document.createElement('canvas');
    [c.width, c.height] = [from.width, from.height];
    const plane = c.getContext('2d');
    plane.drawImage(from, 0, 0);
    const all = plane.getImageData(0, 0, c.width, c.height).data;
    let drawn = 0;
    const colours = new Set();
    for (let i = 0; i < all.length; i += 4) {
        if (all[i + 3] > 128) {
            drawn += 1;
            colours.add((all[i] >> 5) + ',' + (all[i + 1] >> 5) + ',' + (all[i + 2] >> 5));
        }
    }
    return [drawn, colours.size]";

super::screen! {
    /// The view of a whole graph, on Solve and GraphRunner.
    Whole
    says { is_drawn_in_part ".part", says_of_itself "@whole-said", picked_says "@whole-picked" }
    sees { picked "@whole-picked h3" }
    shows { is_closed "svg.graph" }
    clicks { toggle "whole-graph", open_on_kg "kg-whole" }
    presses {
        to_a_neighbour "@whole-picked li button", unpick "@whole-picked > button",
        click_the_middle ".whole-canvas", toggle_first_type ".whole-types label:nth-of-type(1) input",
    }
}

impl Whole<'_> {
    /// Waits until all nodes are placed, and gives what is said about it.
    pub(crate) async fn is_placed(&self) -> Result<String> {
        self.until_text("[data-testid='whole-said']", "Placed in").await?;
        self.text("[data-testid='whole-said']").await
    }

    /// Stops while nodes are placed.
    pub(crate) async fn stop(&self) -> Result<()> {
        self.find("[data-testid='whole-stop']").await?;
        self.click("whole-stop").await?;
        self.says_of_itself("Stopped").await
    }

    /// Waits until the canvas is ready to be drawn on.
    async fn is_ready(&self) -> Result<()> {
        let script = "return document.querySelector('.whole-canvas')?.dataset.gpu === 'webgl2'";
        self.until("WebGL draws", script).await
    }

    /// Colours or sizes nodes by a measure, and waits until it is found.
    pub(crate) async fn show_by(&self, what: &str, measure: &str) -> Result<()> {
        self.choose_text(&format!("[data-testid='whole-{what}']"), measure).await?;
        self.until_gone(".whole-doing progress").await
    }

    /// Looks for a node, and takes the first that is found.
    pub(crate) async fn search(&self, words: &str, found: &str) -> Result<()> {
        self.type_into("whole-search", words).await?;
        self.until_text(".whole-found", found).await?;
        self.press(".whole-found button").await
    }

    /// Presses a key on the drawing.
    pub(crate) async fn press_key(&self, key: &str) -> Result<()> {
        let script = "const canvas = document.querySelector('.whole-canvas');
            canvas.focus();
            canvas.dispatchEvent(
                new KeyboardEvent('keydown', { key: arguments[0], bubbles: true, cancelable: true }))";
        self.run(script, vec![json!(key)]).await?;
        Ok(())
    }

    /// Keeps from now on what the view saves.
    pub(crate) async fn keep_pictures(&self) -> Result<()> {
        self.run(WATCH, vec![]).await?;
        Ok(())
    }

    /// Takes the drawing's context away, as a driver that starts again does, and gives it back.
    pub(crate) async fn lose_context(&self) -> Result<()> {
        let lost = "const c = document.querySelector('.whole-canvas');
            const lose = c.getContext('webgl2').getExtension('WEBGL_lose_context');
            const gone = new Promise((go) => c.addEventListener('webglcontextlost', go));
            const back = new Promise((go) => c.addEventListener('webglcontextrestored', go));
            lose.loseContext();
            await gone;
            // A browser gives it back after the event alone.
            await new Promise((go) => setTimeout(go));
            lose.restoreContext();
            await back;";
        self.promised(lost, vec![]).await?;
        Ok(())
    }

    /// Saves the drawing as lines and circles: how many errors, circles, paths and names are in the file,
    /// its length, and its picture.
    pub(crate) async fn saved_svg(&self) -> Result<Value> {
        self.run("window.blob = null", vec![]).await?;
        self.click("whole-svg").await?;
        self.until("it is saved", "return !!window.blob").await?;
        self.says_of_itself("graph.svg: ").await?;
        let script = "
            const text = await window.blob.text();
            const file = new DOMParser().parseFromString(text, 'image/svg+xml');
            const n = (which) => file.querySelectorAll(which).length;
            const image = new Image();
            image.src = URL.createObjectURL(window.blob);
            await image.decode();
            const c = document.createElement('canvas');
            [c.width, c.height] = [image.width, image.height];
            c.getContext('2d').drawImage(image, 0, 0);
            return [n('parsererror'), n('circle'), n('path'), n('text'), text.length, c.toDataURL()];";
        self.promised(script, vec![]).await
    }

    /// The saved picture as an address of data.
    pub(crate) async fn saved_picture(&self) -> Result<Value> {
        self.run("window.saved = null", vec![]).await?;
        self.click("whole-png").await?;
        self.until("a picture is saved", "return !!window.saved").await?;
        self.run("return window.saved", vec![]).await
    }

    /// Of two pictures: the share of their pixels that differ clearly, and for each the pixels that are not
    /// those of its corner.
    pub(crate) async fn differences(&self, pictures: [&Value; 2]) -> Result<(f64, u64, u64)> {
        let script = "
            const pixels = async (url) => {
                const image = new Image();
                image.src = url;
                await image.decode();
                const c = document.createElement('canvas');
                [c.width, c.height] = [image.width, image.height];
                const plane = c.getContext('2d');
                plane.drawImage(image, 0, 0);
                return plane.getImageData(0, 0, c.width, c.height).data;
            };
            const [a, b] = await Promise.all(given.map(pixels));
            if (a.length !== b.length) throw new Error(`${a.length} and ${b.length} bytes`);
            const far = (p, i, q, j) => Math.max(...[0, 1, 2].map((k) => Math.abs(p[i + k] - q[j + k])));
            let [differ, inA, inB] = [0, 0, 0];
            for (let i = 0; i < a.length; i += 4) {
                if (far(a, i, b, i) > 48) differ += 1;
                if (far(a, i, a, 0) > 24) inA += 1;
                if (far(b, i, b, 0) > 24) inB += 1;
            }
            return [differ / (a.length / 4), inA, inB];";
        let [a, b] = pictures;
        let seen = self.promised(script, vec![a.clone(), b.clone()]).await?;
        let count = |i: usize| seen[i].as_u64().context("no number");
        Ok((seen[0].as_f64().context("no share")?, count(1)?, count(2)?))
    }

    /// Pixels that are drawn, and how many colours they have.
    pub(crate) async fn look(&self) -> Result<(u64, u64)> {
        self.is_ready().await?;
        // The frame after the change.
        let frames =
            "await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))";
        self.promised(frames, vec![]).await?;
        let seen = self.run(LOOK, vec![]).await?;
        let number = |i: usize| seen[i].as_u64().context("no number");
        Ok((number(0)?, number(1)?))
    }

    /// Turns the wheel in the middle of the drawing.
    pub(crate) async fn wheel(&self, n: usize) -> Result<()> {
        let script = "const c = document.querySelector('.whole-canvas');
            const a = c.getBoundingClientRect();
            for (let i = 0; i < arguments[0]; i++) {
                c.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, bubbles: true, cancelable: true,
                    clientX: a.left + a.width / 2, clientY: a.top + a.height / 2 }));
            }";
        self.run(script, vec![json!(n)]).await?;
        Ok(())
    }

    /// Frames a second while a hand pans for `n` frames, or for ten seconds where a frame takes long.
    pub(crate) async fn panned(&self, n: usize) -> Result<f64> {
        let script = "
            const n = arguments[0];
            const c = document.querySelector('.whole-canvas');
            const a = c.getBoundingClientRect();
            const at = (kind, i) => c.dispatchEvent(new PointerEvent(kind, { pointerId: 7, bubbles: true,
                pointerType: 'mouse', clientX: a.left + a.width / 2 + i, clientY: a.top + a.height / 2 }));
            c.setPointerCapture = () => {};
            at('pointerdown', 0);
            const began = performance.now();
            let i = 0;
            const step = (done) => {
                at('pointermove', 10 + 3 * ++i);
                // What is drawn is there when a pixel of it can be read.
                const gl = c.getContext('webgl2');
                gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
                const took = performance.now() - began;
                if (i < n && took < 10_000) return requestAnimationFrame(() => step(done));
                at('pointerup', 0);
                done(i / took * 1000);
            };
            return await new Promise((done) => requestAnimationFrame(() => step(done)));";
        self.promised(script, vec![json!(n)]).await?.as_f64().context("no number")
    }
}
