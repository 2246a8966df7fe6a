//! What people do on every page: they go to another one, type, choose files, save, press keys.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Browser;

/// Widths and heights at which every page is looked at.
pub(crate) const WINDOWS: [(u32, u32); 3] = [(360, 740), (768, 1024), (1280, 800)];

/// A script that shortens waits of `ms` milliseconds or more.
pub(crate) fn cut_waits_of(ms: u32) -> String {
    format!(
        "window.usualWait = window.setTimeout.bind(window);
         window.setTimeout = (call, ms, ...more) => usualWait(call, ms < {ms} ? ms : 300, ...more);"
    )
}

/// A selector in which `@id` is short for what has a test id.
pub(super) fn css(short: &str) -> String {
    let mut parts = short.split('@');
    let mut css = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_of_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let (id, rest) = part.split_at(part.find(|c| !is_of_id(c)).unwrap_or(part.len()));
        css += &format!("[data-testid='{id}']{rest}");
    }
    css
}

/// What scripts of screens have: `$` is one element, `$$` are all, `box` is where one is.
const SHORT: &str = "const css = (s) => s.replace(/@([\\w-]+)/g, \"[data-testid='$1']\"),
    $ = (s) => document.querySelector(css(s)), $$ = (s) => [...document.querySelectorAll(css(s))],
    box = (s) => $(s).getBoundingClientRect();";

impl Browser {
    /// Goes to a page of the app, such as `#/solve?seed=3`, as a link does.
    pub(crate) async fn go(&self, hash: &str) -> Result<()> {
        self.run("location.hash = arguments[0]", vec![json!(hash)]).await?;
        let path = hash.trim_start_matches("#/").split('?').next().unwrap_or_default();
        let path = if path.is_empty() { "home" } else { path };
        self.find(&format!("body[data-page='{path}'] main")).await?;
        Ok(())
    }

    /// Loads a page of the app again, after which nothing of the old one is in memory.
    pub(crate) async fn load(&self, hash: &str) -> Result<()> {
        self.client.goto(&format!("{}{hash}", super::base()?)).await?;
        self.client.refresh().await?;
        self.find("main").await?;
        Ok(())
    }

    /// The address from `#` on.
    pub(crate) async fn address(&self) -> Result<String> {
        self.given("location.hash").await
    }

    /// Waits until the address has a piece.
    pub(crate) async fn has_address(&self, piece: &str) -> Result<()> {
        let script = format!("return location.hash.includes({})", json!(piece));
        self.until(&format!("the address has {piece}"), &script).await
    }

    /// Waits until the page has a notice with some words.
    pub(crate) async fn has_notice(&self, words: &str) -> Result<()> {
        self.until_text(".notice", words).await
    }

    /// Waits until the page has no notice.
    pub(crate) async fn has_no_notice(&self) -> Result<()> {
        self.until_gone(".notice").await
    }

    /// Waits until the page has some words.
    pub(crate) async fn says(&self, words: &str) -> Result<()> {
        self.until_text("main", words).await
    }

    /// The text that an expression gives.
    pub(crate) async fn given(&self, expression: &str) -> Result<String> {
        let value = self.run(&format!("return {expression}"), vec![]).await?;
        Ok(value.as_str().with_context(|| format!("{expression} is {value}"))?.to_owned())
    }

    /// The whole text of what a selector finds, what is out of sight included.
    pub(crate) async fn content(&self, css: &str) -> Result<String> {
        self.find(css).await?;
        self.tells("return $(arguments[0]).textContent", &[json!(css)]).await
    }

    /// What a field has in it, by its test id.
    pub(crate) async fn value(&self, id: &str) -> Result<String> {
        self.by_id(id).await?;
        self.given(&format!("document.querySelector(`[data-testid='{id}']`).value")).await
    }

    /// Waits until a field has a value in it.
    pub(crate) async fn until_value(&self, id: &str, value: &str) -> Result<()> {
        let script = format!(
            "return document.querySelector(`[data-testid='{id}']`)?.value === {}",
            json!(value)
        );
        self.until(&format!("{id} has {value:?}"), &script).await
    }

