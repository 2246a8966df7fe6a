//! The tools of the benchmark: 102 of them, in groups, each with a sentence in which a person asks
//! for it.

use serde_json::{Map, Value, json};

use super::model::ToolDef;
use super::parameters::{Parameter, parameter};

/// A tool of ours.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Its group: tools of a group are easily taken for one another.
    pub group: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What a model reads of it.
    pub description: &'static str,
    /// Parameters that must be given, and then those that may.
    pub required: &'static [&'static str],
    /// Parameters that may be given.
    pub optional: &'static [&'static str],
    /// How a person asks for it; each `{parameter}` is said where it stands.
    pub frame: &'static str,
}

impl Template {
    /// The parameters that the frame speaks of, in its order.
    pub fn said(&self) -> Vec<&'static Parameter> {
        self.frame
            .split('{')
            .skip(1)
            .filter_map(|rest| parameter(rest.split('}').next().unwrap_or_default()))
            .collect()
    }

    /// What a model is shown of it.
    pub fn definition(&self) -> ToolDef {
        let named = self.required.iter().chain(self.optional);
        let properties: Map<String, Value> = named
            .filter_map(|name| parameter(name))
            .map(|p| (p.name.to_owned(), p.schema()))
            .collect();
        ToolDef {
            name: self.name.to_owned(),
            description: self.description.to_owned(),
            parameters: json!({
                "type": "object",
                "properties": properties,
                "required": self.required,
                "additionalProperties": false,
            }),
        }
    }
}

/// Name, description, required and optional parameters, frame.
type Row =
    (&'static str, &'static str, &'static [&'static str], &'static [&'static str], &'static str);

