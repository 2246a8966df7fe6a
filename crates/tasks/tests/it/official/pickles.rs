//! Pickles of a list of problems, as GraphArena's files are, in four protocols.
//!
//! Made with Python 3.11's `pickle.dumps` of three dicts: the graphs are one instance of a class
//! called `networkx.classes.graph.Graph`, mentioned several times; two numbers are calls of
//! `numpy.core.multiarray.scalar` with a type and bytes, as numpy's numbers are.

use proptest::prelude::*;
use tasks::official::files::pickle::{Pickle, PickleValue};
use tasks::official::files::{FileForm, FileRow, read, sniff};

/// Protocol 0.
const PROTOCOL_0: &[u8] = b"\
    (l(dVid\np0\nI0\nsVproblem_text\np1\nVFrom Al to Bo\xe9?\nsVgraph\np2\nccopy_reg\n_reconstru\
    ctor\n(cnetworkx.classes.graph\nGraph\nc__builtin__\nobject\nNtRp3\n(dg2\n(dsV_node\n(dI0\n(\
    dVname\np4\nVAl\nssI1\n(dg4\nVBo\nsssV_adj\n(dI0\n(dI1\n(dp5\nVrelation\nVr\nsssI1\n(dI0\ng5\
    \nsssbsVexact_answer\np6\nI1\nsVpath\np7\n(lI0\naI1\nasVsource\nI0\nsVtarget\nI1\nsa(dg0\nI1\
    \nsg1\nVAgain\nsg2\n(g3\ng3\ntsg6\ncnumpy.core.multiarray\nscalar\np8\n(cnumpy\ndtype\np9\n(\
    Vi8\nI00\nI01\ntR(I3\nV<\nNNNI-1\nI-1\nI0\ntp10\nbc_codecs\nencode\np11\n(V\xd4\xfe\xff\xff\
    \xff\xff\xff\xff\nVlatin1\np12\ntRtRsg7\n(I1\nI0\ntsa(dg0\nI2\nsg1\nVLast\nsg2\ng3\nsg6\nNsg\
    7\nNsVapprox_answer\ng8\n(g9\n(Vf8\nI00\nI01\ntRg10\nbg11\n(V\\u0000\\u0000\\u0000\\u0000\\u\
    0000\\u0000\x1e@\ng12\ntRtRsVseen\nc__builtin__\nset\n((lI1\naI2\natRsVbig\nL100000000000000\
    0000000000000000L\nsVyes\nI01\nsa.";

/// Protocol 2.
const PROTOCOL_2: &[u8] = b"\
    \x80\x02](}(X\x02\x00\x00\x00idq\x00K\x00X\x0c\x00\x00\x00problem_textq\x01X\x10\x00\x00\x00\
    From Al to Bo\xc3\xa9?X\x05\x00\x00\x00graphq\x02cnetworkx.classes.graph\nGraph\n)\x81q\x03}\
    (h\x02}X\x05\x00\x00\x00_node}(K\x00}X\x04\x00\x00\x00nameq\x04X\x02\x00\x00\x00AlsK\x01}h\
    \x04X\x02\x00\x00\x00BosuX\x04\x00\x00\x00_adj}(K\x00}K\x01}q\x05X\x08\x00\x00\x00relationX\
    \x01\x00\x00\x00rssK\x01}K\x00h\x05suubX\x0c\x00\x00\x00exact_answerq\x06K\x01X\x04\x00\x00\
    \x00pathq\x07](K\x00K\x01eX\x06\x00\x00\x00sourceK\x00X\x06\x00\x00\x00targetK\x01u}(h\x00K\
    \x01h\x01X\x05\x00\x00\x00Againh\x02h\x03h\x03\x86h\x06cnumpy.core.multiarray\nscalar\nq\x08\
    cnumpy\ndtype\nq\x09X\x02\x00\x00\x00i8\x89\x88\x87R(K\x03X\x01\x00\x00\x00<NNNJ\xff\xff\xff\
    \xffJ\xff\xff\xff\xffK\x00tq\nbc_codecs\nencode\nq\x0bX\x10\x00\x00\x00\xc3\x94\xc3\xbe\xc3\
    \xbf\xc3\xbf\xc3\xbf\xc3\xbf\xc3\xbf\xc3\xbfX\x06\x00\x00\x00latin1q\x0c\x86R\x86Rh\x07K\x01\
    K\x00\x86u}(h\x00K\x02h\x01X\x04\x00\x00\x00Lasth\x02h\x03h\x06Nh\x07NX\x0d\x00\x00\x00appro\
    x_answerh\x08h\x09X\x02\x00\x00\x00f8\x89\x88\x87Rh\nbh\x0bX\x08\x00\x00\x00\x00\x00\x00\x00\
    \x00\x00\x1e@h\x0c\x86R\x86RX\x04\x00\x00\x00seenc__builtin__\nset\n](K\x01K\x02e\x85RX\x03\
    \x00\x00\x00big\x8a\x0d\x00\x00\x00@\xea\xedtF\xd0\x9c,\x9f\x0cX\x03\x00\x00\x00yes\x88ue.";

