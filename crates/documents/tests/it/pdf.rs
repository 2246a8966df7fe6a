//! PDFs.

use documents::{DocumentError, DocumentKind, DocumentLimits};

use crate::make::{markdown, pages, pdf, read, stream};

#[test]
fn text_is_read_page_by_page() {
    let file = pages(&[
        "BT /F1 12 Tf 72 700 Td (Hello) Tj 60 0 Td (world) Tj 0 -14 Td (next line) Tj 0 -40 Td (paragraph) Tj ET",
        "BT /F1 10 Tf 14 TL 1 0 0 1 72 700 Tm [(Caf\\351) -300 (x) 20 (y)] TJ T* (\\(b\\)) Tj (c) ' ET",
        "",
    ]);
    let document = read("a.pdf", &file).unwrap();
    assert_eq!(document.kind, DocumentKind::Pdf);
    assert_eq!(
        document.markdown,
        "## Page 1\n\nHello   world\nnext line\n\nparagraph\n\n## Page 2\n\nCafé xy\n(b)\nc\n\n## Page 3\n"
    );
    assert_eq!(
        document.notes,
        ["No text on page 3: it may be empty, or an image that would need reading by eye."]
    );
}

#[test]
fn fonts_say_what_their_codes_are() {
    let map = "1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0048> <0002> <00690021> endbfchar";
    let file = pdf(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents [4 0 R 5 0 R] /Resources << /Font << /A 6 0 R /B 8 0 R /C 9 0 R >> \
           /XObject << /X 10 0 R >> >> >>".to_vec(),
        stream("", b"BT /A 10 Tf 10 100 Td <00010002> Tj ET"),
        stream("", b"BT /B 10 Tf 10 80 Td (\\001A\\002) Tj /C 10 Tf <0007> Tj ET /X Do"),
        b"<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 7 0 R /DescendantFonts [<< /W [1 [500 300]] >>] >>".to_vec(),
        stream("/Filter /FlateDecode", map.as_bytes()),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding << /Differences [1 /fi /eacute] >> >>".to_vec(),
        b"<< /Type /Font /Subtype /Type0 /Encoding /Identity-H >>".to_vec(),
        stream("/Type /XObject /Subtype /Form /Matrix [1 0 0 1 10 60] /Filter /FlateDecode /Resources << /Font << /F 8 0 R >> /XObject << /X 10 0 R >> >>",
            b"BT /F 10 Tf (form) Tj ET /X Do"),
    ]);
    let document = read("a.pdf", &file).unwrap();
    assert_eq!(document.markdown, "## Page 1\n\nHi!\n\nfiAé[unreadable sign]\n\nform\n");
    assert!(document.notes[0].contains("fonts do not say"), "{:?}", document.notes);
}

#[test]
fn pages_beyond_the_limit_are_left_out() {
    let file = pages(&["BT /F1 9 Tf (a) Tj ET", "BT /F1 9 Tf (b) Tj ET", "BT /F1 9 Tf (c) Tj ET"]);
    let limits = DocumentLimits { pages: 2, ..DocumentLimits::default() };
    let document = documents::read("a.pdf", &file, &limits).unwrap();
    assert!(document.is_cut && document.markdown.ends_with("## Page 2\n\nb\n"));
    assert_eq!(document.notes, ["Only the first 2 of 3 pages are read."]);
}