    /// Puts a value into a field at once, and leaves it: for long texts, and fields that count.
    pub(crate) async fn set(&self, id: &str, value: &str) -> Result<()> {
        self.set_at(&format!("[data-testid='{id}']"), value).await
    }

    /// The same for what a selector finds.
    pub(crate) async fn set_at(&self, css: &str, value: &str) -> Result<()> {
        self.find(css).await?;
        let script = "const field = document.querySelector(arguments[0]);
            field.focus();
            field.value = arguments[1];
            for (const kind of ['input', 'change'])
                field.dispatchEvent(new Event(kind, { bubbles: true }));";
        self.run(script, vec![json!(css), json!(value)]).await?;
        Ok(())
    }

    /// Opens everything that is folded within what a selector finds.
    pub(crate) async fn unfold(&self, css: &str) -> Result<()> {
        self.find(css).await?;
        let script = "for (const within of document.querySelectorAll(arguments[0]))
            for (const fold of within.querySelectorAll('details')) fold.open = true";
        self.run(script, vec![json!(css)]).await?;
        Ok(())
    }

    /// Chooses files in a field, by its test id.
    pub(crate) async fn give(&self, id: &str, paths: &[impl AsRef<Path>]) -> Result<()> {
        self.by_id(id).await?;
        let all: Vec<_> = paths.iter().map(|path| path.as_ref().to_string_lossy()).collect();
        // A field for files may be out of sight, behind its button.
        let field = self.client.find(Locator::Css(&format!("[data-testid='{id}']"))).await?;
        Ok(field.send_keys(&all.join("\n")).await?)
    }

    /// Drops a file on the page.
    pub(crate) async fn drop_file(&self, name: &str, text: &str) -> Result<()> {
        let script = "const t = new DataTransfer();
            t.items.add(new File([arguments[1]], arguments[0]));
            const drop = new DragEvent('drop', { dataTransfer: t, bubbles: true });
            document.querySelector('main').dispatchEvent(drop)";
        self.run(script, vec![json!(name), json!(text)]).await?;
        Ok(())
    }

    /// Keeps from now on the text of every file that the page saves, for [`Self::saved`]. Once a page.
    pub(crate) async fn keep_saved(&self) -> Result<()> {
        let script = "window.saved = [];
            const make = URL.createObjectURL;
            URL.createObjectURL = (b) => {
                if (!/javascript/.test(b.type)) b.text().then((t) => window.saved.push(t));
                return make(b);
            }";
        self.run(script, vec![]).await?;
        Ok(())
    }

    /// The texts that were saved since they were asked for last, once there are `n`.
    pub(crate) async fn saved(&self, n: usize) -> Result<Vec<String>> {
        self.until(&format!("{n} files are saved"), &format!("return saved.length >= {n}")).await?;
        Ok(serde_json::from_value(self.run("return saved.splice(0)", vec![]).await?)?)
    }

    /// Presses a key, wherever the focus is.
    pub(crate) async fn key(&self, key: Key) -> Result<()> {
        self.keys(&char::from(key).to_string()).await
    }

    /// Types, wherever the focus is.
    pub(crate) async fn keys(&self, keys: &str) -> Result<()> {
        Ok(self.client.active_element().await?.send_keys(keys).await?)
    }

    /// Takes the focus from whatever has it.
    pub(crate) async fn blur(&self) -> Result<()> {
        self.run("document.activeElement?.blur()", vec![]).await?;
        Ok(())
    }

    /// Waits until a selector finds nothing.
    pub(crate) async fn until_gone(&self, css: &str) -> Result<()> {
        self.awaits(&format!("{css} is gone"), &format!("return !$({})", json!(css))).await
    }

    /// Waits until a selector finds `n`.
    pub(crate) async fn until_count(&self, css: &str, n: usize) -> Result<()> {
        let script = format!("return $$({}).length === {n}", json!(css));
        self.awaits(&format!("there are {n} {css}"), &script).await
    }

    /// Brings what a selector finds into sight.
    pub(crate) async fn show(&self, css: &str) -> Result<()> {
        self.find(css).await?;
        self.does("$(arguments[0]).scrollIntoView()", &[json!(css)]).await
    }

