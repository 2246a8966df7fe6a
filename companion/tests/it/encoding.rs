//! Graph files in the encodings that spreadsheets and older programs write.

use companion::encoding::decode;

#[test]
fn marks_declarations_and_letters_tell_the_encoding() {
    let table = "von;nach\nKöln;Münster\nMünster;Würzburg\n";
    let latin: Vec<u8> = table.chars().map(|c| c as u8).collect();
    let utf16 = |mark: &[u8], bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.iter().copied().chain(table.encode_utf16().flat_map(bytes)).collect()
    };
    let read = |bytes: &[u8]| decode(bytes).map(|d| (d.text, d.guessed));
    let whole = |guessed| Some((table.to_owned(), guessed));
    assert_eq!(read(table.as_bytes()), whole(None));
    assert_eq!(read(&[b"\xef\xbb\xbf", table.as_bytes()].concat()), whole(None));
    assert_eq!(read(&utf16(b"\xff\xfe", u16::to_le_bytes)), whole(None));
    assert_eq!(read(&utf16(b"\xfe\xff", u16::to_be_bytes)), whole(None));
    assert_eq!(read(&utf16(b"", u16::to_le_bytes)), whole(Some("UTF-16LE")));
    assert_eq!(read(&latin), whole(Some("windows-1252")));
    // What XML says of itself goes before what its letters look like.
    let declared = b"<?xml version='1.0' encoding='ISO-8859-2'?><a b='\xb1'/>";
    assert_eq!(decode(declared).unwrap().text.chars().find(|c| !c.is_ascii()), Some('ą'));
    // Numbers and packed files are no text.
    assert_eq!(decode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"), None);
}
