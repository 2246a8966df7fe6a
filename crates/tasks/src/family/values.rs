//! Values that people have: readable names, invented, from a seed.

use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::dice::{below, pick};

/// What a relation leads to and a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Somebody.
    Person,
    /// A street and number.
    Address,
    /// A named place.
    Place,
    /// A place to park.
    Spot,
    /// A railway station.
    Station,
    /// A city.
    City,
    /// A telephone number.
    Phone,
    /// A mail address.
    Email,
    /// A day of the year.
    Date,
    /// What is on a car.
    Plate,
    /// A card's number.
    Card,
    /// A time of the day.
    Time,
    /// A restaurant.
    Restaurant,
    /// A way of cooking.
    Cuisine,
    /// Something to eat.
    Dish,
    /// Something to drink.
    Drink,
    /// A pizza.
    Pizza,
    /// A bakery.
    Bakery,
    /// What somebody must not eat.
    Allergen,
    /// A song.
    Song,
    /// A band.
    Band,
    /// A film.
    Film,
    /// A writer.
    Author,
    /// A podcast.
    Podcast,
    /// A list of songs.
    Playlist,
    /// An airline.
    Airline,
    /// A seat on board.
    Seat,
    /// A hotel.
    Hotel,
    /// A way to move.
    Transport,
    /// A bank account.
    Account,
    /// A way to pay.
    PayMethod,
    /// A sports team.
    Team,
}

impl Kind {
    /// Its name, as in opaque ids such as `city_0002`.
    pub fn word(self) -> String {
        let name = format!("{self:?}");
        let mut word = String::new();
        for (i, letter) in name.char_indices() {
            if letter.is_uppercase() && i > 0 {
                word.push('_');
            }
            word.extend(letter.to_lowercase());
        }
        word
    }
}

const COLOURS: [&str; 12] = [
    "Amber", "Blue", "Copper", "Crimson", "Golden", "Green", "Ivory", "Indigo", "Russet", "Silver",
    "Violet", "White",
];
const THINGS: [&str; 16] = [
    "Anchor", "Badger", "Bridge", "Candle", "Compass", "Falcon", "Harbour", "Heron", "Lantern",
    "Maple", "Mill", "Orchard", "Otter", "Quarry", "Thistle", "Willow",
];
const TOWNS: [&str; 20] = [
    "Ardenbrook",
    "Bellmoor",
    "Castrel",
    "Dunhaven",
    "Elmsward",
    "Fernhill",
    "Gorsely",
    "Hartmere",
    "Iverstow",
    "Jutley",
    "Kelbridge",
    "Lorngate",
    "Marsholm",
    "Nethercombe",
    "Oakminster",
    "Pellworth",
    "Quenby",
    "Rothwick",
    "Stanmere",
    "Tarnford",
];
const DISHES: [&str; 8] =
    ["soup", "stew", "curry", "risotto", "noodles", "dumplings", "salad", "pie"];
const FOODS: [&str; 12] = [
    "pumpkin",
    "mushroom",
    "lentil",
    "spinach",
    "walnut",
    "tomato",
    "leek",
    "chickpea",
    "barley",
    "aubergine",
    "fennel",
    "beetroot",
];
const MOODS: [&str; 12] = [
    "Quiet", "Distant", "Early", "Electric", "Falling", "Hidden", "Last", "Paper", "Second",
    "Slow", "Velvet", "Winter",
];
const SUBJECTS: [&str; 12] = [
    "Rivers", "Letters", "Mornings", "Mirrors", "Gardens", "Signals", "Stairs", "Tides", "Trains",
    "Voices", "Windows", "Islands",
];

/// Lists of which one is taken as it is.
const CUISINES: [&str; 10] = [
    "Georgian",
    "Ethiopian",
    "Peruvian",
    "Lebanese",
    "Basque",
    "Korean",
    "Sicilian",
    "Nordic",
    "Punjabi",
    "Cantonese",
];
const ALLERGENS: [&str; 8] =
    ["peanuts", "shellfish", "gluten", "sesame", "lactose", "celery", "mustard", "soy"];
const SEATS: [&str; 4] = ["window", "aisle", "front row", "exit row"];
const MODES: [&str; 5] = ["tram", "bicycle", "taxi", "scooter", "bus"];
const PAYS: [&str; 5] = ["debit card", "credit card", "bank transfer", "cash", "voucher"];

