//! Names of files: what a person's file or an address is called, made safe.

/// What every name ends in.
const END: &str = ".gguf";
/// The most letters of a name.
const MAX_NAME: usize = 100;

/// A name under which a file may be kept: letters that are in no path, `.gguf` at its end.
///
/// # Errors
/// The name does not end in `.gguf`, or nothing stands before that.
pub fn name_of(text: &str) -> Result<String, String> {
    let last = text.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let name: String = last.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let name = name.trim_start_matches(['.', '-']).to_owned();
    let stem = name.len().checked_sub(END.len()).and_then(|n| name.split_at_checked(n));
    match stem {
        Some((stem, end)) if !stem.is_empty() && end.eq_ignore_ascii_case(END) => {
            let most = MAX_NAME - END.len();
            let stem: String = stem.chars().take(most).collect();
            Ok(format!("{stem}{END}"))
        }
        _ => Err(format!("{last:?} is no name of a model file; one ends in {END}")),
    }
}

/// The name of the file at an address.
///
/// # Errors
/// It is no address of a file on the web, or what it names does not end in `.gguf`.
pub fn name_of_address(address: &str) -> Result<String, String> {
    let address = address.trim();
    let rest = ["https://", "http://"].iter().find_map(|s| address.strip_prefix(s));
    let rest = rest.ok_or_else(|| {
        format!("{address:?} is no address of a file; one begins with https:// and ends in {END}")
    })?;
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let Some((_, path)) = path.split_once('/') else {
        return Err(format!("{address:?} names a server and no file on it; add the file's path"));
    };
    name_of(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_elsewhere() {
        assert_eq!(name_of("../../etc/a.gguf").as_deref(), Ok("a.gguf"));
        assert_eq!(name_of("C:\\m\\a b.GGUF").as_deref(), Ok("a-b.gguf"));
        assert_eq!(name_of("..hidden.gguf").as_deref(), Ok("hidden.gguf"));
        for wrong in ["", ".gguf", "..gguf", "a.bin", "gguf", "a.gguf/", "é"] {
            assert!(name_of(wrong).unwrap_err().contains(".gguf"), "{wrong}");
        }
        let long = name_of(&format!("{}.gguf", "x".repeat(300))).unwrap();
        assert_eq!(long.len(), MAX_NAME);
        for strange in ["é.gguf", "a\u{0}b.gguf", "a%2Fb.gguf"] {
            let name = name_of(strange);
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
            assert!(name.is_err() || name.is_ok_and(|n| n.chars().all(is_plain)), "{strange}");
        }
    }

    #[test]
    fn an_address_names_its_file() {
        let name = |a| name_of_address(a);
        assert_eq!(name(" http://h:1/a/b.gguf#x").as_deref(), Ok("b.gguf"));
        assert!(name("file:///a.gguf").unwrap_err().contains("https://"));
        assert!(name("https://h").unwrap_err().contains("no file"));
        assert!(name("https://h/a").unwrap_err().contains(".gguf"));
    }
}
