//! The parameters that the benchmark's tools have: type, what may fill them, words.

use serde_json::{Value, json};

use super::values::Kind;
use super::values::Kind as K;

/// The JSON type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// One text.
    Text,
    /// A list of texts.
    Texts,
    /// A whole number.
    Whole,
    /// A number with a fraction.
    Number,
    /// A truth value.
    Flag,
    /// One of the literals.
    OneOf,
}

/// A parameter, under the one name that it has in every tool.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name, the same in every tool.
    pub name: &'static str,
    /// The type of the value in a call.
    pub is: Type,
    /// Which values of the graph may fill it.
    pub takes: &'static [Kind],
    /// What a model reads of it.
    pub description: &'static str,
    /// Values that a query may give in its own words; all of them where `is` is `OneOf`.
    pub literals: &'static [&'static str],
}

impl Parameter {
    /// Its JSON schema.
    pub fn schema(&self) -> Value {
        let description = self.description;
        match self.is {
            Text => json!({ "type": "string", "description": description }),
            Texts => json!({
                "type": "array", "items": { "type": "string" }, "description": description
            }),
            Whole => json!({ "type": "integer", "description": description }),
            Number => json!({ "type": "number", "description": description }),
            Flag => json!({ "type": "boolean", "description": description }),
            OneOf => json!({
                "type": "string", "enum": self.literals, "description": description
            }),
        }
    }

    /// A literal as a value of the parameter's type.
    pub fn literal(&self, text: &str) -> Value {
        match self.is {
            Text | OneOf => text.into(),
            Texts => json!([text]),
            Whole => text.parse::<i64>().map_or_else(|_| text.into(), Value::from),
            Number => text.parse::<f64>().map_or_else(|_| text.into(), Value::from),
            Flag => (text == "on").into(),
        }
    }
}

const fn p(
    name: &'static str,
    is: Type,
    takes: &'static [Kind],
    description: &'static str,
    literals: &'static [&'static str],
) -> Parameter {
    Parameter { name, is, takes, description, literals }
}

use Type::*;

