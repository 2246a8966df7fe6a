//! Zips, good and bad.

use documents::{
    DocumentError, DocumentKind, DocumentLimits, EntryProblem, list_zip, unzip, unzip_one,
};

use crate::make::{Packed, read, zip, zip_of};

fn problem(entries: &[Packed]) -> EntryProblem {
    match unzip(&zip_of(entries), &DocumentLimits::default()) {
        Err(DocumentError::Entry { problem, .. }) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_come_out_as_they_went_in() {
    let mut stored = Packed::new("b.txt", b"two");
    stored.is_deflated = false;
    let mut folder = Packed::new("dir/", b"");
    (folder.is_deflated, folder.mode) = (false, 0o040_755);
    let mut file = Packed::new("dir/ü.txt", b"one one one one");
    file.mode = 0o100_644;
    let entries = unzip(&zip_of(&[stored, folder, file]), &DocumentLimits::default()).unwrap();
    let found: Vec<_> = entries.iter().map(|e| (e.path.as_str(), e.bytes.as_slice())).collect();
    assert_eq!(found, [("b.txt", &b"two"[..]), ("dir/ü.txt", b"one one one one")]);
    assert_eq!(unzip(&zip(&[]), &DocumentLimits::default()), Ok(Vec::new()));
}

#[test]
fn a_zip_is_read_file_by_file() {
    let inner = zip(&[("x", "y")]);
    let mut nested = Packed::new("in.zip", &inner);
    nested.is_deflated = false;
    let file = zip_of(&[
        Packed::new("a.csv", b"k,v\n1,2\n"),
        Packed::new("pic.png", b"\x89PNG\r\n\x1a\n\0\0"),
        Packed::new("bad.json", b"{"),
        nested,
    ]);
    let document = read("all.zip", &file).unwrap();
    assert_eq!(document.kind, DocumentKind::Zip);
    assert!(document.markdown.starts_with(
        "A zip with 4 entries:\n\n- a.csv (8 bytes)\n- pic.png (10 bytes)\n- bad.json (1 bytes)\n"
    ));
    assert!(document.markdown.contains("# a.csv\n\n| k | v |\n| --- | --- |\n| 1 | 2 |\n"));
    let notes = document.notes.join("\n");
    assert!(notes.contains("pic.png was not read"), "{notes}");
    assert!(notes.contains("bad.json: the JSON file cannot be read"), "{notes}");
    assert!(notes.contains("in.zip: a zip within a zip is not opened."), "{notes}");
}

#[test]
fn tricks_with_paths_are_refused() {
    for path in [
        "../a",
        "a/../../b",
        "/etc/passwd",
        "\\a",
        "a\\..\\b",
        "C:/x",
        "c:x",
        "a//b",
        "./a",
        "a/.",
        "",
        "/",
        "a\0b",
        "a\nb",
        "..",
        "a/..",
    ] {
        assert_eq!(problem(&[Packed::new(path, b"x")]), EntryProblem::Path, "{path:?}");
    }
    let mut entry = Packed::new("x", b"x");
    entry.path = vec![b'a', 0xff];
    assert_eq!(problem(&[entry]), EntryProblem::NotText);
    assert_eq!(problem(&[Packed::new(&"a".repeat(1001), b"")]), EntryProblem::Path);
}

#[test]
fn links_and_devices_are_refused() {
    for mode in [0o120_777, 0o020_644, 0o010_644, 0o140_644, 0o040_755] {
        let mut entry = Packed::new("a", b"/etc/passwd");
        entry.mode = mode;
        assert_eq!(problem(&[entry]), EntryProblem::Link, "{mode:o}");
    }
}

#[test]
fn entries_that_lie_are_refused() {
    let with = |change: fn(&mut Packed)| {
        let mut entry = Packed::new("a", &b"text ".repeat(100));
        change(&mut entry);
        problem(&[entry])
    };
    assert_eq!(with(|entry| entry.flags |= 1), EntryProblem::Encrypted);
    assert_eq!(with(|entry| entry.flags |= 0x2000), EntryProblem::Encrypted);
    assert_eq!(with(|entry| entry.method = Some(12)), EntryProblem::Method(12));
    assert_eq!(with(|entry| entry.method = Some(99)), EntryProblem::Method(99));
    assert_eq!(with(|entry| entry.size = Some(499)), EntryProblem::Size);
    assert_eq!(with(|entry| entry.size = Some(501)), EntryProblem::Size);
    assert_eq!(with(|entry| entry.checksum = Some(1)), EntryProblem::Checksum);
    let raw = with(|entry| (entry.is_deflated, entry.method) = (false, Some(8)));
    assert!(matches!(raw, EntryProblem::Damaged | EntryProblem::Size));
    let twice = [Packed::new("a/B", b"1"), Packed::new("a/b", b"2")];
    assert_eq!(problem(&twice), EntryProblem::Twice);
    let file_and_folder = [Packed::new("a", b"1"), Packed::new("a/", b"")];
    assert_eq!(problem(&file_and_folder), EntryProblem::Twice);
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let zeros = vec![0; 30_000_000];
    assert_eq!(problem(&[Packed::new("a", &zeros)]), EntryProblem::Ratio(250));
    // A size that lies is noticed after one byte more.
    let mut lies = Packed::new("a", &zeros);
    lies.size = Some(1_000_000);
    assert_eq!(problem(&[lies]), EntryProblem::Size);
    let limits = DocumentLimits { unpacked_bytes: 1000, ..DocumentLimits::default() };
    let two = [Packed::new("a", &[b'x'; 600]), Packed::new("b", &[b'y'; 600])];
    let error = unzip(&zip_of(&two), &limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the zip is refused: entry \"b\": with it, more than 1000 bytes come out of the file in all"
    );
    let mut huge = Packed::new("a", b"x");
    huge.size = Some(u32::MAX - 1);
    assert_eq!(problem(&[huge]), EntryProblem::Unpacked(200_000_000));
    let many: Vec<Packed> = (0..50).map(|number| Packed::new(&format!("f{number}"), b"")).collect();
    let limits = DocumentLimits { entries: 49, ..DocumentLimits::default() };
    assert_eq!(
        unzip(&zip_of(&many), &limits),
        Err(DocumentError::TooManyEntries { entries: 50, limit: 49 })
    );
}

#[test]
fn entries_that_share_bytes_are_refused() {
    // Both entries of the directory point to the first file.
    let mut file = zip_of(&[Packed::new("a", b"one"), Packed::new("b", b"two")]);
    let second = file.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    file[second + 42..second + 46].fill(0);
    assert_eq!(
        unzip(&file, &DocumentLimits::default()).unwrap_err().to_string(),
        "the zip is refused: entry \"b\": it shares bytes with another entry, as bombs do"
    );
}

#[test]
fn a_zip_cut_off_anywhere_is_an_error() {
    let file = zip(&[("a.txt", "some text"), ("b.txt", "more text")]);
    for end in 0..file.len() {
        assert!(unzip(&file[..end], &DocumentLimits::default()).is_err(), "{end}");
    }
}

#[test]
fn one_file_is_unpacked_and_the_others_are_only_listed() {
    let mut wrong = Packed::new("dir/b.txt", b"two");
    wrong.checksum = Some(7);
    let mut folder = Packed::new("dir/", b"");
    (folder.is_deflated, folder.mode) = (false, 0o040_755);
    let file = zip_of(&[Packed::new("A.csv", b"k,v\n"), folder, wrong]);
    let limits = DocumentLimits::default();
    let listed = list_zip(&file, &limits).unwrap();
    let listed: Vec<_> = listed.iter().map(|e| (e.path.as_str(), e.size)).collect();
    assert_eq!(listed, [("A.csv", 4), ("dir/b.txt", 3)]);
    assert_eq!(unzip_one(&file, "a.CSV", &limits).unwrap().as_deref(), Some(&b"k,v\n"[..]));
    assert_eq!(unzip_one(&file, "dir/", &limits), Ok(None));
    assert_eq!(unzip_one(&file, "c", &limits), Ok(None));
    // What is wrong in one file is no matter of another.
    assert!(unzip_one(&file, "dir/b.txt", &limits).is_err() && unzip(&file, &limits).is_err());
}
