//! Wikipedia, by the API that it has for browsers too: `origin=*`.

use agent::{ToolFailure, Transport};
use llm::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::pages::PagedText;
use super::web::{checked_words, encoded, get};
use super::{failure, read_arguments, spec};

pub(super) const SEARCH: &str = "wikipedia_search";
pub(super) const PAGE: &str = "wikipedia_page";
/// The most pages that a search gives.
const MAX_FOUND: usize = 8;
/// The most headings that are told.
const MAX_SECTIONS: usize = 60;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArgs {
    words: String,
    #[serde(default = "english")]
    language: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PageArgs {
    title: String,
    #[serde(default = "english")]
    language: String,
    #[serde(default)]
    section: Option<String>,
    #[serde(default)]
    page: Option<usize>,
}

fn english() -> String {
    "en".into()
}

/// What models are told of the tools that ask Wikipedia.
pub(super) fn specs() -> Vec<ToolSpec> {
    let text = |words: &str| json!({ "type": "string", "description": words });
    let language = || text("The Wikipedia's language, such as de; en if left out.");
    vec![
        spec(
            SEARCH,
            "Finds pages of Wikipedia. Gives titles and some words of each.",
            json!({ "words": text("What to look for."), "language": language() }),
            &["words"],
        ),
        spec(
            PAGE,
            "Reads a page of Wikipedia as plain text, without its tables, with the names of its \
             sections; or one section. Long texts come 20000 letters at a time.",
            json!({
                "title": text("The title of the page."),
                "language": language(),
                "section": text("The name of a section."),
                "page": {
                    "type": "integer", "minimum": 1,
                    "description": "The part of a long text, counted from 1.",
                },
            }),
            &["title"],
        ),
    ]
}

/// Finds pages.
pub(super) async fn search(
    transport: &dyn Transport,
    arguments: Value,
) -> Result<(Value, Vec<String>), ToolFailure> {
    let SearchArgs { words, language } = read_arguments(arguments)?;
    let words = checked_words(&words)?;
    let answer = look_for(transport, &language, &words, MAX_FOUND).await?;
    let found: Vec<Value> = hits(&answer)
        .map(|hit| {
            let title = hit["title"].as_str().unwrap_or_default();
            json!({ "title": title, "text": plain(hit["snippet"].as_str().unwrap_or_default()) })
        })
        .collect();
    let mut told = json!({ "language": language, "found": found });
    if let Some(meant) = answer["query"]["searchinfo"]["suggestion"].as_str() {
        told["did_you_mean"] = json!(meant);
    }
    Ok((told, Vec::new()))
}

/// Reads a page.
pub(super) async fn page(
    transport: &dyn Transport,
    arguments: Value,
) -> Result<(Value, Vec<String>), ToolFailure> {
    let PageArgs { title, language, section, page } = read_arguments(arguments)?;
    let title = checked_words(&title.replace('_', " "))?;
    let answer = ask(
        transport,
        &language,
        &format!(
            "prop=extracts%7Cpageprops&explaintext=1&exsectionformat=wiki&ppprop=disambiguation\
             &redirects=1&titles={}",
            encoded(&title)
        ),
    )
    .await?;
    let found = &answer["query"]["pages"][0];
    if let Some(why) = found["invalidreason"].as_str() {
        return Err(failure("bad_title", format!("{title:?} is no title: {why}")));
    }
    let Some(text) = found["extract"].as_str().filter(|_| found["missing"] != json!(true)) else {
        let near = look_for(transport, &language, &title, 5).await?;
        let near: Vec<&str> = hits(&near).filter_map(|hit| hit["title"].as_str()).collect();
        let message = if near.is_empty() {
            format!("there is no page {title:?} in the Wikipedia {language}, and none near it")
        } else {
            let list = near.join(", ");
            format!("there is no page {title:?} in the Wikipedia {language}; near it are {list}")
        };
        return Err(failure("no_page", message));
    };
    let own = found["title"].as_str().unwrap_or(&title);
    let address =
        format!("https://{language}.wikipedia.org/wiki/{}", encoded(&own.replace(' ', "_")));
    let mut told = json!({ "title": own, "language": language, "url": address });
    if let Some(from) = answer["query"]["redirects"][0]["from"].as_str() {
        told["redirected_from"] = json!(from);
    }
    let mut notes = Vec::new();
    if found["pageprops"].get("disambiguation").is_some() {
        told["is_disambiguation"] = json!(true);
        notes.push("the title has several meanings; read the page of the one that is meant".into());
    }
    let sections = sections(text);
    let shown = match &section {
        Some(name) => {
            told["section"] = json!(name);
            section_text(text, &sections, name).ok_or_else(|| {
                let list = names(&sections).join(", ");
                let message = format!("{own:?} has no section {name:?}; there are {list}");
                failure("no_section", message)
            })?
        }
        None => {
            told["sections"] = json!(names(&sections));
            text
        }
    };
    PagedText::new(shown.trim().to_owned()).tell(page, &mut told)?;
    Ok((told, notes))
}

/// Asks the API of one language.
async fn ask(transport: &dyn Transport, language: &str, query: &str) -> Result<Value, ToolFailure> {
    check_language(language)?;
    let url = format!(
        "https://{language}.wikipedia.org/w/api.php?action=query&format=json&formatversion=2\
         &origin=*&{query}"
    );
    let answer = get(transport, url).await?;
    let value: Value = serde_json::from_str(&answer.body).map_err(|error| {
        let message = format!("the Wikipedia {language} sent no whole answer: {error}");
        failure("no_answer", message)
    })?;
    if let Some(why) = value["error"]["info"].as_str() {
        let why: String = why.chars().take(300).collect();
        return Err(failure("refused", format!("the Wikipedia {language} refused: {why}")));
    }
    Ok(value)
}

async fn look_for(
    transport: &dyn Transport,
    language: &str,
    words: &str,
    n: usize,
) -> Result<Value, ToolFailure> {
    let words = encoded(words);
    let query =
        format!("list=search&srprop=snippet&srinfo=suggestion&srlimit={n}&srsearch={words}");
    ask(transport, language, &query).await
}

fn hits(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["query"]["search"].as_array().into_iter().flatten()
}

/// The language becomes a part of the host's name.
fn check_language(language: &str) -> Result<(), ToolFailure> {
    let is_part =
        |part: &str| (2..=12).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_lowercase());
    let is_good = language.len() <= 20 && language.split('-').all(is_part);
    if is_good {
        return Ok(());
    }
    let shown: String = language.chars().take(40).collect();
    let message = format!("{shown:?} is no language of a Wikipedia; expected one such as en or de");
    Err(failure("bad_language", message))
}

