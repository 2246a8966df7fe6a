//! What a report says of itself: who made it, when, where it stands, how it is cited.

use serde::{Deserialize, Serialize};

/// The words of whoever publishes a report. All of them may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// Its title; "A benchmark" where it has none.
    pub title: String,
    /// Who made it: names with semicolons between them, or with commas.
    pub authors: String,
    /// What was asked, and how the figures are to be read.
    pub description: String,
    /// The day, as YYYY-MM-DD.
    pub date: String,
    /// Where it stands, such as `https://example.org/report`.
    pub address: String,
}

impl From<&str> for About {
    /// A report with a title alone.
    fn from(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }
}

impl About {
    /// The title, or the usual one.
    pub fn title(&self) -> &str {
        match self.title.trim() {
            "" => "A benchmark",
            title => title,
        }
    }

    /// The authors' names, one by one.
    pub fn names(&self) -> Vec<&str> {
        let between = if self.authors.contains(';') { ';' } else { ',' };
        self.authors.split(between).map(str::trim).filter(|n| !n.is_empty()).collect()
    }

    /// Who made it and when, in a line; `None` where neither is said.
    pub fn byline(&self) -> Option<String> {
        let names = self.names();
        let names = match names.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [head @ .., last] => format!("{} and {last}", head.join(", ")),
        };
        let parts = [names, self.date.trim().to_owned()];
        let said: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
        (!said.is_empty()).then(|| said.join(" · "))
    }

    /// The address, where it is one of the web: nothing else becomes a link.
    pub fn link(&self) -> Option<&str> {
        let address = self.address.trim();
        let is_web = address.starts_with("https://") || address.starts_with("http://");
        (is_web && !address.contains(|c: char| c.is_whitespace() || c.is_control()))
            .then_some(address)
    }

    /// An entry for BibTeX; `None` where no author is named.
    pub fn citation(&self) -> Option<String> {
        let names = self.names();
        let first = names.first()?;
        let year: String = self.date.trim().chars().take(4).collect();
        let year = (year.len() == 4 && year.chars().all(|c| c.is_ascii_digit())).then_some(year);
        let word = |text: &str| -> String {
            text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
        };
        // "Ann Lee" and "Lee, Ann" are both cited under lee.
        let family = match first.split_once(',') {
            Some((family, _)) => word(family),
            None => word(first.split_whitespace().next_back().unwrap_or(first)),
        };
        let about = self.title().split_whitespace().map(word).find(|w| w.len() > 3);
        let key =
            format!("{family}{}{}", year.as_deref().unwrap_or_default(), about.unwrap_or_default());
        let key = if key.is_empty() { "benchmark".to_owned() } else { key };
        let authors: Vec<String> = names.iter().map(|n| tex(n)).collect();
        let mut fields = vec![
            format!("title = {{{}}}", tex(self.title())),
            format!("author = {{{}}}", authors.join(" and ")),
        ];
        fields.extend(year.map(|year| format!("year = {{{year}}}")));
        fields
            .extend(self.link().map(|link| format!("howpublished = {{\\url{{{}}}}}", bare(link))));
        fields.push(format!("note = {{Made with Graphground {}}}", env!("CARGO_PKG_VERSION")));
        Some(format!("@misc{{{key},\n  {}\n}}", fields.join(",\n  ")))
    }
}

/// Text without the signs that begin and end a field.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '{' | '}' | '\\') && !c.is_control()).collect()
}

/// Text for a field of BibTeX.
fn tex(text: &str) -> String {
    bare(text).chars().fold(String::new(), |mut out, c| {
        if matches!(c, '%' | '&' | '#' | '_' | '$') {
            out.push('\\');
        }
        out.push(c);
        out
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn about() -> About {
        About {
            title: "Tools & graphs".into(),
            authors: "Ann Lee; Roe, Jan".into(),
            description: "Ten problems.".into(),
            date: "2026-03-01".into(),
            address: "https://example.org/r".into(),
        }
    }

    #[test]
    fn it_is_cited_as_bibtex() {
        let entry = about().citation().unwrap();
        assert!(entry.starts_with("@misc{lee2026tools,\n"), "{entry}");
        assert!(entry.contains("title = {Tools \\& graphs}"), "{entry}");
        assert!(entry.contains("author = {Ann Lee and Roe, Jan}"), "{entry}");
        assert!(entry.contains("year = {2026}") && entry.contains("\\url{https://example.org/r}"));
        assert_eq!(About::from("Nobody's").citation(), None);
    }

    #[test]
    fn who_and_when_stand_in_a_line() {
        assert_eq!(about().byline().unwrap(), "Ann Lee and Roe, Jan · 2026-03-01");
        assert_eq!(About::default().byline(), None);
        assert_eq!(About::default().title(), "A benchmark");
    }

    #[test]
    fn only_addresses_of_the_web_are_links() {
        for address in ["javascript:alert(1)", "data:text/html,x", "https://a b", "example.org"] {
            assert_eq!(About { address: address.into(), ..about() }.link(), None, "{address}");
        }
    }

    proptest! {
        #[test]
        fn any_words_leave_the_entry_balanced(
            title in "\\PC{0,40}", authors in "\\PC{1,40}", date in "\\PC{0,12}",
        ) {
            let all = About { title, authors, date, ..About::default() };
            if let Some(entry) = all.citation() {
                let count = |sign| entry.chars().filter(|c| *c == sign).count();
                prop_assert_eq!(count('{'), count('}'));
                prop_assert!(entry.starts_with("@misc"));
            }
        }
    }
}
