//! The page as one file, saved by the page itself, with the runs of a benchmark in it or without any.
//!
//! A page that is that file has its text (`xtask/pack/src/one_file/start.js`); a served one fetches the
//! file that lies beside it. The file's bytes stay a blob, of which the new one takes pieces.

use eval::{About, live};
use futures_util::FutureExt as _;
use futures_util::future::LocalBoxFuture;
use js_sys::{Array, Promise, Uint8Array};
use modelfiles::megabytes;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_split_helpers::SplitLoaderError;
use web_sys::{AbortController, Blob, BlobPropertyBag, FileReader, Response};

use super::models::{self, Missing};
use super::{clipboard, files, single_file};

/// What is to be saved.
pub(crate) struct Wanted {
    /// The name of the file, with its ending.
    pub(crate) name: String,
    /// A runs file, with what its report says of itself.
    pub(crate) runs: Option<(About, String)>,
    /// Ends the fetching.
    pub(crate) abort: AbortController,
    /// Is told in words how far it is, with bytes done and bytes in all; 0 where nobody knows.
    pub(crate) on_step: Box<dyn Fn(String, f64, f64)>,
}

/// Whether the page can be saved as one file from here.
pub(crate) async fn can_save() -> bool {
    single_file::is_one_file() || models::is_beside(live::FILE).await
}

/// Where a site cannot make a live page.
pub(crate) const ON_THE_COMMAND_LINE: &str = " A runs file becomes a live page on the command line too: \
    graphground report RUNS.jsonl --html PAGE.html --live.";

/// Why a page was not saved.
pub(crate) enum NotSaved {
    /// A person stopped it.
    Stopped,
    /// It failed; why, in a sentence.
    Failed(String),
}

/// Fetches, fills and offers the file. What does it is in the part of the module that the Bench page
/// loads: a first visit need not.
pub(crate) async fn save(wanted: Wanted) -> Result<(), NotSaved> {
    match save_page(wanted).await {
        Ok(saving) => saving.await,
        Err(_) => Err(NotSaved::Failed(format!(
            "The part of the page that saves it could not be loaded; {}.",
            super::screen::why_not_loaded()
        ))),
    }
}

type Saving = LocalBoxFuture<'static, Result<(), NotSaved>>;

#[wasm_split_helpers::wasm_split(bench, fallible)]
#[allow(unsafe_code)]
fn save_page(wanted: Wanted) -> Result<Saving, SplitLoaderError> {
    Ok(make(wanted).boxed_local())
}

async fn make(wanted: Wanted) -> Result<(), NotSaved> {
    let Wanted { name, runs, abort, on_step } = wanted;
    let failed = |why: String| NotSaved::Failed(why);
    let file = plain_file(runs.is_some(), &abort, &on_step).await?;
    on_step("Writing".into(), 0.0, 0.0);
    let data = match runs {
        Some((about, lines)) => Some(live::data(&about, &packed(&lines).await.map_err(failed)?)),
        None => None,
    };
    let parts = {
        let bytes = models::bytes(&file).await.map_err(failed)?;
        let foreign = |why: String| {
            failed(format!(
                "{} beside this page is another file than the page as one file: {why}.",
                live::FILE
            ))
        };
        let text = String::from_utf8(Uint8Array::new(&bytes).to_vec())
            .map_err(|_| foreign("it is no text".into()))?;
        let splices =
            live::splices(&text, data.as_deref()).map_err(|why| foreign(why.to_string()))?;
        let no_room = |_: JsValue| failed("There is no room for the file in memory.".into());
        let slice = |from: usize, to: usize| file.slice_with_f64_and_f64(from as f64, to as f64);
        let parts = Array::new();
        let mut from = 0;
        for splice in splices {
            parts.push(slice(from, splice.at.start).map_err(no_room)?.as_ref());
            parts.push(&splice.text.into());
            from = splice.at.end;
        }
        parts.push(slice(from, text.len()).map_err(no_room)?.as_ref());
        parts
    };
    let options = BlobPropertyBag::new();
    options.set_type("text/html");
    let whole = Blob::new_with_blob_sequence_and_options(&parts, &options)
        .map_err(|_| failed("There is no room for the file in memory.".into()))?;
    clipboard::save_blob(&name, &whole);
    Ok(())
}

/// The page as one file, with or without data.
async fn plain_file(
    has_runs: bool,
    abort: &AbortController,
    on_step: &dyn Fn(String, f64, f64),
) -> Result<Blob, NotSaved> {
    if let Some(own) = single_file::own_text() {
        return Ok(own);
    }
    let came = models::beside(".", &[live::FILE], abort, |done, total| {
        // Of a file that is packed on the way nobody knows the length.
        let is_known = total > done;
        let of = if is_known { format!(" of {}", megabytes(total)) } else { String::new() };
        let words = format!("Fetching: {}{of}", megabytes(done));
        on_step(words, done, if is_known { total } else { 0.0 });
    })
    .await;
    let files = came.map_err(|missing| match missing {
        Missing::Stopped => NotSaved::Stopped,
        Missing::Absent => NotSaved::Failed(format!(
            "This site does not have the page as one file, {}, beside its page. Whoever keeps the site \
             adds it with cargo xtask dist.{}",
            live::FILE,
            if has_runs { ON_THE_COMMAND_LINE } else { "" }
        )),
        Missing::Broken(why) => NotSaved::Failed(format!("The page as one file did not come: {why}.")),
    })?;
    let first = files.into_iter().next();
    first.map(|(_, blob)| blob).ok_or_else(|| NotSaved::Failed("Nothing came.".into()))
}

/// A page without the playground, with the runs in it from which anybody can open them again.
pub(crate) async fn with_runs(page: &str, about: &About, lines: &str) -> Result<String, String> {
    let data = live::data(about, &packed(lines).await?);
    live::changed(page, Some(&data)).map_err(|why| why.to_string())
}

/// A text in gzip in base64, both by the browser, beside what the page does meanwhile.
async fn packed(text: &str) -> Result<String, String> {
    let broken = |_: JsValue| "The runs could not be packed; is there room in memory?".to_owned();
    let gzip = files::gzip("CompressionStream").ok_or(
        "This browser lacks CompressionStream. A current Chromium, Firefox or Safari has it.",
    )?;
    let plain = Blob::new_with_str_sequence(&Array::of1(&text.into())).map_err(broken)?;
    let stream = plain.stream().pipe_through(&gzip);
    let answer = Response::new_with_opt_readable_stream(Some(&stream)).map_err(broken)?;
    let blob = JsFuture::from(answer.blob().map_err(broken)?).await.map_err(broken)?;
    let blob: Blob = blob.dyn_into().map_err(broken)?;
    let reader = FileReader::new().map_err(broken)?;
    let read = Promise::new(&mut |done, _| reader.set_onloadend(Some(&done)));
    reader.read_as_data_url(&blob).map_err(broken)?;
    JsFuture::from(read).await.map_err(broken)?;
    let address = reader.result().ok().and_then(|read| read.as_string());
    let letters = address.as_deref().and_then(|address| address.split_once(','));
    letters.map(|(_, letters)| letters.to_owned()).ok_or_else(|| broken(JsValue::NULL))
}
