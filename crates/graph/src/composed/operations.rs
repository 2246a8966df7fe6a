//! The operations of the language on values: lists, numbers.

use std::cmp::Ordering;

use super::data::Data;
use super::shape::Shape;

/// What an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A list.
    List,
    /// A list, and what is made of each item.
    ListAndEach,
    /// A list and a value like its items.
    ListAndItem,
    /// Two lists.
    TwoLists,
    /// A number.
    Number,
}

/// An operation of the language.
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) takes: Takes,
    /// How it is written, with what it gives: for errors and for whoever writes a proposal.
    pub(super) usage: &'static str,
}

const fn op(name: &'static str, takes: Takes, usage: &'static str) -> Operation {
    Operation { name, takes, usage }
}

/// Every operation, in the order in which they are told.
pub(super) const OPERATIONS: [Operation; 25] = [
    op("count", Takes::List, "count(list): how many items it has"),
    op("sum", Takes::List, "sum(numbers): their sum, 0 of none"),
    op("min", Takes::List, "min(numbers): the least, null of none"),
    op("max", Takes::List, "max(numbers): the greatest, null of none"),
    op("mean", Takes::List, "mean(numbers): their mean, null of none"),
    op("first", Takes::List, "first(list): its first item, null of none"),
    op("last", Takes::List, "last(list): its last item, null of none"),
    op("sort", Takes::List, "sort(list): numbers, nodes or texts in order"),
    op("reverse", Takes::List, "reverse(list): from the last to the first"),
    op("unique", Takes::List, "unique(list): each item once"),
    op("flatten", Takes::List, "flatten(lists): the items of all lists"),
    op("map", Takes::ListAndEach, "map(list, x => value): a value of each item"),
    op("filter", Takes::ListAndEach, "filter(list, x => test): the items that pass"),
    op("any", Takes::ListAndEach, "any(list, x => test): whether one passes"),
    op("all", Takes::ListAndEach, "all(list, x => test): whether all pass"),
    op(
        "min_by",
        Takes::ListAndEach,
        "min_by(list, x => number): the first item with the least, null of none",
    ),
    op(
        "max_by",
        Takes::ListAndEach,
        "max_by(list, x => number): the first item with the greatest, null of none",
    ),
    op(
        "sort_by",
        Takes::ListAndEach,
        "sort_by(list, x => number): by their numbers, the least first",
    ),
    op("contains", Takes::ListAndItem, "contains(list, value): whether it is an item"),
    op("concat", Takes::TwoLists, "concat(a, b): the items of a, then those of b"),
    op("union", Takes::TwoLists, "union(a, b): what is in a or b, each once"),
    op("intersection", Takes::TwoLists, "intersection(a, b): what is in both, each once"),
    op("difference", Takes::TwoLists, "difference(a, b): what is in a and not in b, each once"),
    op("range", Takes::Number, "range(n): the numbers from 0 to n - 1"),
    op("abs", Takes::Number, "abs(number): without its sign"),
];

/// The operation of that name.
pub(super) fn find(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|o| o.name == name)
}

/// The name itself, where an operation has it.
pub(super) fn named(word: &str) -> Option<&'static str> {
    find(word).map(|o| o.name)
}

/// What an operation on lists gives, of the types of its lists' items.
///
/// # Errors
/// The type that the items have to be of.
pub(super) fn of_list(name: &str, item: &Shape) -> Result<Shape, &'static str> {
    let numbers = || if item.fits(&Shape::Number) { Ok(()) } else { Err("numbers") };
    Ok(match name {
        "count" => Shape::Number,
        "sum" => numbers().map(|()| Shape::Number)?,
        "min" | "max" | "mean" => numbers().map(|()| Shape::optional(Shape::Number))?,
        "first" | "last" => Shape::optional(item.clone()),
        "sort" => match item {
            Shape::Number | Shape::Node | Shape::Text | Shape::Never => Shape::list(item.clone()),
            _ => return Err("numbers, nodes or texts"),
        },
        "flatten" => Shape::list(item.item().ok_or("lists")?),
        _ => Shape::list(item.clone()),
    })
}

/// What an operation makes of one or two lists, or of a number.
///
/// # Errors
/// Why there is no value.
pub(super) fn apply(name: &str, given: &[Data]) -> Result<Data, &'static str> {
    let [first, rest @ ..] = given else { return Err("nothing was given") };
    let items = first.items();
    let second = rest.first();
    let numbers = || items.iter().filter_map(Data::number);
    let or_null = |found: Option<Data>| found.unwrap_or(Data::Null);
    Ok(match name {
        "count" => Data::Number(items.len() as f64),
        "sum" => Data::Number(numbers().sum()),
        "min" => or_null(numbers().min_by(f64::total_cmp).map(Data::Number)),
        "max" => or_null(numbers().max_by(f64::total_cmp).map(Data::Number)),
        "mean" if items.is_empty() => Data::Null,
        "mean" => Data::Number(numbers().sum::<f64>() / items.len() as f64),
        "first" => or_null(items.first().cloned()),
        "last" => or_null(items.last().cloned()),
        "sort" => {
            let mut sorted = items.to_vec();
            sorted.sort_by(Data::compare);
            Data::list(sorted)
        }
        "reverse" => Data::list(items.iter().rev().cloned().collect()),
        "unique" => Data::list(each_once(items)),
        "flatten" => Data::list(items.iter().flat_map(|i| i.items().iter().cloned()).collect()),
        "contains" => {
            let wanted = second.unwrap_or(&Data::Null);
            Data::Boolean(items.iter().any(|i| i.compare(wanted).is_eq()))
        }
        "concat" | "union" => {
            let both: Vec<Data> =
                items.iter().chain(second.unwrap_or(&Data::Null).items()).cloned().collect();
            Data::list(if name == "union" { each_once(&both) } else { both })
        }
        "intersection" | "difference" => {
            let mut others = second.unwrap_or(&Data::Null).items().to_vec();
            others.sort_by(Data::compare);
            let wants = name == "intersection";
            let kept: Vec<Data> = each_once(items)
                .into_iter()
                .filter(|i| others.binary_search_by(|o| o.compare(i)).is_ok() == wants)
                .collect();
            Data::list(kept)
        }
        "range" => {
            let n = first.number().unwrap_or(0.0);
            if !(0.0..=10_000.0).contains(&n) || n.fract() != 0.0 {
                return Err("range needs a whole number from 0 to 10,000");
            }
            Data::list((0..n as u32).map(|i| Data::Number(f64::from(i))).collect())
        }
        "abs" => Data::Number(first.number().unwrap_or(0.0).abs()),
        _ => return Err("there is no such operation"),
    })
}

/// Each item once, where it comes first. O(k log k).
fn each_once(items: &[Data]) -> Vec<Data> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&a, &b| items[a].compare(&items[b]).then(a.cmp(&b)));
    order.dedup_by(|b, a| items[*a].compare(&items[*b]) == Ordering::Equal);
    order.sort_unstable();
    order.into_iter().map(|i| items[i].clone()).collect()
}
