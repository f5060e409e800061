//! Made-up orders of a shop, with the customers who place them.

use super::{
    catalogue::{CHANNELS, COUNTRIES, Category, Shop},
    people,
    random::Random,
    year,
};
use chrono::{Datelike, Days, NaiveDate};
use serde::Serialize;

/// The share of private orders that come from new customers.
const NEW: f64 = 0.41;
/// The share of private orders outside of sales with a voucher, and what it takes off.
const VOUCHER: (f64, f64) = (0.07, 0.1);
/// The price up to which large customers buy a product, in cents: they need many pieces, none of which is dear.
const BUSINESS_PRICE: i64 = 25_000;
/// What large customers pay less.
const BUSINESS_DISCOUNT: f64 = 0.1;
/// Private customers' orders by hour.
const HOURS: [f64; 24] =
    [0.5, 0.2, 0.1, 0.1, 0.1, 0.2, 0.6, 1.4, 2.2, 2.8, 3.2, 3.6, 4.2, 3.9, 3.2, 3.0, 3.2, 3.8, 4.6, 5.8, 6.6, 6.0, 3.8, 1.6];

/// A product of a shop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Product {
    pub id: i64,
    pub shop: &'static str,
    pub name: &'static str,
    pub category: &'static str,
    pub price: f64,
    pub stock: i64,
    pub reorder_at: i64,
}

/// Somebody who ordered once or more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Customer {
    pub id: i64,
    pub shop: &'static str,
    pub name: String,
    pub kind: &'static str,
    pub country: &'static str,
    pub first_ordered_on: String,
}

/// An order of one product.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Order {
    pub id: i64,
    pub shop: &'static str,
    pub customer_id: i64,
    pub product_id: i64,
    pub placed_at: String,
    pub channel: &'static str,
    pub quantity: i64,
    /// At the list price.
    pub list_amount: f64,
    pub discount: f64,
    /// What the customer paid.
    pub amount: f64,
    pub cost: f64,
    pub refund: f64,
    pub returned_on: Option<String>,
    /// 1 for the first order of its customer.
    pub first_order: i64,
    /// Days to the customer's next order.
    pub days_to_next: Option<i64>,
    /// Days from the order to the newest day.
    pub days_ago: i64,
}

/// All rows of the source but the visits.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Sold {
    pub products: Vec<Product>,
    pub customers: Vec<Customer>,
    pub orders: Vec<Order>,
}

/// What a shop has sold from the first day up to `newest`. Ids follow those in `sold`.
pub(super) fn sell(shop: &'static Shop, newest: NaiveDate, random: &mut Random, sold: &mut Sold) {
    let mut till = Till {
        shop,
        newest,
        goods: goods(shop),
        regulars: Vec::new(),
        last_orders: Vec::new(),
        first_customer: sold.customers.len(),
        first_product: sold.products.len(),
        random,
        sold,
    };
    let first = year::first_day(newest);
    for (number, day) in first.iter_days().take_while(|day| *day <= newest).enumerate() {
        till.day(number, day);
    }
    till.stock();
}

/// A product with its category.
type Good = (&'static Category, &'static str, i64, f64);

fn goods(shop: &'static Shop) -> Vec<Good> {
    let of = |category: &'static Category| {
        category.products.iter().map(move |(name, cents, weight)| (category, *name, *cents, *weight))
    };
    shop.categories.iter().flat_map(of).collect()
}

/// Who orders, and what.
struct Purchase {
    at: (usize, usize),
    customer: usize,
    is_business: bool,
    quantity: i64,
    channel: &'static str,
}

struct Till<'a> {
    shop: &'static Shop,
    newest: NaiveDate,
    goods: Vec<Good>,
    /// The large customers who have ordered, by their place in the shop's list.
    regulars: Vec<Option<usize>>,
    /// The place of each customer's last order.
    last_orders: Vec<Option<usize>>,
    first_customer: usize,
    first_product: usize,
    random: &'a mut Random,
    sold: &'a mut Sold,
}