/// Text without its tags, and the five entities that the API writes.
fn plain(html: &str) -> String {
    let mut out = String::new();
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            c if !is_tag => out.push(c),
            _ => {}
        }
    }
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "'"), ("&amp;", "&")];
    entities.iter().fold(out, |text, (from, to)| text.replace(from, to))
}

/// A heading: how deep, its name, where it stands and where its text begins.
struct Heading<'t> {
    depth: usize,
    name: &'t str,
    start: usize,
    text: usize,
}

fn sections(text: &str) -> Vec<Heading<'_>> {
    let (mut found, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim();
        let depth = line.bytes().take_while(|b| *b == b'=').count();
        let name = line.trim_matches('=').trim();
        if depth >= 2 && line.ends_with("==") && !name.is_empty() {
            found.push(Heading { depth, name, start, text: at });
        }
    }
    found
}

fn names<'t>(sections: &[Heading<'t>]) -> Vec<&'t str> {
    sections.iter().take(MAX_SECTIONS).map(|heading| heading.name).collect()
}

/// A section with those below it.
fn section_text<'t>(text: &'t str, sections: &[Heading<'t>], name: &str) -> Option<&'t str> {
    let wanted = name.trim().to_lowercase();
    let i = sections.iter().position(|heading| heading.name.to_lowercase() == wanted)?;
    let own = sections.get(i)?;
    let end = sections[i + 1..].iter().find(|next| next.depth <= own.depth);
    text.get(own.text..end.map_or(text.len(), |next| next.start))
}