/// A value of a kind. Values of kinds with few of them may come twice; all others are told apart by
/// their words.
pub(super) fn value(kind: Kind, owner: &str, rng: &mut ChaCha8Rng) -> String {
    let mut from = |list: &[&'static str]| pick(rng, list).copied().unwrap_or_default();
    match kind {
        Kind::Person => owner.to_owned(),
        Kind::Address => {
            let street = format!("{} {}", from(&COLOURS), from(&THINGS));
            format!("{} {street} Lane in {}", below(rng, 98) + 1, town(rng))
        }
        Kind::Place => {
            let what =
                from(&["House", "Hall", "Centre", "Institute", "Works", "Studio", "College"]);
            format!("{} {} {what}", from(&COLOURS), from(&THINGS))
        }
        Kind::Spot => {
            let letter = from(&["A", "B", "C", "D", "E"]);
            format!("bay {letter}{} at {} Car Park", below(rng, 90) + 10, town(rng))
        }
        Kind::Station => format!(
            "{} {} Station",
            town(rng),
            pick_of(rng, &["East", "West", "North", "South", "Central"])
        ),
        Kind::City => town(rng).to_owned(),
        Kind::Phone => format!("+00 555 {:04} {:03}", below(rng, 10_000), below(rng, 1000)),
        Kind::Email => {
            format!(
                "{}{}@example.net",
                owner.to_lowercase().replace(' ', "."),
                below(rng, 900) + 100
            )
        }
        Kind::Date => format!("{:02}-{:02}", below(rng, 12) + 1, below(rng, 28) + 1),
        Kind::Plate => {
            let a = from(&["KR", "LM", "TZ", "VX", "WQ"]);
            format!("{a} {:03} {}", below(rng, 1000), pick_of(rng, &["AB", "CD", "FG", "HJ", "NP"]))
        }
        Kind::Card => format!("MC-{:04}-{:04}", below(rng, 10_000), below(rng, 10_000)),
        Kind::Time => format!("{:02}:{:02}", below(rng, 18) + 5, below(rng, 12) * 5),
        Kind::Restaurant => {
            let what = from(&["Bistro", "Kitchen", "Grill", "Diner", "Table", "Canteen"]);
            format!("{} {} {what}", from(&COLOURS), from(&THINGS))
        }
        Kind::Cuisine => from(&CUISINES).to_owned(),
        Kind::Dish => format!("{} {}", from(&FOODS), from(&DISHES)),
        Kind::Drink => {
            let what = from(&["lemonade", "tea", "juice", "smoothie", "cordial"]);
            format!(
                "{} {what}",
                from(&["ginger", "rhubarb", "pear", "elderflower", "plum", "quince", "mint"])
            )
        }
        Kind::Pizza => format!(
            "{} and {} pizza",
            from(&FOODS),
            from(&["olive", "rocket", "caper", "onion", "pepper"])
        ),
        Kind::Bakery => format!("{} {} Bakery", from(&COLOURS), from(&THINGS)),
        Kind::Allergen => from(&ALLERGENS).to_owned(),
        Kind::Song | Kind::Podcast | Kind::Film => {
            let what = match kind {
                Kind::Song => "Song of",
                Kind::Podcast => "Talking of",
                _ => "The Case of",
            };
            format!("{what} {} {}", from(&MOODS), from(&SUBJECTS))
        }
        Kind::Band => format!("The {} {}", from(&MOODS), from(&SUBJECTS)),
        Kind::Author => format!("{}. {}", from(&["A", "B", "D", "E", "M", "R", "S"]), town(rng)),
        Kind::Playlist => format!("{} {} Mix", from(&MOODS), from(&THINGS)),
        Kind::Airline => format!("{} Air", town(rng)),
        Kind::Seat => from(&SEATS).to_owned(),
        Kind::Hotel => format!("Hotel {} {}", from(&COLOURS), from(&THINGS)),
        Kind::Transport => from(&MODES).to_owned(),
        Kind::Account => format!(
            "ACC {:04} {:04} {:02}",
            below(rng, 10_000),
            below(rng, 10_000),
            below(rng, 100)
        ),
        Kind::PayMethod => from(&PAYS).to_owned(),
        Kind::Team => format!(
            "{} {}",
            town(rng),
            pick_of(rng, &["Rovers", "Wanderers", "Badgers", "Herons", "United"])
        ),
    }
}

fn pick_of(rng: &mut ChaCha8Rng, list: &[&'static str]) -> &'static str {
    pick(rng, list).copied().unwrap_or_default()
}

fn town(rng: &mut ChaCha8Rng) -> &'static str {
    pick_of(rng, &TOWNS)
}

/// First names of women and girls, one for each.
pub(super) const WOMEN: [&str; 48] = [
    "Ada", "Bea", "Cora", "Dora", "Edith", "Flora", "Greta", "Hanna", "Ida", "Judith", "Karin",
    "Lena", "Mara", "Nora", "Olga", "Paula", "Rosa", "Selma", "Thea", "Ursula", "Vera", "Wanda",
    "Yara", "Zelda", "Amina", "Birgit", "Clara", "Dalia", "Elena", "Frida", "Gloria", "Helga",
    "Ines", "Jana", "Kira", "Lydia", "Mina", "Nadia", "Oriel", "Petra", "Ruth", "Silvia", "Tessa",
    "Uma", "Viola", "Willa", "Xenia", "Zora",
];
/// First names of men and boys, one for each.
pub(super) const MEN: [&str; 48] = [
    "Arno", "Boris", "Carl", "David", "Emil", "Felix", "Georg", "Hugo", "Ivan", "Jonas", "Klaus",
    "Leo", "Marek", "Nils", "Oskar", "Pavel", "Rafael", "Simon", "Tomas", "Udo", "Viktor",
    "Walter", "Yusuf", "Zeno", "Anton", "Bruno", "Conrad", "Dario", "Edgar", "Fabian", "Gregor",
    "Henrik", "Igor", "Jakob", "Kaspar", "Lukas", "Milan", "Noel", "Otto", "Quentin", "Ruben",
    "Stefan", "Theo", "Uwe", "Valentin", "Wim", "Xaver", "Zoltan",
];

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;

    #[test]
    fn opaque_words_are_of_small_letters_and_lines() {
        assert_eq!(Kind::PayMethod.word(), "pay_method");
        assert_eq!(Kind::City.word(), "city");
    }

    #[test]
    fn no_value_has_a_sign_that_a_list_of_links_needs() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            for kind in
                [Kind::Place, Kind::Phone, Kind::Email, Kind::Song, Kind::Author, Kind::Spot]
            {
                let value = value(kind, "Ada", &mut rng);
                assert!(!value.contains(['[', ']', '(', ')', '\'', '"', '<']), "{value}");
            }
        }
    }
}
