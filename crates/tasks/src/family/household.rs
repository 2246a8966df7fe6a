//! Households: who is born to whom, who is married to whom, who does what for them, and what each of
//! them has. Relatives follow from births and marriages, so that they never contradict one another.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;

use super::dice::{below, chance, pick, shuffle};
use super::model::{Family, Link};
use super::relations::{RELATIONS, RelationGroup, relation};
use super::values::{Kind, MEN, WOMEN, value};

/// Names and values that were given away, so that households share none.
pub(super) struct Stock {
    women: Vec<&'static str>,
    men: Vec<&'static str>,
    used: BTreeSet<String>,
}

impl Stock {
    pub(super) fn new(rng: &mut ChaCha8Rng) -> Self {
        let (mut women, mut men) = (WOMEN.to_vec(), MEN.to_vec());
        shuffle(rng, &mut women);
        shuffle(rng, &mut men);
        Self { women, men, used: BTreeSet::new() }
    }

    fn name(&mut self, is_woman: bool) -> String {
        let from = if is_woman { &mut self.women } else { &mut self.men };
        from.pop().unwrap_or("Somebody").to_owned()
    }

    /// A value that nobody has, where the kind has enough of them.
    fn value(&mut self, kind: Kind, owner: &str, rng: &mut ChaCha8Rng) -> String {
        let mut text = value(kind, owner, rng);
        for _ in 0..40 {
            if self.used.insert(text.clone()) {
                break;
            }
            text = value(kind, owner, rng);
        }
        text
    }
}

#[derive(Default)]
struct Person {
    name: String,
    is_woman: bool,
    is_child: bool,
    mother: Option<usize>,
    father: Option<usize>,
    spouse: Option<usize>,
}

/// How large a household is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Relatives, at most; at least 8 come about.
    pub(super) n_relatives: usize,
    /// People who are no relatives.
    pub(super) n_others: usize,
}

/// Everything that is known of a household, unseen relations included.
pub(super) fn household(
    id: &str,
    extent: Extent,
    stock: &mut Stock,
    rng: &mut ChaCha8Rng,
) -> Family {
    let relatives = relatives(extent.n_relatives, stock, rng);
    let others: Vec<String> =
        (0..extent.n_others).map(|i| stock.name((i + below(rng, 2)).is_multiple_of(2))).collect();
    let mut links = kin(&relatives);
    let mut people: Vec<(String, bool, bool)> =
        relatives.iter().map(|p| (p.name.clone(), p.is_child, true)).collect();
    for (name, is_child, _) in &people {
        for role in &RELATIONS {
            if !matches!(role.group, RelationGroup::Social | RelationGroup::Services)
                || !fits(role.name, *is_child)
                || !chance(rng, 45)
            {
                continue;
            }
            if let Some(other) = pick(rng, &others) {
                links.push(Link::new(name, role.name, other));
            }
        }
    }
    people.extend(others.into_iter().map(|name| (name, false, false)));
    for (name, is_child, is_relative) in &people {
        for has in RELATIONS.iter().filter(|r| r.range != Kind::Person) {
            let percent = if *is_relative { 75 } else { 55 };
            if !fits(has.name, *is_child) || !chance(rng, percent) {
                continue;
            }
            let n_values = if has.is_multiple { 1 + below(rng, 3) } else { 1 };
            let mut own = BTreeSet::new();
            for _ in 0..n_values {
                let value = stock.value(has.range, name, rng);
                if own.insert(value.clone()) {
                    links.push(Link::new(name, has.name, value));
                }
            }
        }
    }
    let people = people.into_iter().map(|(name, ..)| name).collect();
    Family { id: id.to_owned(), people, links }
}

/// What only children or only adults have.
fn fits(relation: &str, is_child: bool) -> bool {
    const CHILDREN: [&str; 4] = ["school", "teacher", "classmate", "private_tutor"];
    const ADULTS: [&str; 13] = [
        "workplace",
        "colleague",
        "manager",
        "babysitter",
        "vet",
        "plate_number",
        "parking_spot",
        "bank_account",
        "pay_method",
        "member_card",
        "barber",
        "holiday_home",
        "gym",
    ];
    if is_child { !ADULTS.contains(&relation) } else { !CHILDREN.contains(&relation) }
}