const ALARMS: [Row; 9] = [
    (
        "set_alarm",
        "Sets an alarm that rings at a time of the day.",
        &["time"],
        &["label", "repeat"],
        "Set an alarm for {time}.",
    ),
    (
        "cancel_alarm",
        "Removes the alarm that rings at a time.",
        &["time"],
        &[],
        "Remove the alarm that rings at {time}.",
    ),
    (
        "move_alarm",
        "Moves an alarm from one time to another.",
        &["time", "new_time"],
        &[],
        "Move the alarm from {time} to {new_time}.",
    ),
    (
        "label_alarm",
        "Names an alarm.",
        &["time", "label"],
        &[],
        "Label the alarm at {time} as {label}.",
    ),
    (
        "repeat_alarm",
        "Says how often an alarm comes again.",
        &["time", "repeat"],
        &[],
        "Let the alarm at {time} ring {repeat}.",
    ),
    (
        "set_alarm_song",
        "Says which song an alarm plays.",
        &["time", "song"],
        &[],
        "Let the alarm at {time} play {song}.",
    ),
    (
        "start_timer",
        "Starts a timer that runs for some minutes.",
        &["minutes"],
        &["label"],
        "Start a timer of {minutes} minutes for {label}.",
    ),
    (
        "snooze_until",
        "Silences all alarms until a time.",
        &["until"],
        &[],
        "Keep all alarms quiet until {until}.",
    ),
    (
        "wind_down",
        "Begins the quiet hour before sleep at a time.",
        &["time"],
        &["minutes"],
        "Begin to wind down {minutes} minutes ahead of {time}.",
    ),
];
const CALENDAR: [Row; 9] = [
    (
        "add_event",
        "Puts an event into the calendar.",
        &["label", "date"],
        &["time", "venue"],
        "Put {label} into the calendar on {date}.",
    ),
    (
        "add_event_at_place",
        "Puts an event at a place into the calendar.",
        &["label", "venue"],
        &["time"],
        "Plan {label} at {venue}.",
    ),
    (
        "invite_to_event",
        "Invites people to an event.",
        &["label", "contacts"],
        &[],
        "Invite {contacts} to the event {label}.",
    ),
    (
        "cancel_event",
        "Removes what the calendar has on a day.",
        &["date"],
        &["label"],
        "Clear the calendar on {date}.",
    ),
    (
        "remind_at",
        "Reminds at a time of the day.",
        &["label", "time"],
        &["repeat"],
        "Remind me of {label} at {time}.",
    ),
    (
        "remind_on_day",
        "Reminds on a day of the year.",
        &["label", "date"],
        &[],
        "Remind me of {label} on {date}.",
    ),
    (
        "remind_at_place",
        "Reminds when one arrives at a place.",
        &["label", "destination"],
        &[],
        "Remind me of {label} when I get to {destination}.",
    ),
    (
        "list_events",
        "Lists what the calendar has on a day.",
        &["date"],
        &[],
        "What does the calendar have on {date}?",
    ),
    (
        "share_calendar",
        "Lets a person see the calendar.",
        &["email"],
        &["until"],
        "Share my calendar with {email}.",
    ),
];
const CONTACT: [Row; 10] = [
    ("call_person", "Calls a person of the contacts.", &["contact"], &[], "Give {contact} a call."),
    ("call_number", "Calls a telephone number.", &["phone"], &[], "Dial {phone}."),
    (
        "video_call",
        "Begins a video call with a person.",
        &["contact"],
        &["time"],
        "Begin a video call with {contact}.",
    ),
    (
        "send_text",
        "Sends a short message to a number.",
        &["phone", "message"],
        &[],
        "Text \"{message}\" to {phone}.",
    ),
    (
        "send_email",
        "Sends electronic mail.",
        &["email", "subject"],
        &["message"],
        "Write a mail about {subject} to {email}.",
    ),
    (
        "message_group",
        "Sends one message to several people.",
        &["contacts", "message"],
        &[],
        "Tell {contacts} \"{message}\".",
    ),
    (
        "leave_voicemail",
        "Speaks a message onto a number's mailbox.",
        &["phone", "message"],
        &[],
        "Leave \"{message}\" on the machine at {phone}.",
    ),
    ("block_number", "Blocks calls from a number.", &["phone"], &[], "Block calls from {phone}."),
    (
        "forward_calls",
        "Forwards calls to a number until a time.",
        &["phone"],
        &["until"],
        "Forward my calls to {phone} until {until}.",
    ),
    (
        "share_location",
        "Shows a person where one is.",
        &["contact", "minutes"],
        &[],
        "Show {contact} where I am for {minutes} minutes.",
    ),
];
const HOME: [Row; 12] = [
    (
        "switch_lights",
        "Switches the lights of a room.",
        &["room", "state"],
        &["time"],
        "Switch the lights in the {room} {state} at {time}.",
    ),
    (
        "dim_lights",
        "Dims the lights of a room.",
        &["room", "level"],
        &["time"],
        "Dim the {room} to {level} percent at {time}.",
    ),
    (
        "heat_room",
        "Heats a room to a temperature.",
        &["room", "degrees"],
        &["time"],
        "Heat the {room} to {degrees} degrees by {time}.",
    ),
    (
        "cool_room",
        "Cools a room to a temperature.",
        &["room", "degrees"],
        &["until"],
        "Cool the {room} to {degrees} degrees until {until}.",
    ),
    (
        "open_blinds",
        "Opens the blinds at a time.",
        &["room", "time"],
        &[],
        "Open the blinds in the {room} at {time}.",
    ),
    (
        "close_blinds",
        "Closes the blinds at a time.",
        &["room", "time"],
        &[],
        "Close the blinds in the {room} at {time}.",
    ),
    ("lock_doors", "Locks all doors at a time.", &["time"], &[], "Lock all doors at {time}."),
    (
        "brew_coffee",
        "Brews coffee at a time.",
        &["time"],
        &["size"],
        "Brew a {size} coffee at {time}.",
    ),
    (
        "run_vacuum",
        "Lets the robot clean a room.",
        &["room"],
        &["time"],
        "Let the robot clean the {room} at {time}.",
    ),
    (
        "arm_alarm_system",
        "Arms the house against burglars until a time.",
        &["until"],
        &[],
        "Arm the house until {until}.",
    ),
    (
        "admit_guest",
        "Opens the door for a person until a time.",
        &["contact"],
        &["until"],
        "Let {contact} in until {until}.",
    ),
    ("open_garage", "Opens the garage for a car.", &["plate"], &[], "Open the garage for {plate}."),
];
const DELIVERY: [Row; 10] = [
    (
        "order_dish",
        "Orders something to eat.",
        &["dish"],
        &["count", "without"],
        "Order {count} portions of {dish}.",
    ),
    (
        "order_from",
        "Orders something from a restaurant.",
        &["restaurant", "dish"],
        &[],
        "Order {dish} from {restaurant}.",
    ),
    (
        "order_pizza",
        "Orders a pizza.",
        &["pizza", "size"],
        &["address"],
        "Order {pizza} in {size}.",
    ),
    (
        "order_drinks",
        "Orders drinks.",
        &["drink", "count"],
        &[],
        "Get me {count} bottles of {drink}.",
    ),
    (
        "order_bread",
        "Orders bread from a bakery.",
        &["bakery"],
        &["count"],
        "Get {count} loaves from {bakery}.",
    ),
    (
        "deliver_food_to",
        "Has food brought to an address.",
        &["dish", "address"],
        &[],
        "Have {dish} brought to {address}.",
    ),
    (
        "order_safe_meal",
        "Orders a meal that lacks some things.",
        &["dish", "without"],
        &[],
        "Order {dish} without {without}.",
    ),
    (
        "cancel_delivery",
        "Cancels what a restaurant is to bring.",
        &["restaurant"],
        &[],
        "Cancel what {restaurant} is to bring.",
    ),
    (
        "track_delivery",
        "Tells where a delivery to an address is.",
        &["address"],
        &[],
        "Where is the delivery to {address}?",
    ),
    (
        "rate_delivery",
        "Rates what a restaurant brought.",
        &["restaurant", "stars"],
        &[],
        "Give {stars} stars to the delivery of {restaurant}.",
    ),
];
const DINING: [Row; 6] = [
    (
        "book_table",
        "Books a table.",
        &["restaurant", "guests"],
        &["time"],
        "Book a table for {guests} at {restaurant}.",
    ),
    (
        "book_table_at_time",
        "Books a table for a time.",
        &["restaurant", "time"],
        &["guests"],
        "Book {restaurant} for {time}.",
    ),
    (
        "cancel_table",
        "Cancels a booked table.",
        &["restaurant"],
        &[],
        "Cancel my table at {restaurant}.",
    ),
    (
        "find_by_cuisine",
        "Finds restaurants by their cooking.",
        &["cuisine"],
        &["city"],
        "Find a restaurant that serves {cuisine}.",
    ),
    (
        "find_in_city",
        "Finds restaurants with a cooking in a city.",
        &["cuisine", "city"],
        &[],
        "Find {cuisine} in {city}.",
    ),
    (
        "show_menu",
        "Shows the menu of a restaurant.",
        &["restaurant"],
        &[],
        "Show me the menu of {restaurant}.",
    ),
];
const RIDES: [Row; 10] = [
    (
        "call_taxi",
        "Calls a taxi to a place.",
        &["destination"],
        &["guests"],
        "Call a taxi to {destination}.",
    ),
    (
        "call_taxi_from",
        "Calls a taxi from one place to another.",
        &["pickup", "destination"],
        &[],
        "I need a taxi from {pickup} to {destination}.",
    ),
    (
        "plan_route",
        "Plans the way to a place.",
        &["destination"],
        &["transport"],
        "How do I get to {destination}?",
    ),
    (
        "plan_route_by",
        "Plans the way to a place with a way to move.",
        &["destination", "transport"],
        &[],
        "Plan the way to {destination} by {transport}.",
    ),
    (
        "next_train",
        "Tells the next train at a station.",
        &["station"],
        &["time"],
        "When does the next train leave {station}?",
    ),
    (
        "buy_train_ticket",
        "Buys a ticket between cities.",
        &["from_city", "to_city"],
        &["class"],
        "Buy a train ticket from {from_city} to {to_city}.",
    ),
    (
        "reserve_parking",
        "Reserves a place to park.",
        &["spot", "plate"],
        &[],
        "Reserve {spot} for {plate}.",
    ),
    (
        "pay_parking",
        "Pays for parking a car.",
        &["plate", "minutes"],
        &[],
        "Pay {minutes} minutes of parking for {plate}.",
    ),
    (
        "rent_bicycle",
        "Rents a bicycle at a station.",
        &["station"],
        &["minutes"],
        "Rent a bicycle at {station} for {minutes} minutes.",
    ),
    (
        "check_traffic",
        "Tells the traffic on the way to a place.",
        &["destination"],
        &[],
        "How is the traffic on the way to {destination}?",
    ),
];
const TRAVEL: [Row; 10] = [
    (
        "book_flight",
        "Books a flight between cities.",
        &["from_city", "to_city"],
        &["class"],
        "Book a flight from {from_city} to {to_city}.",
    ),
    (
        "book_flight_with",
        "Books a flight with an airline.",
        &["airline", "to_city"],
        &[],
        "Book a flight with {airline} to {to_city}.",
    ),
    (
        "choose_seat",
        "Chooses a seat with an airline.",
        &["airline", "seat"],
        &[],
        "As the seat take {seat}, and fly with {airline}.",
    ),
    (
        "flight_deals",
        "Lists cheap flights to a city.",
        &["to_city"],
        &["class"],
        "Look for cheap {class} flights to {to_city}.",
    ),
    ("check_in", "Checks in with an airline.", &["airline"], &[], "Check me in with {airline}."),
    (
        "book_hotel",
        "Books a hotel.",
        &["hotel", "nights"],
        &[],
        "Book {hotel} for {nights} nights.",
    ),
    (
        "find_hotel",
        "Finds a hotel in a city.",
        &["city", "nights"],
        &[],
        "Find a hotel in {city} for {nights} nights.",
    ),
    ("cancel_hotel", "Cancels a stay at a hotel.", &["hotel"], &[], "Cancel my stay at {hotel}."),
    (
        "weather",
        "Tells the weather in a city.",
        &["city"],
        &["date"],
        "What is the weather in {city}?",
    ),
    ("travel_guide", "Shows a guide of a city.", &["city"], &[], "Show me a guide of {city}."),
];
const MEDIA: [Row; 12] = [
    ("play_song", "Plays a song.", &["song"], &["room"], "Play {song} in the {room}."),
    ("play_band", "Plays music by a band.", &["band"], &["room"], "Play something by {band}."),
    (
        "play_playlist",
        "Plays a playlist.",
        &["playlist"],
        &["level"],
        "Play {playlist} at volume {level}.",
    ),
    (
        "play_genre",
        "Plays a kind of music until a time.",
        &["genre"],
        &["until"],
        "Play {genre} music until {until}.",
    ),
    (
        "add_to_playlist",
        "Adds a song to a playlist.",
        &["song", "playlist"],
        &[],
        "Add {song} to {playlist}.",
    ),
    (
        "play_podcast",
        "Plays a podcast.",
        &["podcast"],
        &[],
        "Play the newest episode of {podcast}.",
    ),
    ("play_film", "Shows a film.", &["film"], &["time"], "Show {film} at {time}."),
    ("rate_film", "Rates a film.", &["film", "stars"], &[], "Give {stars} stars to {film}."),
    (
        "buy_cinema_tickets",
        "Buys tickets for a film.",
        &["film", "count"],
        &[],
        "Buy {count} tickets for {film}.",
    ),
    (
        "concert_dates",
        "Tells when a band plays in a city.",
        &["band"],
        &["city"],
        "When does {band} play in {city}?",
    ),
    ("find_books", "Finds books by a writer.", &["author"], &[], "Find books by {author}."),
    (
        "match_result",
        "Tells how a team's last match ended.",
        &["team"],
        &[],
        "How did {team} play?",
    ),
];
const MONEY: [Row; 7] = [
    (
        "transfer_money",
        "Transfers money to an account.",
        &["account", "amount"],
        &["subject"],
        "Transfer {amount} to {account}.",
    ),
    (
        "standing_order",
        "Transfers money again and again.",
        &["account", "amount", "repeat"],
        &[],
        "Set up a transfer of {amount} to {account}, {repeat}.",
    ),
    (
        "account_balance",
        "Tells the balance of an account.",
        &["account"],
        &[],
        "How much is on {account}?",
    ),
    (
        "set_pay_method",
        "Says how to pay from now on.",
        &["pay_with"],
        &[],
        "Pay with {pay_with} from now on.",
    ),
    (
        "pay_bill",
        "Pays a bill.",
        &["amount", "pay_with"],
        &[],
        "Pay the bill of {amount} with {pay_with}.",
    ),
    (
        "collect_points",
        "Collects points on a member card.",
        &["card", "amount"],
        &[],
        "Put the points of {amount} onto {card}.",
    ),
    (
        "request_money",
        "Asks a person for money.",
        &["contact", "amount"],
        &[],
        "Ask {contact} for {amount}.",
    ),
];
const HEALTH: [Row; 4] = [
    (
        "book_appointment",
        "Books an appointment with somebody who treats people or animals.",
        &["contact"],
        &["date"],
        "Book an appointment with {contact}.",
    ),
    (
        "medicine_reminder",
        "Reminds of a medicine at a time.",
        &["time"],
        &["repeat"],
        "Remind me {repeat} to take the drops at {time}.",
    ),
    (
        "log_workout",
        "Notes a training at a place.",
        &["venue", "minutes"],
        &[],
        "Note {minutes} minutes of training at {venue}.",
    ),
    (
        "check_food",
        "Tells whether a dish has what must not be in it.",
        &["dish", "without"],
        &[],
        "Does {dish} have {without} in it?",
    ),
];
const SHOPPING: [Row; 3] = [
    (
        "send_gift",
        "Sends a gift to an address.",
        &["item", "address"],
        &[],
        "Send {item} to {address}.",
    ),
    (
        "buy_with_card",
        "Buys something and collects points on a card.",
        &["item", "card"],
        &["count"],
        "Buy {count} {item} on {card}.",
    ),
    (
        "buy_fan_article",
        "Buys something of a team.",
        &["team", "size"],
        &[],
        "Buy a {size} scarf of {team}.",
    ),
];

