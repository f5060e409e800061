use super::*;
use crate::faces::demo::host::BASKET;
use chrono::{Datelike, Days, Weekday};
use sqlx::{ConnectOptions, Row};
use sqlx_sqlite::SqliteConnectOptions;
use std::{collections::HashSet, fs, time::Instant};

const NEWEST: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 26).unwrap();

fn of(shop: &str, sold: &Sold) -> Vec<orders::Order> {
    sold.orders.iter().filter(|order| order.shop == shop).cloned().collect()
}

fn revenue<'a>(orders: impl IntoIterator<Item = &'a orders::Order>) -> f64 {
    orders.into_iter().map(|order| order.amount).sum()
}

fn placed(order: &orders::Order) -> NaiveDate {
    order.placed_at[..10].parse().unwrap()
}

#[test]
fn the_same_day_gives_the_same_rows_and_another_day_others() {
    assert_eq!(generate(NEWEST), generate(NEWEST));
    assert_ne!(generate(NEWEST).0, generate(NEWEST - Days::new(1)).0);
}

#[test]
fn rows_are_as_many_as_a_start_can_wait_for_and_none_comes_after_the_newest_day() {
    let (sold, visits) = generate(NEWEST);
    let rows = sold.orders.len() + sold.customers.len() + sold.products.len() + visits.len();
    assert!((30_000..70_000).contains(&rows), "{rows}");
    let last = NEWEST.to_string();
    let days = sold.orders.iter().flat_map(|order| [Some(&order.placed_at[..10]), order.returned_on.as_deref()]);
    let days = days.flatten().chain(visits.iter().map(|visit| &*visit.day));
    assert!(days.clone().all(|day| *day <= *last));
    for shop in &SHOPS {
        let own = of(shop.id, &sold);
        assert!(own.iter().any(|order| placed(order) == NEWEST), "{} sold nothing on the newest day", shop.id);
        assert_eq!(own.iter().map(placed).min().unwrap().weekday(), Weekday::Mon);
    }
}

#[test]
fn rows_refer_to_rows_of_their_own_shop() {
    let (sold, _) = generate(NEWEST);
    let mut known = HashSet::new();
    for (place, order) in sold.orders.iter().enumerate() {
        assert_eq!(order.id, place as i64 + 1);
        let customer = &sold.customers[order.customer_id as usize - 1];
        let product = &sold.products[order.product_id as usize - 1];
        assert_eq!((customer.id, product.id), (order.customer_id, order.product_id));
        assert_eq!((customer.shop, product.shop), (order.shop, order.shop), "order {}", order.id);
        let is_first = known.insert(customer.id);
        assert_eq!(order.first_order == 1, is_first, "order {}", order.id);
        assert!(!is_first || order.placed_at.starts_with(&customer.first_ordered_on), "order {}", order.id);
    }
    assert_eq!(known.len(), sold.customers.len());
}

#[test]
fn amounts_add_up() {
    let (sold, _) = generate(NEWEST);
    for order in &sold.orders {
        assert!((order.list_amount - order.discount - order.amount).abs() < 0.005 && order.amount > 0.0, "{order:?}");
        assert!(order.cost < order.amount, "{order:?}");
        assert_eq!(order.refund > 0.0, order.returned_on.is_some(), "{order:?}");
        assert!(order.refund == 0.0 || order.refund == order.amount, "{order:?}");
    }
}

#[test]
fn shops_grow_and_have_seasons_weekdays_and_sales() {
    let (sold, _) = generate(NEWEST);
    for shop in &SHOPS {
        let own = of(shop.id, &sold);
        let year = |from: i64, to: i64| revenue(own.iter().filter(|order| (from..to).contains(&order.days_ago)));
        let growth = year(0, 364) / year(364, 728);
        assert!((1.05..1.5).contains(&growth), "{} grew to {growth}", shop.id);
    }
    let month = |shop: &str, month| of(shop, &sold).iter().filter(|order| placed(order).month() == month).count();
    assert!(month("littleoak", 12) > 2 * month("littleoak", 6), "toys are bought for Christmas");
    assert!(month("fern", 4) > 2 * month("fern", 1), "plants are bought in spring");
    let weekday = |day| of("harbor", &sold).iter().filter(|order| placed(order).weekday() == day).count();
    assert!(weekday(Weekday::Mon) > weekday(Weekday::Sat), "offices order coffee on Mondays");
    let of_day = |day: &str| sold.orders.iter().filter(|order| order.placed_at.starts_with(day)).count();
    assert!(of_day("2025-11-28") * 2 > of_day("2025-11-21") * 3, "the sale after Thanksgiving");
}

