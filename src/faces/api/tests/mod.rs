//! Questions that every endpoint of the API must answer alike: whose request is taken, and what happens with a bad one.

mod before_bodies;
mod bodies;
mod credentials;
mod model;
mod paging;
mod quotas;
mod taken;
mod tokens;
mod v1_hosts;

use crate::{
    faces::docs::DOCUMENT,
    testing::{endpoints::endpoints, on_both_stores},
};
use std::collections::BTreeSet;

on_both_stores! {
    /// The table of endpoints is complete, and each of its requests is accepted.
    async fn every_endpoint_accepts_its_request(world) {
        let (all, token) = endpoints(&world).await;
        let of_table: BTreeSet<(String, String)> = all.iter().map(|one| (one.method.to_string(), template(&one.path))).collect();
        let mut described = BTreeSet::new();
        for (path, operations) in DOCUMENT["paths"].as_object().expect("paths") {
            let methods = operations.as_object().expect("operations").keys().map(|method| method.to_uppercase());
            described.extend(methods.map(|method| (method, template(path))));
        }
        assert_eq!(of_table, described);
        for one in &all {
            let credential = if one.takes == crate::testing::endpoints::Takes::Viewer { &token } else { &world.key };
            let body = one.fresh();
            let reply = world.call(one.method.clone(), &one.path, credential, one.has_body().then_some(&body)).await;
            one.accepted(&reply, "as it stands");
        }
    }
}

/// A path with `{}` for each id.
fn template(path: &str) -> String {
    let is_id = |part: &str| part.starts_with('{') || part.parse::<uuid::Uuid>().is_ok();
    let path = path.split('?').next().unwrap_or_default();
    path.split('/').map(|part| if is_id(part) { "{}" } else { part }).collect::<Vec<_>>().join("/")
}
