//! How a person speaks of the end of a path: `my mother's manager's home address`.

use super::model::Search;
use super::relations::relation;
use super::values::Kind;

/// The words for what a search ends at, in a level: 0 the graph's own, 1 synonyms, 2 a paraphrase of
/// the last relation where its owner is not the speaker. `None` for relations that are not ours.
pub fn phrase(search: &Search, level: u8) -> Option<String> {
    let (last, way) = search.path.split_last()?;
    let mut owner: Option<String> = None;
    for name in way {
        let relation = relation(name)?;
        let noun = if level == 0 { relation.noun() } else { relation.synonym.to_owned() };
        owner = Some(of(owner.as_deref(), &noun));
    }
    let last = relation(last)?;
    if level == 2
        && let Some(owner) = &owner
        && !(last.is_multiple && last.range == Kind::Person)
    {
        return Some(last.paraphrase.replace("{p}", owner));
    }
    let noun = if level == 0 { last.noun() } else { last.synonym.to_owned() };
    Some(of(owner.as_deref(), &noun))
}

fn of(owner: Option<&str>, noun: &str) -> String {
    match owner {
        None => format!("my {noun}"),
        Some(owner) => format!("{owner}'s {noun}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_go_from_the_graphs_words_to_a_paraphrase() {
        let path = ["mother", "manager", "hometown"].map(String::from).to_vec();
        let search = Search { start: "Ada".into(), path };
        let say = |level| phrase(&search, level).unwrap();
        assert_eq!(say(0), "my mother's manager's hometown");
        assert_eq!(say(1), "my mum's boss's town of origin");
        assert_eq!(say(2), "the city where my mum's boss grew up");
    }
}