#[test]
fn bombs_are_refused_or_left_out() {
    let zeros = vec![b' '; 30_000_000];
    let catalog = b"<< /Type /Catalog /Pages 2 0 R >>".to_vec();
    let tree = b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec();
    let page = b"<< /Type /Page /Contents 4 0 R >>".to_vec();
    let limits = DocumentLimits { unpacked_bytes: 1_000_000, ..DocumentLimits::default() };
    // A page's content.
    let file =
        pdf(&[catalog.clone(), tree.clone(), page.clone(), stream("/Filter /FlateDecode", &zeros)]);
    let document = documents::read("a.pdf", &file, &limits).unwrap();
    assert!(document.is_cut, "{:?}", document.notes);
    // Objects in a stream.
    for dictionary in [
        "/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode",
        "/Type /XRef /Size 5 /W [1 1 1] /Filter /FlateDecode",
        "/N 1 /First 5 /Filter [ /FlateDecode ]",
    ] {
        let file = pdf(&[catalog.clone(), tree.clone(), page.clone(), stream(dictionary, &zeros)]);
        let error = documents::read("a.pdf", &file, &limits).unwrap_err();
        assert!(matches!(error, DocumentError::Grows { .. }), "{dictionary}: {error}");
    }
    for dictionary in [
        "/Type /ObjStm /N 1 /First 5 /Filter [/FlateDecode /FlateDecode]",
        "/Type /ObjStm /N 1 /First 5 /Filter 9 0 R",
        "/Type /ObjStm /N 1 /First 5 /Filter [/LZWDecode]",
        "/Type /ObjStm /N 1 /First 5 /F /Fl#61teDecode",
    ] {
        let file = pdf(&[catalog.clone(), tree.clone(), page.clone(), stream(dictionary, b"x")]);
        let error = documents::read("a.pdf", &file, &limits).unwrap_err();
        assert!(matches!(error, DocumentError::Broken { .. }), "{dictionary}: {error}");
    }
}

#[test]
fn a_million_pages_in_one_list_are_refused() {
    let kids = "<<>>".repeat(1_100_000);
    let file = pdf(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] >>").into_bytes(),
    ]);
    assert!(matches!(read("a.pdf", &file), Err(DocumentError::Grows { .. })));
}

#[test]
fn loops_and_deep_nesting_end() {
    let catalog = b"<< /Type /Catalog /Pages 2 0 R >>".to_vec();
    // Pages that are their own children.
    let file = pdf(&[
        catalog.clone(),
        b"<< /Type /Pages /Kids [2 0 R 2 0 R 3 0 R] >>".to_vec(),
        b"<< /Type /Pages /Kids [2 0 R 3 0 R] >>".to_vec(),
    ]);
    let _ = read("a.pdf", &file);
    // Lists within lists.
    let deep = "[".repeat(200_000);
    for object in [deep.clone(), format!("<< /A {deep}"), "<< /A ".repeat(100_000)] {
        let file = pdf(&[catalog.clone(), object.clone().into_bytes()]);
        let _ = read("a.pdf", &file);
        let file = pages(&[&format!("BT /F1 9 Tf {object} TJ ET")]);
        let _ = read("a.pdf", &file);
    }
    // Forms that draw each other, thirty times thirty times thirty…
    let mut objects = vec![
        catalog,
        b"<< /Type /Pages /Kids [3 0 R] >>".to_vec(),
        b"<< /Type /Page /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>".to_vec(),
        stream("", b"/X Do"),
    ];
    for number in 6..40 {
        let resources = format!("/Subtype /Form /Resources << /XObject << /X {number} 0 R >> >>");
        objects.push(stream(&resources, "/X Do ".repeat(30).as_bytes()));
    }
    let document = read("a.pdf", &pdf(&objects)).unwrap();
    assert!(document.is_cut, "{:?}", document.notes);
}

#[test]
fn streams_without_ends_are_refused() {
    let mut file = b"%PDF-1.4\n".to_vec();
    for number in 0..20_000 {
        file.extend(format!("{number} 0 obj << /Length 9 >> stream\n").bytes());
    }
    file.extend(vec![b' '; 1_000_000]);
    assert!(read("a.pdf", &file).is_err());
}

#[test]
fn what_is_no_pdf_is_said() {
    let error = read("a.pdf", b"%PDF-1.4\nnothing").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the PDF file cannot be read: the table of objects: no pages are found: it may be cut off: fetch it or save it again"
    );
    let file = pages(&["BT /F1 9 Tf (a) Tj ET"]);
    assert!(markdown("x.bin", &file).contains("a"));
}