/// Two couples of grandparents, their children with the partners of some, and the grandchildren.
fn relatives(most: usize, stock: &mut Stock, rng: &mut ChaCha8Rng) -> Vec<Person> {
    let mut all: Vec<Person> = Vec::new();
    let born = |all: &mut Vec<Person>, stock: &mut Stock, is_woman, parents, is_child| {
        let (mother, father): (Option<usize>, Option<usize>) = parents;
        let name = stock.name(is_woman);
        all.push(Person { name, is_woman, is_child, mother, father, spouse: None });
        all.len() - 1
    };
    let married = |all: &mut Vec<Person>, a: usize, b: usize| {
        all[a].spouse = Some(b);
        all[b].spouse = Some(a);
    };
    let none = (None, None);
    let couples: Vec<(usize, usize)> = (0..2)
        .map(|_| {
            let her = born(&mut all, stock, true, none, false);
            let him = born(&mut all, stock, false, none, false);
            married(&mut all, her, him);
            (her, him)
        })
        .collect();
    let of = |k: usize| (Some(couples[k].0), Some(couples[k].1));
    let mother = born(&mut all, stock, true, of(0), false);
    let father = born(&mut all, stock, false, of(1), false);
    married(&mut all, mother, father);
    let both = (Some(mother), Some(father));
    for is_woman in [true, false] {
        born(&mut all, stock, is_woman, both, true);
    }
    // Siblings of the parents come with a partner and a child, one group after the other.
    while all.len() < most {
        match below(rng, 3) {
            0 if all.len() + 3 <= most => {
                let is_woman = chance(rng, 50);
                let side = below(rng, 2);
                let sibling = born(&mut all, stock, is_woman, of(side), false);
                let partner = born(&mut all, stock, !is_woman, none, false);
                married(&mut all, sibling, partner);
                let (m, f) = if is_woman { (sibling, partner) } else { (partner, sibling) };
                let is_girl = chance(rng, 50);
                born(&mut all, stock, is_girl, (Some(m), Some(f)), true);
            }
            1 => {
                let (is_woman, side) = (chance(rng, 50), below(rng, 2));
                born(&mut all, stock, is_woman, of(side), false);
            }
            _ => {
                let is_girl = chance(rng, 50);
                born(&mut all, stock, is_girl, both, true);
            }
        }
    }
    all
}

/// Who is what to whom.
fn kin(people: &[Person]) -> Vec<Link> {
    let parents = |i: usize| [people[i].mother, people[i].father].into_iter().flatten();
    let siblings = |i: usize| {
        let mother = people[i].mother;
        (0..people.len()).filter(move |&k| k != i && mother.is_some() && people[k].mother == mother)
    };
    let children = |i: usize| (0..people.len()).filter(move |&k| parents(k).any(|p| p == i));
    let mut links = Vec::new();
    for (i, person) in people.iter().enumerate() {
        let mut add = |relation: &str, other: usize| {
            let link = Link::new(&person.name, relation, &people[other].name);
            if !links.contains(&link) {
                links.push(link);
            }
        };
        let named = |k: usize, woman: &'static str, man: &'static str| {
            if people[k].is_woman { woman } else { man }
        };
        for k in parents(i) {
            add(named(k, "mother", "father"), k);
        }
        person.spouse.into_iter().for_each(|k| add("spouse", k));
        children(i).for_each(|k| add(named(k, "daughter", "son"), k));
        siblings(i).for_each(|k| add(named(k, "sister", "brother"), k));
        for k in parents(i).flat_map(parents) {
            add(named(k, "grandmother", "grandfather"), k);
        }
        for k in parents(i).flat_map(siblings) {
            add(named(k, "aunt", "uncle"), k);
        }
        parents(i).flat_map(siblings).flat_map(children).for_each(|k| add("cousin", k));
    }
    links
}

/// The family without what is kept unseen.
pub(super) fn seen_part(family: &Family, id: &str) -> Family {
    let is_seen = |link: &&Link| relation(&link.relation).is_none_or(|r| !r.is_unseen);
    Family {
        id: id.to_owned(),
        people: family.people.clone(),
        links: family.links.iter().filter(is_seen).cloned().collect(),
    }
}

/// The family with every value as an opaque id `<kind>_NNNN`, and what stood in place of each.
pub(super) fn opaque(family: &Family) -> (Family, Vec<(String, String)>) {
    let mut ids: Vec<(String, String)> = Vec::new();
    let mut counts: std::collections::BTreeMap<Kind, usize> = std::collections::BTreeMap::new();
    let mut with_ids = family.clone();
    for link in &mut with_ids.links {
        let Some(kind) = relation(&link.relation).map(|r| r.range) else { continue };
        if kind == Kind::Person {
            continue;
        }
        let known = ids.iter().find(|(value, _)| *value == link.tail).map(|(_, id)| id.clone());
        let id = known.unwrap_or_else(|| {
            let n = counts.entry(kind).or_default();
            let id = format!("{}_{n:04}", kind.word());
            *n += 1;
            ids.push((link.tail.clone(), id.clone()));
            id
        });
        link.tail = id;
    }
    (with_ids, ids)
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    #[test]
    fn relatives_agree_from_both_sides() {
        for seed in 0..20 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut stock = Stock::new(&mut rng);
            let extent = Extent { n_relatives: 8 + seed as usize % 13, n_others: 6 };
            let family = household("h", extent, &mut stock, &mut rng);
            let is = |a: &str, r: &str, b: &str| family.targets(a, r).contains(&b);
            for Link { head, relation, tail } in &family.links {
                let back: &[&str] = match relation.as_str() {
                    "mother" | "father" => &["son", "daughter"],
                    "son" | "daughter" => &["mother", "father"],
                    "spouse" => &["spouse"],
                    "brother" | "sister" => &["brother", "sister"],
                    "cousin" => &["cousin"],
                    _ => continue,
                };
                assert!(back.iter().any(|r| is(tail, r, head)), "{head} {relation} {tail}");
                assert_ne!(head, tail);
            }
            assert!(family.people.len() >= 14 && family.check().is_ok());
        }
    }
}
