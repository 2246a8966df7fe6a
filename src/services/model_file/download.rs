//! A file from an address that a person typed in. The page asks for it, so that its own policy holds,
//! and hands the bytes to the worker.

use gloo_net::http::Response;
use js_sys::{Reflect, Uint8Array};
use modelfiles::{
    AnswerHead, DownloadPlan, FromModel, KeptFile, ToModel, ask_for_rest, megabytes, plan,
};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader};

use super::client::{Beside, Outcome, Talk, keep_for_good};
use crate::services::{policy, single_file, transport};

async fn asked(
    address: &str,
    headers: &[(&str, String)],
    abort: &AbortController,
) -> Option<Response> {
    let init = transport::init(abort);
    let ask = Headers::new().ok()?;
    for (name, value) in headers {
        ask.set(name, value).ok()?;
    }
    init.set_headers(&ask);
    transport::made(address, &init).ok()?.send().await.ok()
}

fn head(response: &Response) -> AnswerHead {
    let headers = response.headers();
    let header = |name: &str| headers.get(name);
    // Of a body that is packed on the way the length says nothing.
    let is_packed = header("content-encoding").is_some();
    let length = header("content-length").and_then(|n| n.parse().ok());
    AnswerHead {
        status: response.status(),
        content_range: header("content-range"),
        etag: header("etag"),
        last_modified: header("last-modified"),
        length: length.filter(|_| !is_packed),
    }
}

/// Asks for what is missing of a file; gives the answer, and how it goes on.
async fn begin(
    address: &str,
    file: &KeptFile,
    abort: &AbortController,
) -> Result<(Response, DownloadPlan), String> {
    let unreachable = || {
        if policy::applied().is_some() {
            return "\"Only these endpoints\" is on, and this server is none of them; switch it off on the \
                    page Models to load a file from here"
                .to_owned();
        }
        let origin = single_file::origin();
        format!(
            "nothing came from {address}: the server is not there, or it does not let pages of {origin} \
             read the file (CORS); download it yourself and add it as a file"
        )
    };
    let half = file.half();
    let mut headers = ask_for_rest(&half);
    let mut came = asked(address, &headers, abort).await;
    if came.is_none() && !headers.is_empty() && !abort.signal().aborted() {
        // Other hosts may refuse `If-Range`; then what they say of the file must be what it was.
        headers.retain(|(name, _)| *name == "Range");
        came = asked(address, &headers, abort).await;
    }
    let response = came.ok_or_else(unreachable)?;
    let mut found = plan(&half, &head(&response))?;
    if let DownloadPlan::Go { validator: None, from: 1.., .. } = found {
        found = DownloadPlan::Again {
            said: "the server does not tell whether the file is still the same; it was loaded from its start"
                .into(),
        };
    }
    Ok((response, found))
}

/// Loads a file from an address, or the rest of it.
pub(crate) async fn load(
    mut file: KeptFile,
    address: &str,
    abort: &AbortController,
    on_bytes: impl Fn(f64, f64),
) -> Outcome {
    keep_for_good();
    let failed = |fault: String| Outcome { fault: Some(fault), ..Outcome::default() };
    let stopped = || abort.signal().aborted();
    let mut said = None;
    let (response, from, total, validator) = loop {
        match begin(address, &file, abort).await {
            Err(_) if stopped() => return Outcome::default(),
            Err(fault) => return failed(fault),
            Ok((_, DownloadPlan::Again { said: why })) => {
                // Asked for whole, no answer is another's rest.
                said = Some(why);
                file = KeptFile { name: file.name, ..KeptFile::default() };
            }
            Ok((response, DownloadPlan::Go { from, total, validator, said: more })) => {
                said = said.or(more);
                break (response, from, total, validator);
            }
        }
    };
    let reader = response.body().and_then(|b| b.get_reader().dyn_into().ok());
    let Some(reader): Option<ReadableStreamDefaultReader> = reader else {
        return failed("the server's answer has no body".into());
    };
    let name = file.name;
    let can_go_on = validator.is_some();
    let mut talk = Talk::about(&name);
    talk.stop_with(abort, || ());
    let total = total.map(|n| n as f64);
    let begun = KeptFile {
        name: name.clone(),
        bytes: from as f64,
        total,
        address: Some(address.to_owned()),
        validator,
        ..KeptFile::default()
    };
    talk.say(&ToModel::Begin { file: begun }, Beside::Nothing);
    let mut at = from as f64;
    let mut fault = taken(&mut talk).await;
    let is_begun = fault.is_none();
    let mut is_whole = false;
    while fault.is_none() {
        let broke_off = |why: &str| {
            let next = match can_go_on {
                true => "what is here is kept",
                false => {
                    "the server does not tell versions apart, so the next try begins at its start"
                }
            };
            let of = total.map_or_else(String::new, |n| format!(" of {}", megabytes(n)));
            format!("{name} {why} after {}{of}; {next}", megabytes(at))
        };
        let Ok(came) = JsFuture::from(reader.read()).await else {
            let why = if stopped() { "was stopped" } else { "broke off" };
            fault = Some(broke_off(why));
            break;
        };
        if Reflect::get(&came, &"done".into()).is_ok_and(|d| d.is_truthy()) {
            is_whole = total.is_none_or(|n| at >= n);
            fault = (!is_whole).then(|| broke_off("broke off"));
            break;
        }
        let Ok(bytes) = Reflect::get(&came, &"value".into()).unwrap_or_default().dyn_into() else {
            continue;
        };
        let bytes: Uint8Array = bytes;
        at += f64::from(bytes.length());
        talk.say(&ToModel::More, Beside::Bytes(bytes));
        fault = taken(&mut talk).await;
        on_bytes(at, total.unwrap_or_default());
    }
    // Nothing more is read, and a stop from here on is one of the worker.
    let closing = reader.cancel();
    spawn_local(async move {
        let _ = JsFuture::from(closing).await;
    });
    if is_begun {
        talk.say(&ToModel::End { is_whole }, Beside::Nothing);
    } else {
        talk.say(&ToModel::List, Beside::Nothing);
    }
    let outcome = talk.outcome(|_, _| ()).await;
    // What went wrong on the way says more than what is missing at the end.
    Outcome { fault: fault.or(outcome.fault), said, files: outcome.files }
}

/// Waits until the worker has taken what it was sent; why it did not, if so.
async fn taken(talk: &mut Talk) -> Option<String> {
    match talk.next().await {
        Some(FromModel::Taken { fault }) => fault,
        Some(FromModel::Panicked { message }) => Some(message),
        _ => Some("internal error: the worker did not say what became of the bytes".into()),
    }
}
