//! The relations of a family's graph: what they lead to, and in which words people speak of them.

use super::values::Kind;

/// Which part of life a relation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RelationGroup {
    /// Relations between relatives.
    Kin,
    /// Relations to people who are no relatives.
    Social,
    /// People who do something for one.
    Services,
    /// Addresses and places.
    Places,
    /// What one is known by.
    Identity,
    /// When one does what.
    Routine,
    /// What one eats and drinks.
    Food,
    /// What one hears, sees and reads.
    Media,
    /// Tickets, stations and vehicles.
    Travel,
    /// Accounts and cards.
    Money,
    /// What one does for fun.
    Leisure,
}

/// A relation from a person to a person or a value.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// Its name in the graph.
    pub name: &'static str,
    /// Which part of life.
    pub group: RelationGroup,
    /// What it leads to.
    pub range: Kind,
    /// Whether a person may have several.
    pub is_multiple: bool,
    /// A noun of the same meaning.
    pub synonym: &'static str,
    /// A paraphrase; `{p}` is the person, who is not the speaker.
    pub paraphrase: &'static str,
    /// Whether it is kept for the cells of unseen relations.
    pub is_unseen: bool,
}

impl Relation {
    /// Its name as a noun: what a person says who uses the graph's own words.
    pub fn noun(&self) -> String {
        self.name.replace('_', " ")
    }
}

const fn one(
    name: &'static str,
    group: RelationGroup,
    range: Kind,
    synonym: &'static str,
    paraphrase: &'static str,
) -> Relation {
    Relation { name, group, range, is_multiple: false, synonym, paraphrase, is_unseen: false }
}

const fn many(relation: Relation) -> Relation {
    Relation { is_multiple: true, ..relation }
}

const fn unseen(relation: Relation) -> Relation {
    Relation { is_unseen: true, ..relation }
}

use Kind as K;
use RelationGroup::*;

