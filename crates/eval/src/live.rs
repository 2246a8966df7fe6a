//! The playground as one file with runs in it: where that file takes data, and what it becomes.
//!
//! The page and the companion make the same file, each with its own reading, packing and writing.
//! What is here tells them which bytes to change: the file is some megabytes, and a page need not
//! copy them.

use std::ops::Range;

use serde_json::json;
use thiserror::Error;

use crate::{About, EMBEDDED};

/// What the file is called beside the page of a site.
pub const FILE: &str = "graphground.html";

/// The element that takes the data; `docs/sharing.md` promises these letters.
pub(crate) const PLACE: &str = r#"<script type="application/json" id="embedded">"#;
pub(crate) const PLACE_END: &str = "</script>";
/// The policy on requests of a file without data, and of one with.
const OPEN: &str = "connect-src *";
const SHUT: &str = "connect-src 'none'";

/// Why a text is not the playground as one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotTheFile {
    /// The element that takes data is absent, there twice, or not ended.
    #[error("it has {0} places for data, and should have one")]
    Place(usize),
    /// The same of the policy.
    #[error("it has {0} policies on requests, and should have one")]
    Policy(usize),
}

/// Bytes of the file, and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// From the first byte that goes to the first that stays.
    pub at: Range<usize>,
    /// What comes in their place.
    pub text: String,
}

/// Runs as the file holds them. `runs` is a runs file in gzip in base64.
pub fn data(about: &About, runs: &str) -> String {
    let data = json!({
        "format": EMBEDDED, "version": 1, "title": about.title(), "about": about, "runs": runs,
    });
    // Nothing in it may look like the end of its element, or like a comment.
    data.to_string().replace('<', "\\u003c")
}

/// The data that a page holds, as JSON; none where it is no such page, or holds none.
pub fn held(page: &str) -> Option<&str> {
    let (data, _) = page.split_once(PLACE)?.1.split_once(PLACE_END)?;
    Some(data.trim()).filter(|data| !data.is_empty())
}

/// What is to be changed in the file so that it holds `data` and asks nobody, or holds none and may
/// ask again: first the change that stands first. Data that is in it goes.
///
/// # Errors
/// The text is not the playground as one file.
pub fn splices(file: &str, data: Option<&str>) -> Result<[Splice; 2], NotTheFile> {
    let n_places = file.matches(PLACE).count();
    let found = file.split_once(PLACE).filter(|_| n_places == 1);
    let (before, rest) = found.ok_or(NotTheFile::Place(n_places))?;
    let (held, after) = rest.split_once(PLACE_END).ok_or(NotTheFile::Place(0))?;
    let from = before.len() + PLACE.len();
    let place = Splice { at: from..from + held.len(), text: data.unwrap_or_default().to_owned() };
    // Not in the data: somebody's title may name a policy.
    let in_rest = file.len() - after.len();
    let policies: Vec<Range<usize>> = [(0, before), (in_rest, after)]
        .into_iter()
        .flat_map(|(start, part)| {
            let both = [OPEN, SHUT].into_iter().flat_map(|policy| part.match_indices(policy));
            both.map(move |(at, policy)| start + at..start + at + policy.len())
        })
        .collect();
    let [policy] = policies.as_slice() else { return Err(NotTheFile::Policy(policies.len())) };
    let now = if data.is_some() { SHUT } else { OPEN };
    let policy = Splice { at: policy.clone(), text: now.to_owned() };
    Ok(if policy.at.start < place.at.start { [policy, place] } else { [place, policy] })
}

/// The file with its changes.
///
/// # Errors
/// The text is not the playground as one file.
pub fn changed(file: &str, data: Option<&str>) -> Result<String, NotTheFile> {
    let mut text = String::with_capacity(file.len() + data.map_or(0, str::len));
    let mut from = 0;
    for splice in splices(file, data)? {
        text.push_str(&file[from..splice.at.start]);
        text.push_str(&splice.text);
        from = splice.at.end;
    }
    text.push_str(&file[from..]);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    const FILE: &str = "<meta content=\"default-src 'none'; connect-src *; frame-src\">…\n\
        <script type=\"application/json\" id=\"embedded\"></script>\n<script>go()</script>";

    fn held(file: &str) -> &str {
        super::held(file).unwrap_or_default()
    }

    #[test]
    fn it_holds_the_runs_and_asks_nobody() {
        let data = data(&About::from("Ten graphs"), "H4sI");
        let file = changed(FILE, Some(&data)).unwrap();
        assert_eq!(held(&file), data);
        assert!(file.contains("'none'; connect-src 'none'; frame-src") && !file.contains(OPEN));
        assert!(file.ends_with("</script>\n<script>go()</script>"));
        let read: Value = serde_json::from_str(held(&file)).unwrap();
        assert_eq!((&read["title"], &read["runs"]), (&json!("Ten graphs"), &json!("H4sI")));
        assert!(
            data[..200.min(data.len())].contains("\"graphground-report\""),
            "who reads looks there"
        );
    }

    #[test]
    fn a_title_can_end_nothing_and_name_any_policy() {
        let hostile = "</script><script>alert(1)</script><!-- <script> connect-src * \
                       connect-src 'none' <script type=\"application/json\" id=\"embedded\">";
        let data = data(&About::from(hostile), "");
        assert!(!data.contains('<'), "{data}");
        let file = changed(FILE, Some(&data)).unwrap();
        let read: Value = serde_json::from_str(held(&file)).unwrap();
        assert_eq!(read["about"]["title"], hostile);
        // It is still the file: other runs come in the place of these, or none.
        assert_eq!(held(&changed(&file, Some("{}")).unwrap()), "{}");
        assert_eq!(changed(&file, None).unwrap(), FILE);
    }

    #[test]
    fn runs_come_in_the_place_of_runs() {
        let first = changed(FILE, Some("{\"runs\":\"first\"}")).unwrap();
        let second = changed(&first, Some("{}")).unwrap();
        assert_eq!(second, changed(FILE, Some("{}")).unwrap());
        assert_eq!(changed(FILE, None).unwrap(), FILE);
    }

    #[test]
    fn what_is_another_file_is_refused() {
        let twice = format!("{FILE}{PLACE}</script>");
        let unended = FILE.replace("</script>", "");
        let two_policies = format!("{FILE}{SHUT}");
        let cases = [
            ("<p>Not found</p>", NotTheFile::Place(0)),
            (twice.as_str(), NotTheFile::Place(2)),
            (unended.as_str(), NotTheFile::Place(0)),
            (&FILE.replace(OPEN, "connect-src 'self'"), NotTheFile::Policy(0)),
            (two_policies.as_str(), NotTheFile::Policy(2)),
        ];
        for (file, why) in cases {
            assert_eq!(changed(file, Some("{}")), Err(why), "{file}");
        }
    }

    proptest! {
        #[test]
        fn any_words_come_out_again(title in "\\PC{0,40}", description in any::<String>()) {
            let about = About { title, description, ..About::default() };
            let file = changed(FILE, Some(&data(&about, "H4sI"))).unwrap();
            let read: Value = serde_json::from_str(held(&file)).unwrap();
            prop_assert_eq!(serde_json::from_value::<About>(read["about"].clone()).unwrap(), about);
            prop_assert_eq!(changed(&file, None).unwrap(), FILE);
        }
    }
}