/// Protocol 4.
const PROTOCOL_4: &[u8] = b"\
    \x80\x04\x95\xc5\x01\x00\x00\x00\x00\x00\x00](}(\x8c\x02id\x94K\x00\x8c\x0cproblem_text\x94\
    \x8c\x10From Al to Bo\xc3\xa9?\x8c\x05graph\x94\x8c\x16networkx.classes.graph\x8c\x05Graph\
    \x93)\x81\x94}(h\x02}\x8c\x05_node}(K\x00}\x8c\x04name\x94\x8c\x02AlsK\x01}h\x04\x8c\x02Bosu\
    \x8c\x04_adj}(K\x00}K\x01}\x94\x8c\x08relation\x8c\x01rssK\x01}K\x00h\x05suub\x8c\x0cexact_a\
    nswer\x94K\x01\x8c\x04path\x94](K\x00K\x01e\x8c\x06sourceK\x00\x8c\x06targetK\x01u}(h\x00K\
    \x01h\x01\x8c\x05Againh\x02h\x03h\x03\x86h\x06\x8c\x15numpy.core.multiarray\x8c\x06scalar\
    \x93\x94\x8c\x05numpy\x8c\x05dtype\x93\x94\x8c\x02i8\x89\x88\x87R(K\x03\x8c\x01<NNNJ\xff\xff\
    \xff\xffJ\xff\xff\xff\xffK\x00t\x94bC\x08\xd4\xfe\xff\xff\xff\xff\xff\xff\x86Rh\x07K\x01K\
    \x00\x86u}(h\x00K\x02h\x01\x8c\x04Lasth\x02h\x03h\x06Nh\x07N\x8c\x0dapprox_answerh\x08h\x09\
    \x8c\x02f8\x89\x88\x87Rh\nbC\x08\x00\x00\x00\x00\x00\x00\x1e@\x86R\x8c\x04seen\x8f(K\x01K\
    \x02\x90\x8c\x03big\x8a\x0d\x00\x00\x00@\xea\xedtF\xd0\x9c,\x9f\x0c\x8c\x03yes\x88ue.";