/// A CFF font with three glyphs: `element` at A, `g1` at B, `union` at C.
const SIGNS: &[u8] = b"\x01\x00\x04\x01\x00\x01\x01\x01\x04\x4f\x77\x6e\x00\x01\x01\x01\x0f\x8b\x8b\x8c\x8c\x05\xc1\x0f\xc5\x10\x8b\xf1\x12\xc9\x11\x00\x03\x01\x01\x08\x0a\x0f\x65\x6c\x65\x6d\x65\x6e\x74\x67\x31\x75\x6e\x69\x6f\x6e\x00\x00\x01\x01\x87\x02\x01\x01\x41\x02\x00\x04\x01\x01\x09\x11\x19\x21\xf8\x88\x8b\x16\x8c\x8c\x06\x0e\xf8\x88\x8b\x16\x8c\x8c\x06\x0e\xf8\x88\x8b\x16\x8c\x8c\x06\x0e\xf8\x88\x8b\x16\x8c\x8c\x06\x0e";

#[test]
fn fonts_of_signs_are_read_by_their_own_encoding() {
    let font = |more: &str| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Own {more} /FontDescriptor << /Flags 4 /FontFile3 5 0 R >> >>")
            .into_bytes()
    };
    let file = pdf(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /S 6 0 R /D 7 0 R /Y 8 0 R >> >> >>".to_vec(),
        stream("", b"BT /S 10 Tf 10 90 Td (A C BZ) Tj /D 10 Tf 0 -20 Td (BA) Tj /Y 10 Tf 0 -20 Td (\\042x\\316\\245\\264) Tj ET"),
        stream("/Subtype /Type1C /Filter /FlateDecode", SIGNS),
        font(""),
        // What the page itself says counts more.
        font("/Encoding << /Differences [66 /arrowright] >>"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>".to_vec(),
    ]);
    let document = read("a.pdf", &file).unwrap();
    let lines: Vec<&str> = document.markdown.lines().skip(2).filter(|l| !l.is_empty()).collect();
    assert_eq!(lines[0].replace("[unreadable sign]", "?"), "∈?∪?");
    assert_eq!(lines[1..], ["→∈", "∀ξ∈∞×"]);
    assert!(document.notes[0].contains("unreadable sign"), "{:?}", document.notes);
}

#[test]
fn powers_and_indexes_are_told_by_their_place() {
    let file = pages(&[
        "BT /F1 10 Tf 10 90 Td (10) Tj /F1 7 Tf 11.5 4 Td (6) Tj /F1 10 Tf 8 -4 Td (litres of H) Tj /F1 7 Tf 45 -2 Td (2) Tj /F1 10 Tf 5 2 Td (O) Tj ET",
        // By a rise, of several signs, and small letters on the line.
        "BT /F1 10 Tf 10 90 Td (x) Tj 4 Ts /F1 7 Tf (n + 1) Tj 0 Ts /F1 10 Tf ( and S) Tj /F1 8 Tf (MALL) Tj ET",
    ]);
    let text = markdown("a.pdf", &file);
    assert!(text.contains("10^6 litres of H_2O"), "{text}");
    assert!(text.contains("x^(n + 1) and SMALL"), "{text}");
}

#[test]
fn true_type_fonts_of_signs_are_read_by_their_own_names() {
    let font = include_bytes!("../data/signs.ttf");
    let file = pdf(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /S 6 0 R >> >> >>".to_vec(),
        stream("", b"BT /S 10 Tf 10 90 Td (AB) Tj ET"),
        stream("/Filter /FlateDecode", font),
        b"<< /Type /Font /Subtype /TrueType /BaseFont /Own /FontDescriptor << /Flags 4 /FontFile2 5 0 R >> >>".to_vec(),
    ]);
    assert_eq!(markdown("a.pdf", &file), "## Page 1\n\n∈∪\n");
}