    /// Runs from now on ask a server: its address and a model are typed into the dialog of the head.
    pub(crate) async fn use_endpoint(&self, url: &str, model: &str) -> Result<()> {
        self.type_endpoint(url, model, "").await?;
        self.click("use").await?;
        self.until_text(".pill", model).await
    }

    /// The same with a key.
    pub(crate) async fn use_endpoint_with(&self, url: &str, model: &str, key: &str) -> Result<()> {
        self.type_endpoint(url, model, key).await?;
        self.click("use").await?;
        self.until_text(".pill", model).await
    }

    /// Opens the dialog of the head, and types an endpoint into it.
    pub(crate) async fn type_endpoint(&self, url: &str, model: &str, key: &str) -> Result<()> {
        self.click("endpoint").await?;
        self.click("use-endpoint").await?;
        self.type_into("base-url", url).await?;
        if !key.is_empty() {
            self.type_into("key", key).await?;
        }
        self.type_into("model", model).await
    }

    /// The link in the dialog of Share, from `#` on.
    pub(crate) async fn shared(&self) -> Result<String> {
        self.click("share").await?;
        self.by_id("share-link").await?;
        self.until(
            "there is a link",
            "return !!document.querySelector('[data-testid=share-link]').value",
        )
        .await?;
        let link = self.value("share-link").await?;
        self.run("document.querySelector('dialog.share').close()", vec![]).await?;
        let (_, hash) = link.split_once('#').with_context(|| format!("no fragment: {link}"))?;
        Ok(format!("#{hash}"))
    }

    /// Fails where the page scrolls sideways in a window of any usual size, light or dark; takes pictures
    /// of all. What a selector finds is brought into sight first.
    pub(crate) async fn fits(&self, name: &str, in_sight: Option<&str>) -> Result<()> {
        for (width, height) in WINDOWS {
            for scheme in ["dark", "light"] {
                self.becomes(width, height, scheme).await?;
                if let Some(css) = in_sight {
                    self.show(css).await?;
                }
                self.shoot(&format!("{name}-{width}-{scheme}")).await?;
                let wide = self.sideways().await?;
                ensure!(wide <= 0.0, "{name} at {width} scrolls sideways by {wide}");
            }
        }
        Ok(())
    }

