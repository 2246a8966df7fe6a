//! The working memory: what was loaded and found of late.
//!
//! Paper: Graph-ToolFormer §4.7.5: a queue of fixed capacity whose entries are read-only.

use std::collections::VecDeque;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::load::Loaded;
use super::reasoner::Reasoned;

/// How many entries the memory has unless it is told otherwise, as in the public code.
pub const CAPACITY: usize = 10;

/// What the working memory keeps of a call.
#[derive(Clone)]
pub enum MemoryValue {
    /// A graph that was loaded.
    Graph(Rc<Loaded>),
    /// A result of a model or function.
    Result(Rc<Reasoned>),
}

/// A call in the working memory.
#[derive(Clone)]
pub struct MemoryEntry {
    /// The call, in one spelling.
    pub key: String,
    /// The graph or result that it gave.
    pub value: MemoryValue,
    /// How often it was used again.
    pub n_hits: usize,
}

/// An entry in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The call as text.
    pub key: String,
    /// The result, or what was loaded.
    pub value: String,
    /// How often it was used again.
    pub n_hits: usize,
}

/// First in, first out; neither a hit nor a new value for a call makes its entry younger.
#[derive(Clone)]
pub struct Memory {
    capacity: usize,
    entries: VecDeque<MemoryEntry>,
}

impl Memory {
    /// A memory of so many entries; 0 remembers nothing.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, entries: VecDeque::new() }
    }

    /// What a call gave, if that is remembered; counts as a hit.
    pub fn recall(&mut self, key: &str) -> Option<MemoryValue> {
        let entry = self.entries.iter_mut().find(|e| e.key == key)?;
        entry.n_hits += 1;
        Some(entry.value.clone())
    }

    /// Remembers what a call gave, and forgets the oldest where there is no room.
    pub fn remember(&mut self, key: &str, value: MemoryValue) {
        if let Some(entry) = self.entries.iter_mut().find(|e| e.key == key) {
            entry.value = value;
            return;
        }
        self.entries.push_back(MemoryEntry { key: key.to_owned(), value, n_hits: 0 });
        while self.entries.len() > self.capacity {
            self.entries.pop_front();
        }
    }

    /// How many entries it may have.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The entries, the oldest first.
    pub fn entries(&self) -> impl Iterator<Item = &MemoryEntry> {
        self.entries.iter()
    }

    /// The entries in words, the oldest first.
    pub fn shown(&self) -> Vec<Shown> {
        let value = |value: &MemoryValue| match value {
            MemoryValue::Graph(graph) => graph.words(),
            MemoryValue::Result(result) => result.text.clone(),
        };
        self.entries
            .iter()
            .map(|e| Shown { key: e.key.clone(), value: value(&e.value), n_hits: e.n_hits })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn result(text: &str) -> MemoryValue {
        MemoryValue::Result(Rc::new(Reasoned::new(text)))
    }

    fn keys(memory: &Memory) -> Vec<&str> {
        memory.entries().map(|e| e.key.as_str()).collect()
    }

    #[test]
    fn a_hit_or_a_new_value_makes_nothing_younger() {
        let mut memory = Memory::new(2);
        memory.remember("a", result("1"));
        memory.remember("b", result("2"));
        assert!(memory.recall("a").is_some() && memory.recall("c").is_none());
        memory.remember("a", result("3"));
        assert_eq!(memory.shown()[0], Shown { key: "a".into(), value: "3".into(), n_hits: 1 });
        memory.remember("c", result("4"));
        assert_eq!(keys(&memory), ["b", "c"]);
        let mut none = Memory::new(0);
        none.remember("a", result("1"));
        assert!(none.recall("a").is_none());
    }

    proptest! {
        #[test]
        fn it_holds_the_last_new_calls(
            calls in prop::collection::vec(0..20u8, 0..60),
            capacity in 0..12usize,
        ) {
            let mut memory = Memory::new(capacity);
            // The oracle: a list of all calls that were new when they came.
            let mut all: Vec<String> = Vec::new();
            for call in calls {
                let key = call.to_string();
                let from = all.len().saturating_sub(capacity);
                let is_known = all[from..].contains(&key);
                prop_assert_eq!(memory.recall(&key).is_some(), is_known);
                if !is_known {
                    all.push(key.clone());
                }
                memory.remember(&key, result(&key));
            }
            let from = all.len().saturating_sub(capacity);
            prop_assert_eq!(keys(&memory), all[from..].iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
}
