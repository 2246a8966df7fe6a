//! The encoding that a Type 1 font carries in its clear text, as TeX's fonts do.

/// How far into a font its encoding is looked for, in bytes.
const CLEAR: usize = 65_536;

/// The names of glyphs by code. In time that grows with the clear text, at most 64 KiB.
pub(super) fn encoding(font: &[u8]) -> Vec<(u8, String)> {
    let clear = String::from_utf8_lossy(&font[..font.len().min(CLEAR)]);
    let Some(start) = clear.find("/Encoding") else { return Vec::new() };
    let mut words = clear[start..].split_ascii_whitespace();
    let mut names = Vec::new();
    // dup 12 /fi put
    while let Some(word) = words.next() {
        match word {
            "dup" => {
                let code = words.next().and_then(|code| code.parse().ok());
                let name = words.next().and_then(|name| name.strip_prefix('/'));
                if let (Some(code), Some(name)) = (code, name) {
                    names.push((code, name.to_owned()));
                }
            }
            "readonly" | "def" if !names.is_empty() => break,
            "eexec" => break,
            _ => {}
        }
        if names.len() >= 1_000 {
            break;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_code() {
        let font =
            b"%!PS-AdobeFont\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n\
            dup 12 /fi put\ndup 65 /A put\nreadonly def\ncurrentfile eexec dup 1 /B put";
        assert_eq!(encoding(font), [(12, "fi".to_owned()), (65, "A".to_owned())]);
    }
}