    /// The ids of the runs that the browser keeps.
    pub(crate) async fn kept_runs(&self) -> Result<Vec<Value>> {
        let read = "return new Promise(done => { const r = indexedDB.open('graphground');
            r.onsuccess = () => { const q = r.result.transaction('run_summaries')
                .objectStore('run_summaries').getAllKeys();
                q.onsuccess = () => { r.result.close(); done(q.result); } } })";
        Ok(serde_json::from_value(self.promised(read, vec![]).await?)?)
    }

    /// Everything of the page in which a secret could lie: its address, its markup, both
    /// storages, every store of the database, and what `posted` holds of messages to workers.
    pub(crate) async fn everywhere(&self) -> Result<Vec<String>> {
        let script = "const found = [location.href, document.documentElement.outerHTML,
                JSON.stringify(localStorage), JSON.stringify(sessionStorage), ...(window.posted ?? [])];
            const open = indexedDB.open('graphground');
            const db = await new Promise((done) => { open.onsuccess = () => done(open.result); });
            for (const name of db.objectStoreNames) {
                const all = db.transaction(name).objectStore(name).getAll();
                await new Promise((done) => { all.onsuccess = done; });
                found.push(JSON.stringify(all.result));
            }
            db.close();
            return found";
        Ok(serde_json::from_value(self.promised(script, vec![]).await?)?)
    }

    /// Loads the page again that is open, after which nothing of the old one is in memory.
    pub(crate) async fn reload(&self) -> Result<()> {
        self.client.refresh().await?;
        self.find("main").await?;
        Ok(())
    }

    /// Opens a link as somebody else, whose browser keeps nothing of this one's.
    pub(crate) async fn opens_elsewhere(&self, hash: &str) -> Result<()> {
        self.client.goto("about:blank").await?;
        let all = json!({ "origin": "*", "storageTypes": "all" });
        self.devtools("Storage.clearDataForOrigin", all).await?;
        self.client.goto(&format!("{}{hash}", super::base()?)).await?;
        self.find("main").await?;
        Ok(())
    }

    /// Loads a page at a whole address.
    pub(crate) async fn load_at(&self, url: &str) -> Result<()> {
        self.client.goto(url).await?;
        self.find("main").await?;
        Ok(())
    }

    /// Whether the page runs its scripts, from when it is loaded next.
    pub(crate) async fn lets_scripts_run(&self, is_on: bool) -> Result<()> {
        self.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": !is_on })).await
    }

    /// Shortens waits of `ms` milliseconds or more from now on: what a page does after a long silence
    /// is seen without sitting it out.
    pub(crate) async fn cuts_waits_of(&self, ms: u32) -> Result<()> {
        self.run(&cut_waits_of(ms), vec![]).await?;
        Ok(())
    }

    /// Waits as long as the page wants again.
    pub(crate) async fn waits_as_usual(&self) -> Result<()> {
        self.run("window.setTimeout = window.usualWait", vec![]).await?;
        Ok(())
    }

    /// The words of the page that are in sight.
    pub(crate) async fn shown_words(&self) -> Result<String> {
        self.text("main").await
    }

    /// What a page from a disk asked for over a network since this was asked last.
    pub(crate) async fn asked(&self) -> Result<Vec<String>> {
        let is_own =
            |url: &String| ["file:", "data:", "blob:"].iter().any(|scheme| url.starts_with(scheme));
        let mut found = self.requests().await?;
        ensure!(found.iter().any(|url| url.starts_with("file:")), "the page itself was not noted");
        let entries = "return performance.getEntriesByType('resource').map((e) => e.name)";
        let entries: Vec<String> = serde_json::from_value(self.run(entries, vec![]).await?)?;
        found.extend(entries);
        found.retain(|url| !is_own(url));
        Ok(found)
    }

    /// Fails if a page from a disk asked anybody for anything, or was refused something.
    pub(crate) async fn asks_nobody(&self) -> Result<()> {
        let asked = self.asked().await?;
        ensure!(asked.is_empty(), "the page asked for {asked:?}");
        self.no_complaints().await
    }

    /// Whether nothing that a page was given has set `bad`.
    pub(crate) async fn is_unharmed(&self) -> Result<bool> {
        Ok(self.run("return window.bad === undefined", vec![]).await? == json!(true))
    }

    /// Where the page comes from, as servers see it.
    pub(crate) async fn origin(&self) -> Result<String> {
        self.given("location.origin").await
    }

    /// Waits until everything is there whose selectors are between `&`.
    pub(crate) async fn shows_all(&self, all: &str) -> Result<()> {
        for css in all.split(" & ") {
            self.find(css).await?;
        }
        Ok(())
    }

    /// Waits until there is a text which is (`===`), or is not (`!==`), a given one.
    pub(crate) async fn until_is(&self, css: &str, how: &str, text: &str) -> Result<()> {
        let (what, css) = (format!("the text of {css} {how} {text:?}"), json!(css));
        let script =
            format!("const now = $({css})?.textContent; return !!now && now {how} {}", json!(text));
        self.awaits(&what, &script).await
    }

    /// What a script of a screen gives.
    pub(crate) async fn tells<T: DeserializeOwned>(&self, script: &str, of: &[Value]) -> Result<T> {
        let gave = self.run(&format!("{SHORT}\n{script}"), of.to_vec()).await?;
        let said = gave.to_string();
        serde_json::from_value(gave).with_context(|| format!("{script} gives {said}"))
    }

    /// Does what a script of a screen does.
    pub(crate) async fn does(&self, script: &str, with: &[Value]) -> Result<()> {
        self.run(&format!("{SHORT}\n{script}"), with.to_vec()).await?;
        Ok(())
    }

    /// Waits until a script of a screen gives true.
    pub(crate) async fn awaits(&self, what: &str, script: &str) -> Result<()> {
        self.until(what, &format!("{SHORT}\n{script}")).await
    }
}