/// Every tool, by group.
pub fn templates() -> Vec<Template> {
    let groups: [(&'static str, &'static [Row]); 12] = [
        ("alarms", &ALARMS),
        ("calendar", &CALENDAR),
        ("contact", &CONTACT),
        ("home", &HOME),
        ("delivery", &DELIVERY),
        ("dining", &DINING),
        ("rides", &RIDES),
        ("travel", &TRAVEL),
        ("media", &MEDIA),
        ("money", &MONEY),
        ("health", &HEALTH),
        ("shopping", &SHOPPING),
    ];
    let rows = groups.iter().flat_map(|(group, rows)| rows.iter().map(move |row| (*group, row)));
    rows.map(|(group, &(name, description, required, optional, frame))| Template {
        group,
        name,
        description,
        required,
        optional,
        frame,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_102_tools_under_names_of_their_own() {
        let templates = templates();
        let names: BTreeSet<&str> = templates.iter().map(|t| t.name).collect();
        assert_eq!((templates.len(), names.len()), (102, 102));
    }

    #[test]
    fn what_a_frame_says_is_declared_and_all_that_is_required_is_said() {
        for template in templates() {
            let declared: Vec<&str> =
                template.required.iter().chain(template.optional).copied().collect();
            for name in &declared {
                assert!(parameter(name).is_some(), "{}: {name}", template.name);
            }
            let said: Vec<&str> = template.said().iter().map(|p| p.name).collect();
            assert_eq!(said.len(), template.frame.matches('{').count(), "{}", template.name);
            for name in &said {
                assert!(declared.contains(name), "{}: {name}", template.name);
            }
            for name in template.required {
                assert!(said.contains(name), "{}: {name} is not said", template.name);
            }
        }
    }
}