/// Every parameter of every tool.
pub static PARAMETERS: [Parameter; 58] = [
    p("time", Text, &[K::Time], "The time of the day, as HH:MM.", &["07:15", "18:40", "12:05"]),
    p("new_time", Text, &[K::Time], "The new time of the day, as HH:MM.", &["06:50", "19:25"]),
    p("until", Text, &[K::Time], "When it ends, as HH:MM.", &["23:10", "09:35"]),
    p("date", Text, &[K::Date], "The day, as MM-DD.", &["03-29", "11-30"]),
    p("contact", Text, &[K::Person], "The name of the person.", &[]),
    p("contacts", Texts, &[K::Person], "The names of the persons.", &[]),
    p("phone", Text, &[K::Phone], "The telephone number.", &["+00 555 7777 777"]),
    p("email", Text, &[K::Email], "The mail address.", &["hello@example.net"]),
    p(
        "destination",
        Text,
        &[K::Address, K::Place, K::Station, K::Restaurant, K::Hotel, K::Bakery],
        "Where to go: an address or the name of a place.",
        &["the old market"],
    ),
    p(
        "pickup",
        Text,
        &[K::Address, K::Place, K::Station],
        "Where the way begins.",
        &["the town hall"],
    ),
    p("address", Text, &[K::Address, K::Place], "Where to deliver to.", &["the front desk"]),
    p(
        "venue",
        Text,
        &[K::Place, K::Restaurant],
        "The place where it is held.",
        &["the village hall"],
    ),
    p("from_city", Text, &[K::City], "The city where the journey begins.", &["Port Alder"]),
    p("to_city", Text, &[K::City], "The city where the journey ends.", &["Port Alder"]),
    p("city", Text, &[K::City], "The city.", &["Port Alder"]),
    p("station", Text, &[K::Station], "The railway station.", &["Alder Junction"]),
    p("spot", Text, &[K::Spot], "The place to park.", &["bay Z1 at Alder Car Park"]),
    p("plate", Text, &[K::Plate], "What is on the car's plate.", &["AA 001 AA"]),
    p("card", Text, &[K::Card], "The number of the member card.", &["MC-0000-0001"]),
    p("restaurant", Text, &[K::Restaurant], "The name of the restaurant.", &["Plain Spoon"]),
    p("cuisine", Text, &[K::Cuisine], "The way of cooking.", &["Alpine"]),
    p("dish", Text, &[K::Dish], "What to eat.", &["plain rice"]),
    p("drink", Text, &[K::Drink], "What to drink.", &["still water"]),
    p("pizza", Text, &[K::Pizza], "Which pizza.", &["plain pizza"]),
    p("bakery", Text, &[K::Bakery], "The name of the bakery.", &["Corner Bakery"]),
    p("without", Texts, &[K::Allergen], "What must not be in it.", &["garlic"]),
    p("song", Text, &[K::Song], "The title of the song.", &["Plain Song"]),
    p("band", Text, &[K::Band], "The name of the band.", &["The Plain Chords"]),
    p("film", Text, &[K::Film], "The title of the film.", &["A Plain Story"]),
    p("author", Text, &[K::Author], "The name of the writer.", &["C. Plain"]),
    p("podcast", Text, &[K::Podcast], "The title of the podcast.", &["Plain Talk"]),
    p("playlist", Text, &[K::Playlist], "The name of the playlist.", &["Plain Mix"]),
    p("airline", Text, &[K::Airline], "The airline.", &["Plain Air"]),
    p("seat", Text, &[K::Seat], "Where to sit on board.", &["middle"]),
    p("hotel", Text, &[K::Hotel], "The name of the hotel.", &["Hotel Plain"]),
    p("transport", Text, &[K::Transport], "The way to move.", &["ferry"]),
    p("account", Text, &[K::Account], "The number of the bank account.", &["ACC 0000 0000 01"]),
    p("pay_with", Text, &[K::PayMethod], "The way to pay.", &["cheque"]),
    p("team", Text, &[K::Team], "The name of the team.", &["Alder Town"]),
    p("label", Text, &[], "A short name for it.", &["laundry", "homework", "garden"]),
    p("message", Text, &[], "What to say.", &["I am on my way", "see you soon", "thank you"]),
    p("subject", Text, &[], "What it is about.", &["the picnic", "the concert", "the repair"]),
    p("item", Text, &[], "What to buy.", &["candles", "batteries", "flower seeds"]),
    p("minutes", Whole, &[], "How many minutes.", &["10", "25", "45"]),
    p("count", Whole, &[], "How many.", &["2", "3", "6"]),
    p("nights", Whole, &[], "How many nights.", &["2", "4", "7"]),
    p("guests", Whole, &[], "How many people.", &["2", "4", "5"]),
    p("amount", Number, &[], "How much money.", &["12.5", "40.25", "99.9"]),
    p("degrees", Number, &[], "The temperature in degrees Celsius.", &["19.5", "21.5"]),
    p("level", Whole, &[], "How strong, from 0 to 100.", &["20", "55", "80"]),
    p("stars", Whole, &[], "How good, from 1 to 5.", &["3", "4", "5"]),
    p("state", Flag, &[], "Whether it is to be on.", &["on", "off"]),
    p("repeat", OneOf, &[], "How often it comes again.", &["once", "daily", "weekly"]),
    p("room", OneOf, &[], "Which room.", &["kitchen", "bedroom", "hall", "study"]),
    p("class", OneOf, &[], "Which class.", &["economy", "business"]),
    p("genre", OneOf, &[], "Which kind of music.", &["jazz", "folk", "classical"]),
    p("size", OneOf, &[], "Which size.", &["small", "medium", "large"]),
    p("priority", OneOf, &[], "How urgent it is.", &["low", "normal", "high"]),
];

/// The parameter of that name.
pub fn parameter(name: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|p| p.name == name)
}
