//! What reading a file of weights takes of memory.
//!
//! A target of its own, because the most memory is that of the whole process: the tests of another
//! target would be counted too.
#![cfg(target_os = "linux")]
// What the test asks the system may fail as it may.
#![allow(clippy::unwrap_used)]

use ml::weights::ModelFile;

/// The most memory that this process ever had, in bytes.
fn most_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<usize>().unwrap() * 1024
}

/// Files of many megabytes that hold nothing but a head: what is made of them is a few times as large.
#[test]
fn memory_stays_within_a_few_times_the_file() {
    let entry = r#"{"dtype":"F32","shape":[0],"data_offsets":[0,0]}"#;
    let names: Vec<String> = (0..700_000).map(|i| format!("\"{i}\":{entry}")).collect();
    let tensors = format!("{{{}}}", names.join(","));
    let words = format!("{{\"__metadata__\":{{\"graphground\":\"{}\"}}}}", "x".repeat(40_000_000));
    let nested = format!("{{\"a\":{}", "[".repeat(40_000_000));
    let keys: Vec<String> = (0..2_000_000).map(|i| format!("\"{i}\":\"\"")).collect();
    let keys = format!("{{\"__metadata__\":{{{}}}}}", keys.join(","));
    let mut largest = 0;
    let files: Vec<Vec<u8>> = [tensors, words, nested, keys]
        .iter()
        .map(|head| [&(head.len() as u64).to_le_bytes(), head.as_bytes()].concat())
        .collect();
    let before = most_memory();
    for bytes in &files {
        assert!(ModelFile::read(bytes).is_err());
        largest = largest.max(bytes.len());
    }
    let more = most_memory().saturating_sub(before);
    println!("{more} bytes for files of at most {largest}");
    assert!(more < 12 * largest, "{more} bytes for files of at most {largest}");
}