#[test]
fn some_orders_come_back_some_customers_return_and_a_few_are_large() {
    let (sold, _) = generate(NEWEST);
    for shop in &SHOPS {
        let own = of(shop.id, &sold);
        let share = |of: &dyn Fn(&&orders::Order) -> bool| own.iter().filter(of).count() as f64 / own.len() as f64;
        let returned = share(&|order| order.returned_on.is_some());
        assert!((0.01..0.2).contains(&returned), "{} gets {returned} back", shop.id);
        let first = share(&|order| order.first_order == 1);
        assert!((0.25..0.6).contains(&first), "{}: {first} of the orders are first ones", shop.id);
        let is_business = |order: &&orders::Order| sold.customers[order.customer_id as usize - 1].kind == "Business";
        let business = revenue(own.iter().filter(is_business)) / revenue(&own);
        assert!((0.02..0.6).contains(&business), "{}: large customers have {business} of the revenue", shop.id);
    }
    let large: HashSet<&str> = sold.customers.iter().filter(|one| one.kind == "Business").map(|one| &*one.name).collect();
    assert_eq!(large.len(), SHOPS.iter().map(|shop| shop.businesses.len()).sum::<usize>());
}

#[test]
fn visits_end_with_the_orders_that_there_are_and_lose_some_at_each_step() {
    let (sold, visits) = generate(NEWEST);
    for shop in &SHOPS {
        let own: Vec<&Visits> = visits.iter().filter(|one| one.shop == shop.id).collect();
        let sum = |of: fn(&Visits) -> i64| own.iter().map(|one| of(one)).sum::<i64>();
        assert_eq!(sum(|one| one.purchases), of(shop.id, &sold).len() as i64);
        assert!(own.iter().all(|one| one.purchases <= one.checkouts && one.checkouts <= one.carts && one.carts <= one.visits));
        let conversion = sum(|one| one.purchases) as f64 / sum(|one| one.visits) as f64;
        assert!((0.01..0.06).contains(&conversion), "{}: {conversion}", shop.id);
        assert!(sum(|one| one.carts) > sum(|one| one.checkouts) * 5 / 4);
    }
}

#[test]
fn some_products_are_nearly_sold_out_in_each_shop_and_most_are_not() {
    let (sold, _) = generate(NEWEST);
    for shop in &SHOPS {
        let own: Vec<_> = sold.products.iter().filter(|product| product.shop == shop.id).collect();
        let low = own.iter().filter(|product| product.stock <= product.reorder_at).count();
        assert!(low >= 1 && low * 2 < own.len(), "{}: {low} of {}", shop.id, own.len());
        let names: HashSet<&str> = own.iter().map(|product| product.name).collect();
        assert_eq!(names.len(), own.len(), "names say which product is meant");
    }
}

#[test]
fn the_shops_are_the_customers_of_the_host_product() {
    let customers: Vec<&str> = BASKET.customers.iter().map(|customer| customer.id).collect();
    assert_eq!(SHOPS.iter().map(|shop| shop.id).collect::<Vec<_>>(), customers);
}

#[tokio::test]
async fn every_row_is_loaded_once_and_soon() {
    let folder = std::env::temp_dir().join(format!("inlay-demo-shops-{}", uuid::Uuid::now_v7()));
    let started = Instant::now();
    let path = load(&folder, NEWEST).await.unwrap();
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    let mut database: SqliteConnection = SqliteConnectOptions::new().filename(&path).read_only(true).connect().await.unwrap();
    let (sold, visits) = generate(NEWEST);
    let counts = "SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM customers), (SELECT count(*) FROM products), \
                  (SELECT count(*) FROM visits), (SELECT sum(amount) FROM orders), (SELECT typeof(max(amount)) FROM orders), \
                  (SELECT count(*) FROM orders WHERE returned_on IS NULL)";
    let row = sqlx::query(counts).fetch_one(&mut database).await.unwrap();
    let expected = [sold.orders.len(), sold.customers.len(), sold.products.len(), visits.len()];
    assert_eq!((0..4).map(|at| row.get::<i64, _>(at) as usize).collect::<Vec<_>>(), expected);
    assert!((row.get::<f64, _>(4) - revenue(&sold.orders)).abs() < 1.0);
    assert_eq!(row.get::<&str, _>(5), "real");
    let kept = sold.orders.iter().filter(|order| order.returned_on.is_none()).count();
    assert_eq!(row.get::<i64, _>(6) as usize, kept);
    let written = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(load(&folder, NEWEST).await.unwrap(), path);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written, "the second start loads nothing");
    fs::remove_dir_all(folder).unwrap();
}
