//! Made-up visits of the shops' pages, which fit the orders.

use super::{
    catalogue::{CHANNELS, Shop},
    orders::Order,
    random::Random,
    year,
};
use chrono::NaiveDate;
use serde::Serialize;
use std::collections::HashMap;

/// The visits of a day that came by one channel, and how far they went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Visits {
    pub day: String,
    pub shop: &'static str,
    pub channel: &'static str,
    pub visits: i64,
    /// Those that put something into the cart.
    pub carts: i64,
    /// Those that went on to the payment.
    pub checkouts: i64,
    /// Those that ended with an order.
    pub purchases: i64,
}

/// The visits that led to a shop's orders, and the others.
pub(super) fn visit(shop: &'static Shop, orders: &[Order], newest: NaiveDate, random: &mut Random) -> Vec<Visits> {
    let mut bought: HashMap<(&str, &str), i64> = HashMap::new();
    for order in orders.iter().filter(|order| order.shop == shop.id) {
        *bought.entry((&order.placed_at[..10], order.channel)).or_default() += 1;
    }
    let days = year::first_day(newest).iter_days().take_while(|day| *day <= newest);
    let mut all = Vec::new();
    for day in days {
        let expected = shop.orders * year::level(shop, day, newest);
        for (channel, share, conversion) in CHANNELS {
            let text = day.to_string();
            let purchases = bought.get(&(text.as_str(), channel)).copied().unwrap_or_default();
            // Many look because of a campaign, and few of them order.
            let crowd = if channel == "Social" && year::is_campaign(day, newest) { 2.8 } else { 1.0 };
            let visits = random.count(expected * share * crowd / conversion).max(purchases * 4);
            let given_up = (visits - purchases) as f64;
            let left_at_payment = random.count(given_up * conversion * 0.55);
            let left_in_cart = random.count(given_up * conversion * 1.9);
            let checkouts = (purchases + left_at_payment).min(visits);
            let carts = (checkouts + left_in_cart).min(visits);
            all.push(Visits { day: text, shop: shop.id, channel, visits, carts, checkouts, purchases });
        }
    }
    all
}