/// Protocol 5.
const PROTOCOL_5: &[u8] = b"\
    \x80\x05\x95\xc5\x01\x00\x00\x00\x00\x00\x00](}(\x8c\x02id\x94K\x00\x8c\x0cproblem_text\x94\
    \x8c\x10From Al to Bo\xc3\xa9?\x8c\x05graph\x94\x8c\x16networkx.classes.graph\x8c\x05Graph\
    \x93)\x81\x94}(h\x02}\x8c\x05_node}(K\x00}\x8c\x04name\x94\x8c\x02AlsK\x01}h\x04\x8c\x02Bosu\
    \x8c\x04_adj}(K\x00}K\x01}\x94\x8c\x08relation\x8c\x01rssK\x01}K\x00h\x05suub\x8c\x0cexact_a\
    nswer\x94K\x01\x8c\x04path\x94](K\x00K\x01e\x8c\x06sourceK\x00\x8c\x06targetK\x01u}(h\x00K\
    \x01h\x01\x8c\x05Againh\x02h\x03h\x03\x86h\x06\x8c\x15numpy.core.multiarray\x8c\x06scalar\
    \x93\x94\x8c\x05numpy\x8c\x05dtype\x93\x94\x8c\x02i8\x89\x88\x87R(K\x03\x8c\x01<NNNJ\xff\xff\
    \xff\xffJ\xff\xff\xff\xffK\x00t\x94bC\x08\xd4\xfe\xff\xff\xff\xff\xff\xff\x86Rh\x07K\x01K\
    \x00\x86u}(h\x00K\x02h\x01\x8c\x04Lasth\x02h\x03h\x06Nh\x07N\x8c\x0dapprox_answerh\x08h\x09\
    \x8c\x02f8\x89\x88\x87Rh\nbC\x08\x00\x00\x00\x00\x00\x00\x1e@\x86R\x8c\x04seen\x8f(K\x01K\
    \x02\x90\x8c\x03big\x8a\x0d\x00\x00\x00@\xea\xedtF\xd0\x9c,\x9f\x0c\x8c\x03yes\x88ue.";

const ALL: [&[u8]; 4] = [PROTOCOL_0, PROTOCOL_2, PROTOCOL_4, PROTOCOL_5];