/// Every relation, by group.
pub static RELATIONS: [Relation; 65] = [
    one("mother", Kin, K::Person, "mum", "the woman {p} was born to"),
    one("father", Kin, K::Person, "dad", "the man {p} calls daddy"),
    one("spouse", Kin, K::Person, "partner", "the person {p} is married to"),
    many(one("son", Kin, K::Person, "boy", "the boy whom {p} brings up")),
    many(one("daughter", Kin, K::Person, "girl", "the girl whom {p} brings up")),
    many(one("brother", Kin, K::Person, "bro", "the boy who grew up with {p}")),
    many(one("sister", Kin, K::Person, "sis", "the girl who grew up with {p}")),
    many(one(
        "grandmother",
        Kin,
        K::Person,
        "gran",
        "the woman who is a parent of a parent of {p}",
    )),
    many(one(
        "grandfather",
        Kin,
        K::Person,
        "grandad",
        "the man who is a parent of a parent of {p}",
    )),
    unseen(many(one("aunt", Kin, K::Person, "auntie", "the woman whose nephew or niece {p} is"))),
    unseen(many(one("uncle", Kin, K::Person, "nunky", "the man whose nephew or niece {p} is"))),
    unseen(many(one("cousin", Kin, K::Person, "coz", "the child of an aunt or uncle of {p}"))),
    one("best_friend", Social, K::Person, "closest pal", "the friend {p} trusts most"),
    one("neighbour", Social, K::Person, "person next door", "the person who lives next to {p}"),
    one("colleague", Social, K::Person, "workmate", "the person who shares an office with {p}"),
    one("manager", Social, K::Person, "boss", "the person {p} reports to"),
    unseen(one(
        "teacher",
        Social,
        K::Person,
        "tutor in class",
        "the person who teaches the class of {p}",
    )),
    unseen(one(
        "classmate",
        Social,
        K::Person,
        "schoolfellow",
        "the person who sits beside {p} in class",
    )),
    one("family_doctor", Services, K::Person, "physician", "the doctor who looks after {p}"),
    one("dentist", Services, K::Person, "tooth doctor", "the person who fixes the teeth of {p}"),
    one("barber", Services, K::Person, "hairdresser", "the person who cuts the hair of {p}"),
    one(
        "private_tutor",
        Services,
        K::Person,
        "coach for lessons",
        "the person who gives {p} lessons at home",
    ),
    unseen(one(
        "vet",
        Services,
        K::Person,
        "animal doctor",
        "the person who treats the pet of {p}",
    )),
    unseen(one(
        "babysitter",
        Services,
        K::Person,
        "childminder",
        "the person who minds the children for {p}",
    )),
    one("home_address", Places, K::Address, "residence", "the address where {p} lives"),
    one("workplace", Places, K::Place, "office", "the place where {p} works"),
    one("school", Places, K::Place, "place of learning", "the place where {p} goes to class"),
    one("hometown", Places, K::City, "town of origin", "the city where {p} grew up"),
    one("gym", Places, K::Place, "fitness studio", "the place where {p} lifts weights"),
    unseen(one(
        "holiday_home",
        Places,
        K::Address,
        "summer house",
        "the house where {p} spends the holidays",
    )),
    unseen(one("parking_spot", Places, K::Spot, "car space", "the spot where {p} leaves the car")),
    one(
        "usual_station",
        Places,
        K::Station,
        "train stop",
        "the station where {p} gets on the train",
    ),
    one("phone_number", Identity, K::Phone, "mobile", "the number under which {p} can be called"),
    one(
        "email_address",
        Identity,
        K::Email,
        "mailbox",
        "the address to which {p} gets electronic mail",
    ),
    one("birthday", Identity, K::Date, "date of birth", "the day on which {p} was born"),
    unseen(one(
        "plate_number",
        Identity,
        K::Plate,
        "car registration",
        "the letters and digits on the car of {p}",
    )),
    one(
        "member_card",
        Identity,
        K::Card,
        "loyalty card",
        "the card with which {p} collects points",
    ),
    one("wakeup_time", Routine, K::Time, "rising hour", "the time when {p} gets up"),
    one("bedtime", Routine, K::Time, "sleeping hour", "the time when {p} goes to sleep"),
    one("dinner_slot", Routine, K::Time, "supper hour", "the time when {p} eats in the evening"),
    one("workout_slot", Routine, K::Time, "exercise hour", "the time when {p} trains"),
    unseen(one("lunch_break", Routine, K::Time, "midday pause", "the time when {p} eats at noon")),
    unseen(one(
        "medicine_time",
        Routine,
        K::Time,
        "pill hour",
        "the time when {p} takes the tablets",
    )),
    one(
        "favourite_restaurant",
        Food,
        K::Restaurant,
        "preferred eatery",
        "the restaurant where {p} loves to eat",
    ),
    one("favourite_cuisine", Food, K::Cuisine, "preferred cooking", "the cooking {p} loves most"),
    one("favourite_dish", Food, K::Dish, "preferred meal", "the dish {p} loves most"),
    one("favourite_drink", Food, K::Drink, "preferred beverage", "the thing {p} loves to drink"),
    one("pizza_style", Food, K::Pizza, "usual pizza", "the pizza {p} always takes"),
    unseen(one(
        "favourite_bakery",
        Food,
        K::Bakery,
        "preferred baker",
        "the shop where {p} buys bread",
    )),
    unseen(many(one(
        "allergy",
        Food,
        K::Allergen,
        "food intolerance",
        "the things {p} must not eat",
    ))),
    one("favourite_song", Media, K::Song, "preferred tune", "the song {p} hums all day"),
    one("favourite_band", Media, K::Band, "preferred music group", "the band {p} loves to hear"),
    one("favourite_film", Media, K::Film, "preferred movie", "the film {p} could see every day"),
    one("favourite_author", Media, K::Author, "preferred writer", "the writer {p} loves to read"),
    unseen(one(
        "favourite_podcast",
        Media,
        K::Podcast,
        "preferred radio talk",
        "the podcast {p} never misses",
    )),
    unseen(one("own_playlist", Media, K::Playlist, "music list", "the playlist {p} made")),
    one("favourite_city", Travel, K::City, "preferred destination", "the city {p} loves to visit"),
    one(
        "favourite_airline",
        Travel,
        K::Airline,
        "preferred carrier",
        "the company {p} loves to fly with",
    ),
    unseen(one(
        "preferred_seat",
        Travel,
        K::Seat,
        "usual place on board",
        "the seat {p} takes on a plane",
    )),
    one("favourite_hotel", Travel, K::Hotel, "preferred inn", "the hotel where {p} loves to stay"),
    unseen(one(
        "transport_mode",
        Travel,
        K::Transport,
        "way of getting around",
        "the way {p} moves about town",
    )),
    one(
        "bank_account",
        Money,
        K::Account,
        "account at the bank",
        "the account on which {p} gets paid",
    ),
    unseen(one("pay_method", Money, K::PayMethod, "means of payment", "the thing {p} pays with")),
    one("favourite_team", Leisure, K::Team, "preferred club", "the team {p} cheers for"),
    unseen(one(
        "hobby_venue",
        Leisure,
        K::Place,
        "hobby place",
        "the place where {p} spends free evenings",
    )),
];

/// The relation of that name.
pub fn relation(name: &str) -> Option<&'static Relation> {
    RELATIONS.iter().find(|r| r.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_relations_share_a_word_for_themselves() {
        let mut words = BTreeSet::new();
        for relation in &RELATIONS {
            assert!(words.insert(relation.noun()), "{}", relation.name);
            assert!(words.insert(relation.synonym.to_owned()), "{}", relation.name);
            assert!(words.insert(relation.paraphrase.to_owned()), "{}", relation.name);
            assert!(relation.paraphrase.contains("{p}"), "{}", relation.name);
        }
    }

    #[test]
    fn a_third_of_the_relations_is_kept_unseen_and_each_group_has_seen_ones() {
        assert_eq!(RELATIONS.iter().filter(|r| r.is_unseen).count(), 20);
        let groups: BTreeSet<RelationGroup> = RELATIONS.iter().map(|r| r.group).collect();
        for group in groups {
            assert!(RELATIONS.iter().any(|r| r.group == group && !r.is_unseen), "{group:?}");
        }
    }
}
