//! Files that are text.

use documents::{DocumentKind, DocumentLimits, kind};

use crate::make::{markdown, read};

#[test]
fn text_is_read_in_any_encoding() {
    assert_eq!(markdown("a.txt", "Grüße\n".as_bytes()), "Grüße\n");
    assert_eq!(markdown("a.txt", b"\xef\xbb\xbfbom"), "bom\n");
    assert_eq!(markdown("a.txt", b"\xff\xfeh\0i\0"), "hi\n");
    assert_eq!(markdown("a.txt", b"\xfe\xff\0h\0i"), "hi\n");
    let latin = read("a.txt", b"caf\xe9 \x80").unwrap();
    assert_eq!(latin.markdown, "café €\n");
    assert!(latin.notes[0].contains("Latin-1"));
    assert_eq!(markdown("a.md", b"# Title\n\ntext"), "# Title\n\ntext\n");
    assert_eq!(read("empty.txt", b"").unwrap().markdown, "");
}

#[test]
fn kinds_are_told_by_content_then_by_ending() {
    for (name, bytes, wanted) in [
        ("x.doc", &b"%PDF-1.4\n"[..], DocumentKind::Pdf),
        ("x", b"<!DOCTYPE html><p>", DocumentKind::Html),
        ("x", b"<?xml version=\"1.0\"?><a/>", DocumentKind::Xml),
        ("x", b"{\"a\": 1}", DocumentKind::Json),
        ("x", b"hello", DocumentKind::Text),
        ("x.CSV", b"a,b", DocumentKind::Csv),
        ("x.md", b"<html>", DocumentKind::Markdown),
        ("notes.txt", b"%PDF- is how they begin", DocumentKind::Pdf),
        ("notes.txt", b"PDFs begin with %PDF-", DocumentKind::Text),
    ] {
        assert_eq!(kind(name, bytes), Ok(wanted), "{name}");
    }
    for (bytes, what) in [
        (&b"\x89PNG\r\n\x1a\n....."[..], "an image"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0", "an old Office file"),
        (b"\x1f\x8b\x08\0", "packed by gzip"),
        (b"\0\x01\x02\x03", "no text"),
    ] {
        let error = kind("x.bin", bytes).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn csv_becomes_a_table() {
    assert_eq!(
        markdown("a.csv", b"name;note\nAda;\"says \"\"x|y\"\"\nand more\"\nBob\n"),
        "| name | note |\n| --- | --- |\n| Ada | says \"x\\|y\"<br>and more |\n| Bob |  |\n"
    );
    assert_eq!(markdown("a.tsv", b"a,b\tc\n1\t2\n"), "| a,b | c |\n| --- | --- |\n| 1 | 2 |\n");
    let ragged = read("a.csv", b"a,b\n1,2,3\n").unwrap();
    assert_eq!(ragged.notes, ["Not all rows of the table have the same number of cells."]);
}

#[test]
fn json_is_indented_and_its_shape_told() {
    let text = br#"{"id": 12345678901234567890, "tags": ["a","b"], "rows": [{"x": 1.50, "y": null}, {"x": 2}], "none": {}, "s": "a: [,]\""}"#;
    assert_eq!(
        markdown("a.json", text),
        "Shape: object {id: number, tags: list of 2 × (text), rows: list of 2 × (object {x: number, y?: null}), none: object, s: text}\n\n\
         ```json\n{\n  \"id\": 12345678901234567890,\n  \"tags\": [\n    \"a\",\n    \"b\"\n  ],\n  \"rows\": [\n    {\n      \
         \"x\": 1.50,\n      \"y\": null\n    },\n    {\n      \"x\": 2\n    }\n  ],\n  \"none\": {},\n  \"s\": \"a: [,]\\\"\"\n}\n```\n"
    );
    let lines = markdown("a.jsonl", b"{\"a\":1}\n{\"a\":\"x\"}\n3");
    assert!(
        lines.starts_with(
            "3 values after each other. Shape: number or object {a: number or text}\n"
        ),
        "{lines}"
    );
    let error = read("a.json", b"{\n  \"a\": x}").unwrap_err().to_string();
    assert_eq!(
        error,
        "the JSON file cannot be read: line 2, column 8: expected value: correct it there, or give the file as .txt"
    );
}

#[test]
fn xml_becomes_an_outline() {
    let text = "<?xml version=\"1.0\"?><!-- c --><shop xmlns=\"u\"><book id=\"b&amp;1\"><title>A &lt; B</title>\
        <empty/>tail <![CDATA[<raw>]]></book></shop>";
    assert_eq!(
        markdown("a.xml", text.as_bytes()),
        "- shop\n  - book id=\"b&1\"\n    - title: A < B\n    - empty\n    - tail <raw>\n"
    );
    assert!(read("a.xml", b"<a><b").unwrap_err().to_string().contains("line 1"));
    assert!(read("a.xml", b"words").unwrap_err().to_string().contains("no element"));
}

#[test]
fn html_becomes_markdown() {
    let page = "<!doctype html><html><head><title>A page</title><style>p{}</style></head><body>\
        <script>var x = '<p>no</p>';</script><h1>Big <em>news</em></h1>\
        <p>Some <b>bold</b> and <a href=\"https://x.org/?a=1&amp;b=2\">a link</a>,\n <a href='javascript:x()'>not</a>.<br>Next&nbsp;line</p>\
        <ul><li>one<li>two<ol start=3><li>three</li><li>four</ol></ul>\
        <blockquote><p>said</p></blockquote><pre>a\n  b</pre>\
        <p hidden>secret <b>x</b></p><div style='display: none'>gone</div>\
        <table><tr><th>h1<th>h2<tr><td rowspan=2>a|b<td>c<tr><td>d</table>\
        <img alt='a cat' src='data:xxx'>end";
    assert_eq!(
        markdown("a.html", page.as_bytes()),
        "Title: A page\n\n# Big *news*\n\nSome **bold** and [a link](https://x.org/?a=1&b=2), not.\nNext line\n\n\
         - one\n- two\n  3. three\n  4. four\n\n> said\n\n```\na\n  b\n```\n\n\
         | h1 | h2 |\n| --- | --- |\n| a\\|b | c |\n|  | d |\n\n[image: a cat]end\n"
    );
}

#[test]
fn what_is_long_is_cut_at_the_end_of_a_line() {
    let limits = DocumentLimits { text_bytes: 100, ..DocumentLimits::default() };
    let text = "0123456789 é\n".repeat(50);
    let document = documents::read("a.txt", text.as_bytes(), &limits).unwrap();
    assert!(document.is_cut && document.markdown.len() <= 100);
    assert!(document.markdown.ends_with("é\n"));
    assert!(document.notes[0].contains("cut after"), "{:?}", document.notes);
    let rows = format!("a,b\n{}", "1,2\n".repeat(1000));
    let document = documents::read("a.csv", rows.as_bytes(), &limits).unwrap();
    assert!(document.is_cut && document.markdown.ends_with("|\n"), "{}", document.markdown);
    let short = DocumentLimits { file_bytes: 3, ..limits };
    assert_eq!(
        documents::read("a.txt", b"1234", &short).unwrap_err().to_string(),
        "the file has 4 bytes, and at most 3 are read: take a smaller file"
    );
}

#[test]
fn signs_above_and_below_the_line_keep_their_place() {
    let page = "<p>10<sup>6</sup> l of H<sub>2</sub>O, x<sup>n + 1</sup>, <b>e<sup>-2</sup></b>, \
                y<sup> </sup>z, <del>40</del> 55, <s>a <b>b</b></s></p>";
    let text = markdown("a.html", page.as_bytes());
    assert_eq!(text, "10^6 l of H_2O, x^(n + 1), **e^-2**, y z, ~~40~~ 55, ~~a~~ **~~b~~**\n");
    let maths = "<p>so <math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>25</mn></mfrac><mo>=</mo>\
                 <msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><msqrt><mi>y</mi></msqrt></math> and \
                 <math><semantics><mrow><mi>q</mi></mrow><annotation encoding='application/x-tex'>q_{1}</annotation>\
                 </semantics></math>.</p>";
    assert_eq!(markdown("a.html", maths.as_bytes()), "so (a+1)/25=x_i^2√y and $q_{1}$.\n");
    let styles = "<p>x<span style='vertical-align: super'>2</span> <span><span style=\"text-decoration: line-through\">no\
                  </span> yes</span> <strike>old</strike></p>";
    assert_eq!(markdown("a.html", styles.as_bytes()), "x^2 ~~no~~ yes ~~old~~\n");
    // What is never closed ends with the page, and depth takes no stack.
    let deep = format!("<math>{}1", "<msup><mi>x</mi>".repeat(100_000));
    drop(read("a.html", deep.as_bytes()));
}

#[test]
fn declared_encodings_are_used() {
    let page = b"<html><head><meta charset=\"windows-1251\"></head><body><p>\xcf\xf0\xe8\xe2\xe5\xf2</p></body></html>";
    assert_eq!(markdown("a.html", page), "Привет\n");
    let page = b"<html><head><meta http-equiv='Content-Type' content='text/html; charset=Shift_JIS'></head><p>\x93\xfa\x96{</p>";
    assert_eq!(markdown("a.html", page), "日本\n");
    let xml = b"<?xml version='1.0' encoding='ISO-8859-2'?><a>\xb1\xe6</a>";
    assert!(markdown("a.xml", xml).contains("ąć"));
    let script = b"# -*- coding: koi8-r -*-\n# \xf0\xd2\xc9\n";
    assert!(markdown("a.py", script).contains("При"));
    // UTF-8 is UTF-8, whatever the page says; without a declaration it is a guess, with a note.
    let page = "<html><meta charset=windows-1251><p>Żółw</p>";
    assert_eq!(markdown("a.html", page.as_bytes()), "Żółw\n");
    assert!(!read("a.txt", b"caf\xe9").unwrap().notes.is_empty());
}