fn rows(bytes: &[u8]) -> Vec<FileRow> {
    read("dataset/Distance_easy.pkl", bytes).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn problems_are_read_from_every_protocol() {
    for bytes in ALL {
        let rows = rows(bytes);
        let told: Vec<_> = rows
            .iter()
            .map(|row| (row.id.as_str(), row.question.as_deref().unwrap(), row.label.as_deref()))
            .collect();
        let wanted = [
            ("0", "From Al to Boé?", Some("1")),
            ("1", "Again", Some("-300")),
            ("2", "Last", Some("7.5")),
        ];
        assert_eq!(told, wanted);
        assert!(
            rows.iter().all(|row| row.task == "Distance" && row.field("level") == Some("easy"))
        );
        assert_eq!(rows[0].field("path"), Some("[0, 1]"));
        assert_eq!(rows[0].field("source"), Some("0"));
        assert_eq!(rows[1].field("path"), Some("[1, 0]"));
        assert_eq!(rows[2].field("path"), None);
        assert_eq!(rows[2].field("exact_answer"), None);
    }
    assert!(ALL[1..].iter().all(|bytes| sniff("x", bytes) == Some(FileForm::ArenaPickle)));
}

#[test]
fn instances_stay_unmade_and_are_held_once() {
    for bytes in ALL {
        let pickle = Pickle::read(bytes).unwrap();
        let problems = pickle.items(pickle.root()).unwrap();
        let graph = pickle.field(problems[0], "graph").unwrap();
        assert!(matches!(pickle.get(graph), PickleValue::Object { .. }));
        // The second problem mentions it twice, the third once more.
        assert_eq!(
            pickle.items(pickle.field(problems[1], "graph").unwrap()),
            Some(&[graph; 2][..])
        );
        assert_eq!(pickle.field(problems[2], "graph"), Some(graph));
        let PickleValue::Object { state: Some(state), .. } = pickle.get(graph) else { panic!() };
        assert!(pickle.field(*state, "_adj").is_some());
        let of = |key| pickle.field(problems[2], key).unwrap();
        assert_eq!(pickle.get(of("big")), &PickleValue::BigInt);
        assert_eq!(pickle.get(of("yes")), &PickleValue::Bool(true));
        assert_eq!(pickle.items(of("seen")).map(<[u32]>::len), Some(2));
    }
}

#[test]
fn nothing_is_called() {
    let bytes = b"cos\nsystem\n(S'echo all is lost'\ntR.";
    let pickle = Pickle::read(bytes).unwrap();
    assert_eq!(pickle.class(pickle.root()), Some(("os", "system")));
    let error = read("MCP_easy.pkl", bytes).unwrap_err().to_string();
    assert!(error.starts_with("the pickle: it holds no list; expected a list of dicts"), "{error}");
}

/// Sixty lists, each of ten times the one before.
#[test]
fn a_value_that_is_mentioned_often_is_held_once() {
    let mut bytes = vec![0x80, 2, b']', b'q', 0];
    for i in 0..60_u8 {
        bytes.extend([b']', b'(']);
        bytes.extend([b'h', i].repeat(10));
        bytes.extend([b'e', b'q', i + 1]);
    }
    bytes.push(b'.');
    let pickle = Pickle::read(&bytes).unwrap();
    assert_eq!(pickle.items(pickle.root()).map(<[u32]>::len), Some(10));
    assert!(read("MCP_easy.pkl", &bytes).is_err());
    // A thousand mentions of a problem with a long text would copy it a thousand times.
    let mut bytes = b"\x80\x02]q\x00(}X\x0c\x00\x00\x00problem_textX".to_vec();
    bytes.extend(2_000_000_u32.to_le_bytes());
    bytes.resize(bytes.len() + 2_000_000, b'a');
    bytes.extend(b"sq\x01");
    bytes.extend(b"h\x01".repeat(1000));
    bytes.extend(b"e.");
    let error = read("MCP_easy.pkl", &bytes).unwrap_err().to_string();
    assert!(error.contains("its problems repeat one another"), "{error}");
}

#[test]
fn mentions_are_counted_as_copies() {
    let count = |bytes: &[u8]| Pickle::read(bytes).unwrap().n_mentioned();
    // A tuple of a list of two numbers, twice.
    assert_eq!(count(b"]q\x00(K\x01K\x02eh\x00\x86."), Some(7));
    // A text of 64 letters in a list, three times.
    let text = [&b"](\x8c\x40"[..], &[b'a'; 64], b"q\x00h\x00h\x00e."].concat();
    assert_eq!(count(&text), Some(10));
    // A list in itself, and an object that is its own state.
    assert_eq!(count(b"]q\x00h\x00a."), None);
    assert_eq!(count(b"ca\nb\n)\x81q\x00h\x00b."), None);
    assert_eq!(count(&[&[b']'; 100_000][..], &[b'a'; 99_999], b"."].concat()), Some(100_000));
}

/// Python 2 has one type for text and bytes.
#[test]
fn a_str_of_python_2_is_text_or_bytes() {
    let text = "caf\u{e9}";
    for bytes in [&b"U\x05caf\xc3\xa9."[..], b"T\x05\0\0\0caf\xc3\xa9.", b"S'caf\\xc3\\xa9'\n."] {
        let pickle = Pickle::read(bytes).unwrap();
        assert_eq!(pickle.text(pickle.root()), Some(text));
        assert_eq!(pickle.bytes(pickle.root()).as_deref(), Some(text.as_bytes()));
    }
    for bytes in [&b"U\x02\x80?."[..], b"T\x02\0\0\0\x80?.", b"S'\\x80?'\n."] {
        let pickle = Pickle::read(bytes).unwrap();
        assert_eq!(pickle.get(pickle.root()), &PickleValue::Bytes(b"\x80?".into()));
        assert_eq!(pickle.text(pickle.root()), None);
    }
    // Python 3 writes bytes so up to protocol 2.
    let pickle = Pickle::read(b"c_codecs\nencode\n(V\x80?\nVlatin1\ntR.").unwrap();
    assert_eq!(pickle.bytes(pickle.root()).as_deref(), Some(&b"\x80?"[..]));
}

#[test]
fn a_pickle_that_is_cut_off_anywhere_is_refused() {
    for bytes in ALL {
        assert!((0..bytes.len()).all(|n| Pickle::read(&bytes[..n]).is_err()));
    }
}

#[test]
fn more_values_than_are_read_are_refused() {
    for byte in [b'N', b'2', b'('] {
        let mut bytes = vec![b'N'];
        bytes.resize(4_100_000, byte);
        let error = Pickle::read(&bytes).unwrap_err().to_string();
        let is_told = error.contains("more than 4000000 values") || error.contains("cut off");
        assert!(is_told, "{error}");
    }
}

#[test]
fn a_deep_pickle_is_read_without_recursion() {
    let mut bytes = vec![b']'; 100_000];
    bytes.extend(vec![b'a'; 99_999]);
    bytes.push(b'.');
    assert!(Pickle::read(&bytes).is_ok());
}

#[test]
fn what_is_wrong_with_a_pickle_is_told_with_its_place() {
    let told = |bytes: &[u8]| Pickle::read(bytes).unwrap_err().to_string();
    for (bytes, message) in [
        (&b"\x80\x09N."[..], "byte 0: protocol 9; 0 to 5 are read"),
        (b"\x80\x02]", "byte 3: the file is cut off: 1 more bytes were announced, and 0 are left"),
        (
            b"X\xff\xff\xff\x7fab",
            "byte 0: the file is cut off: 2147483647 more bytes were announced, and 2 are left",
        ),
        (b"\x80\x02a.", "byte 2: a value is missing on the stack"),
        (b"e.", "byte 0: a mark is missing on the stack"),
        (b"Nh\x07.", "byte 1: value 7 is mentioned before it is kept"),
        (b"(Nd.", "byte 2: a key of a dict has no value"),
        (b"NNa.", "byte 2: items for a value that is no list and no set"),
        (b"Iten\n.", "byte 0: a line that should be a whole number"),
        (b"\xff.", "byte 0: 0xff begins no part of a pickle"),
    ] {
        assert_eq!(told(bytes), message);
    }
    let error = read("MCP_easy.pkl", b"\x80\x02](}K\x01K\x02se.").unwrap_err().to_string();
    assert!(error.starts_with("problem 1: it has no problem_text; expected"), "{error}");
}

#[test]
fn every_way_to_write_a_number_is_read() {
    let number = |bytes: &[u8]| {
        let pickle = Pickle::read(bytes).unwrap();
        pickle.number(pickle.root())
    };
    for (bytes, value) in [
        (&b"I-7\n."[..], Some(-7.0)),
        (b"L12L\n.", Some(12.0)),
        (b"F2.5\n.", Some(2.5)),
        (b"G\x40\x04\x00\x00\x00\x00\x00\x00.", Some(2.5)),
        (b"J\xff\xff\xff\xff.", Some(-1.0)),
        (b"M\x2c\x01.", Some(300.0)),
        (b"\x8a\x00.", Some(0.0)),
        (b"\x8a\x02\xd4\xfe.", Some(-300.0)),
        (b"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00.", None),
        (b"\x88.", Some(1.0)),
        (b"N.", None),
    ] {
        assert_eq!(number(bytes), value, "{bytes:?}");
    }
}

proptest! {
    /// Bytes of real pickles, changed, cut, doubled, and any others.
    #[test]
    fn no_bytes_make_the_reader_panic(
        which in 0..4_usize,
        edits in proptest::collection::vec((any::<usize>(), any::<u8>(), 0..4_u8), 0..12),
        any_bytes in proptest::collection::vec(any::<u8>(), 0..60),
    ) {
        let mut bytes = ALL[which].to_vec();
        for (at, byte, kind) in edits {
            let at = at % (bytes.len() + 1);
            match kind {
                0 if at < bytes.len() => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => bytes.truncate(at.max(20)),
                _ => {
                    let end = (at + usize::from(byte)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        for bytes in [&bytes, &any_bytes] {
            if let Ok(pickle) = Pickle::read(bytes) {
                prop_assert!(pickle.n_values() <= 2 * bytes.len());
                // All that lists and dicts mention was put on the stack, a byte each at least.
                let mentioned: usize = (0..pickle.n_values() as u32)
                    .map(|id| match pickle.get(id) {
                        PickleValue::List(items) | PickleValue::Set(items) => items.len(),
                        PickleValue::Dict(pairs) => 2 * pairs.len(),
                        PickleValue::Text(text) => text.len() / 3,
                        PickleValue::Bytes(bytes) => bytes.len(),
                        _ => 0,
                    })
                    .sum();
                prop_assert!(mentioned <= bytes.len());
            }
            let _ = read("Distance_easy.pkl", bytes);
        }
    }
}