impl Till<'_> {
    /// The orders of a day, in the order of their times.
    fn day(&mut self, number: usize, day: NaiveDate) {
        let mut purchases = self.business_orders(number, day);
        let expected = self.shop.orders * year::level(self.shop, day, self.newest);
        let campaign = if year::is_campaign(day, self.newest) { 1.5 } else { 1.0 };
        for (channel, share, _) in CHANNELS {
            let busier = if channel == "Social" { campaign } else { 1.0 };
            for _ in 0..self.random.count(expected * share * busier) {
                let customer = self.private_customer(day);
                let at = (self.random.place(HOURS.into_iter()), self.random.below(60));
                let quantity = 1 + i64::from(self.random.chance(0.2)) + i64::from(self.random.chance(0.06));
                purchases.push(Purchase { at, customer, is_business: false, quantity, channel });
            }
        }
        purchases.sort_by_key(|purchase| purchase.at);
        for purchase in purchases {
            self.order(day, &purchase);
        }
    }

    /// The orders of large customers, each every so many days, in office hours.
    fn business_orders(&mut self, number: usize, day: NaiveDate) -> Vec<Purchase> {
        let shop = self.shop;
        self.regulars.resize(shop.businesses.len(), None);
        let mut purchases = Vec::new();
        for (place, (name, every, pieces)) in shop.businesses.iter().enumerate() {
            // The last of the list came in the second year.
            let began = if place + 1 == shop.businesses.len() { 420 } else { 0 };
            // Eight days apart, so that those who order every week have a weekday each.
            let since = number.checked_sub(began + place * 8);
            let is_weekend = day.weekday().num_days_from_monday() > 4;
            if is_weekend || !since.is_some_and(|since| since.is_multiple_of(*every)) {
                continue;
            }
            let customer = match self.regulars[place] {
                Some(known) => known,
                None => self.customer((*name).to_owned(), "Business", "United States", day),
            };
            self.regulars[place] = Some(customer);
            let at = (self.random.below(3) + 8, self.random.below(60));
            let quantity = self.random.count(*pieces * year::growth(day, self.newest)).max(2);
            let channel = if place % 3 == 1 { "Email" } else { "Direct" };
            purchases.push(Purchase { at, customer, is_business: true, quantity, channel });
        }
        purchases
    }

    /// A new customer, or one who has ordered, more likely a recent one.
    fn private_customer(&mut self, day: NaiveDate) -> usize {
        let known = self.sold.customers.len() - self.first_customer;
        if known > 30 && !self.random.chance(NEW) {
            let part = self.random.part();
            let place = self.sold.customers.len() - 1 - (known as f64 * part * part) as usize;
            if self.sold.customers[place].kind == "Private" {
                return place;
            }
        }
        let name = people::name(known + self.first_customer * 3);
        let country = COUNTRIES[self.random.place(COUNTRIES.into_iter().map(|(_, share)| share))].0;
        self.customer(name, "Private", country, day)
    }

    fn customer(&mut self, name: String, kind: &'static str, country: &'static str, day: NaiveDate) -> usize {
        let place = self.sold.customers.len();
        let (id, first_ordered_on) = (place as i64 + 1, day.to_string());
        self.sold.customers.push(Customer { id, shop: self.shop.id, name, kind, country, first_ordered_on });
        self.last_orders.push(None);
        place
    }

    fn order(&mut self, day: NaiveDate, purchase: &Purchase) {
        let dearest = if purchase.is_business { BUSINESS_PRICE } else { i64::MAX };
        let weight = |&(_, _, cents, weight): &Good| if cents > dearest { 0.0 } else { weight };
        let place = self.random.place(self.goods.iter().map(weight));
        let (category, _, cents, _) = self.goods[place];
        let discount = self.discount(day, purchase.is_business);
        let list = cents * purchase.quantity;
        let off = (list as f64 * discount).round() as i64;
        let (returned_on, refund) = self.returned(day, category, purchase, list - off);
        let (hour, minute) = purchase.at;
        let second = self.random.below(60);
        let days_ago = (self.newest - day).num_days();
        let own = self.sold.orders.len();
        let before = self.last_orders[purchase.customer - self.first_customer].replace(own);
        if let Some(before) = before {
            let earlier = &mut self.sold.orders[before];
            earlier.days_to_next = Some(earlier.days_ago - days_ago);
        }
        self.sold.orders.push(Order {
            id: own as i64 + 1,
            shop: self.shop.id,
            customer_id: purchase.customer as i64 + 1,
            product_id: (self.first_product + place) as i64 + 1,
            placed_at: format!("{day} {hour:02}:{minute:02}:{second:02}"),
            channel: purchase.channel,
            quantity: purchase.quantity,
            list_amount: money(list),
            discount: money(off),
            amount: money(list - off),
            cost: money((list as f64 * category.cost).round() as i64),
            refund: money(refund),
            returned_on,
            first_order: i64::from(before.is_none()),
            days_to_next: None,
            days_ago,
        });
    }

    fn discount(&mut self, day: NaiveDate, is_business: bool) -> f64 {
        let (share, voucher) = VOUCHER;
        match year::sale(day) {
            _ if is_business => BUSINESS_DISCOUNT,
            Some((_, discount)) => discount,
            None if self.random.chance(share) => voucher,
            None => 0.0,
        }
    }

    /// The day on which an order came back, and the cents that were paid back. An order comes back within three weeks or not at all.
    fn returned(&mut self, day: NaiveDate, category: &Category, purchase: &Purchase, cents: i64) -> (Option<String>, i64) {
        let often = match purchase.channel {
            _ if purchase.is_business => 0.25,
            "Social" => 1.6,
            "Email" => 0.8,
            _ => 1.0,
        };
        let (comes_back, after) = (self.random.chance(category.returns * often), self.random.below(17) as u64 + 4);
        let back = day + Days::new(after);
        if comes_back && back <= self.newest { (Some(back.to_string()), cents) } else { (None, 0) }
    }

    /// The products with what is left of them. Every seventh is nearly sold out.
    fn stock(&mut self) {
        let mut monthly = vec![0; self.goods.len()];
        for order in self.sold.orders.iter().filter(|order| order.shop == self.shop.id && order.days_ago < 30) {
            monthly[order.product_id as usize - 1 - self.first_product] += order.quantity;
        }
        for (place, (category, name, cents, _)) in self.goods.iter().enumerate() {
            let daily = monthly[place] as f64 / 30.0;
            let days = if place % 7 == 3 { self.random.below(9) } else { self.random.below(55) + 18 };
            self.sold.products.push(Product {
                id: (self.first_product + place) as i64 + 1,
                shop: self.shop.id,
                name,
                category: category.name,
                price: money(*cents),
                stock: (daily * days as f64).ceil() as i64,
                reorder_at: (daily * 12.0).ceil() as i64,
            });
        }
    }
}

/// Cents as an amount.
fn money(cents: i64) -> f64 {
    cents as f64 / 100.0
}
