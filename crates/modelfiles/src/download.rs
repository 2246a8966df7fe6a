//! A download that broke off, and whether what a server sends is its rest (RFC 9110, section 14).

/// What is here of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Half {
    /// Bytes that are here.
    pub at: u64,
    /// Bytes of the whole file, if the server told.
    pub total: Option<u64>,
    /// What tells this version of the file from others: a strong `etag`, else `last-modified`.
    pub validator: Option<String>,
}

/// What stands before the bytes that a server sends, as far as the page may see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerHead {
    /// The HTTP status.
    pub status: u16,
    /// `content-range`.
    pub content_range: Option<String>,
    /// `etag`.
    pub etag: Option<String>,
    /// `last-modified`.
    pub last_modified: Option<String>,
    /// `content-length`, of a body that is not packed.
    pub length: Option<u64>,
}

impl AnswerHead {
    /// What tells this version of the file from others.
    pub fn validator(&self) -> Option<String> {
        let strong = self.etag.clone().filter(|tag| !tag.starts_with("W/"));
        strong.or_else(|| self.last_modified.clone())
    }
}

/// How a download goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DownloadPlan {
    /// The body is taken.
    Go {
        /// Where its first byte belongs; what stands behind that is cut off.
        from: u64,
        /// Bytes of the whole file, if they are known.
        total: Option<u64>,
        /// What tells this version from others.
        validator: Option<String>,
        /// What a person should know.
        said: Option<String>,
    },
    /// The body is not the rest of what is here: the file is asked for anew, whole.
    Again {
        /// The reason, for a person.
        said: String,
    },
}

/// The headers that ask for the rest of a file: `Range`, and `If-Range` so that a file which has
/// changed comes whole. Nothing where the rest could not be told from another file's.
pub fn ask_for_rest(half: &Half) -> Vec<(&'static str, String)> {
    match &half.validator {
        Some(validator) if half.at > 0 => {
            vec![("Range", format!("bytes={}-", half.at)), ("If-Range", validator.clone())]
        }
        _ => Vec::new(),
    }
}

/// The first byte and the whole length of `bytes 40-99/100`.
fn range(text: &str) -> Option<(u64, Option<u64>)> {
    let (span, total) = text.trim().strip_prefix("bytes ")?.split_once('/')?;
    let from = span.split_once('-')?.0.parse().ok()?;
    Some((from, total.parse().ok()))
}

/// What a server's answer means for what is here.
///
/// # Errors
/// The server sends no file; the words say what it sends.
pub fn plan(half: &Half, head: &AnswerHead) -> Result<DownloadPlan, String> {
    let validator = head.validator();
    let changed = || DownloadPlan::Again {
        said: "the file on the server is another one than before; it was loaded from its start"
            .into(),
    };
    match head.status {
        200 => {
            let said = (half.at > 0).then(|| {
                "the server sent the file from its start again: it has changed there, or the server \
                 sends no parts"
                    .to_owned()
            });
            Ok(DownloadPlan::Go { from: 0, total: head.length, validator, said })
        }
        206 => {
            // A page may not see all headers of another host's answer.
            let told = head.content_range.as_deref().and_then(range);
            let is_other =
                |a: &Option<String>, b: &Option<String>| a.is_some() && b.is_some() && a != b;
            if is_other(&validator, &half.validator)
                || told.is_some_and(|(from, _)| from != half.at)
            {
                return Ok(changed());
            }
            let by_length = head.length.map(|rest| half.at.saturating_add(rest));
            let total = told.and_then(|(_, total)| total).or(by_length);
            match (total, half.total) {
                (Some(now), Some(before)) if now != before => Ok(changed()),
                _ => {
                    let total = total.or(half.total);
                    Ok(DownloadPlan::Go {
                        from: half.at,
                        total,
                        validator: half.validator.clone(),
                        said: None,
                    })
                }
            }
        }
        416 => Ok(changed()),
        404 => Err("the server has no file at this address (404)".into()),
        401 | 403 => Err(format!(
            "the server gives this file to nobody without a login ({}); download it yourself and add \
             it as a file",
            head.status
        )),
        status => Err(format!("the server answered {status} where a file was expected")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half() -> Half {
        Half { at: 40, total: Some(100), validator: Some("\"v1\"".into()) }
    }

    fn part() -> AnswerHead {
        AnswerHead {
            status: 206,
            content_range: Some("bytes 40-99/100".into()),
            etag: Some("\"v1\"".into()),
            length: Some(60),
            ..AnswerHead::default()
        }
    }

    #[test]
    fn the_rest_of_a_file_goes_on_where_it_broke_off() {
        let go = DownloadPlan::Go {
            from: 40,
            total: Some(100),
            validator: Some("\"v1\"".into()),
            said: None,
        };
        assert_eq!(plan(&half(), &part()), Ok(go.clone()));
        // What the page of another host may see.
        let seen = AnswerHead { content_range: None, etag: None, ..part() };
        assert_eq!(plan(&half(), &seen), Ok(go));
        let asked = ask_for_rest(&half());
        assert_eq!(asked, [("Range", "bytes=40-".to_owned()), ("If-Range", "\"v1\"".to_owned())]);
        assert_eq!(ask_for_rest(&Half { validator: None, ..half() }), []);
        assert_eq!(ask_for_rest(&Half { at: 0, ..half() }), []);
    }

    #[test]
    fn a_changed_file_starts_again() {
        for head in [
            AnswerHead { etag: Some("\"v2\"".into()), ..part() },
            AnswerHead { content_range: Some("bytes 41-99/100".into()), ..part() },
            AnswerHead { content_range: Some("bytes 40-119/120".into()), ..part() },
            AnswerHead { content_range: None, etag: None, length: Some(61), ..part() },
            AnswerHead { status: 416, ..AnswerHead::default() },
        ] {
            assert!(matches!(plan(&half(), &head), Ok(DownloadPlan::Again { .. })), "{head:?}");
        }
        let whole = AnswerHead { status: 200, length: Some(90), ..AnswerHead::default() };
        let Ok(DownloadPlan::Go { from: 0, total: Some(90), said: Some(said), .. }) =
            plan(&half(), &whole)
        else {
            panic!("it starts again, and says so")
        };
        assert!(said.contains("from its start"));
        let first = plan(&Half::default(), &whole);
        assert!(matches!(first, Ok(DownloadPlan::Go { said: None, .. })));
    }

    #[test]
    fn what_tells_versions_apart_is_strong() {
        let head = AnswerHead {
            etag: Some("W/\"v\"".into()),
            last_modified: Some("Tue, 24 Nov 2026 10:00:00 GMT".into()),
            ..AnswerHead::default()
        };
        assert_eq!(head.validator(), head.last_modified);
        assert_eq!(AnswerHead { last_modified: None, ..head }.validator(), None);
    }

    #[test]
    fn what_is_no_file_is_said() {
        let said = |status| plan(&half(), &AnswerHead { status, ..AnswerHead::default() });
        assert!(said(404).unwrap_err().contains("no file"));
        assert!(said(403).unwrap_err().contains("login"));
        assert!(said(500).unwrap_err().contains("500"));
    }
}
