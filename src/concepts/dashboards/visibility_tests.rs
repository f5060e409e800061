//! Who sees which dashboards, tested as a pure function.

use super::*;
use inlay_contract::ids::{OrganizationId, ProjectId};
use writer::Generation;

fn viewer(customer: Option<CustomerId>) -> Writer {
    let who = Who::User { user: ProjectUserId::generate(), customer, project: ProjectId::generate() };
    Writer { who, organization: OrganizationId::generate(), generation: Generation::V2 }
}

fn dashboard(name: &str, owner: Owner, replaces: Option<DashboardId>) -> Dashboard {
    Dashboard {
        id: DashboardId::generate(),
        application: ApplicationId::generate(),
        legacy_id: None,
        name: name.to_owned(),
        owner,
        replaces,
        filters: Vec::new(),
        refresh: None,
        created_at: Timestamp(0),
    }
}

fn of(viewer: &Writer) -> Owner {
    let (user, customer) = viewer.user().expect("a user");
    Owner::User { user, customer, tenant: None }
}

fn names(all: &[Dashboard], viewer: &Writer) -> Vec<String> {
    all.iter().filter(|dashboard| lists::is_listed(dashboard, viewer)).map(|dashboard| dashboard.name.clone()).collect()
}

#[test]
fn a_copy_is_in_its_owner_s_list_alone() {
    let customer = Some(CustomerId::generate());
    let (me, colleague, stranger) = (viewer(customer), viewer(customer), viewer(Some(CustomerId::generate())));
    let shared = dashboard("shared", Owner::Shared, None);
    let copy = dashboard("copy", of(&me), Some(shared.id));
    let all = [shared, dashboard("other", Owner::Shared, None), dashboard("mine", of(&me), None), copy.clone()];
    assert_eq!(names(&all, &me), ["shared", "other", "mine", "copy"]);
    assert_eq!(names(&all, &colleague), ["shared", "other", "mine"]);
    assert_eq!(names(&all, &stranger), ["shared", "other"]);
    assert!(colleague.sees(&copy) && !stranger.sees(&copy));
}

#[test]
fn users_without_a_customer_share_nothing() {
    let (one, other) = (viewer(None), viewer(None));
    let own = dashboard("own", of(&one), None);
    assert!(one.sees(&own) && !other.sees(&own));
}

#[test]
fn a_tenant_who_is_being_migrated_keeps_its_dashboards() {
    let tenant = TenantId::generate();
    // The caller as read before its user was created, the dashboard as read after.
    let who = Who::Tenant {
        tenant,
        project: ProjectId::generate(),
        user: None,
        permissions: inlay_contract::permissions::Permissions::default(),
    };
    let writer = Writer { who, organization: OrganizationId::generate(), generation: Generation::V1 };
    let owner = |tenant| Owner::User { user: ProjectUserId::generate(), customer: Some(CustomerId::generate()), tenant };
    let (own, foreign) =
        (dashboard("own", owner(Some(tenant)), None), dashboard("foreign", owner(Some(TenantId::generate())), None));
    let of_nobody_known = dashboard("unknown", owner(None), None);
    assert!(writer.sees(&own) && writer.owns(&own));
    for other in [foreign, of_nobody_known] {
        assert!(!writer.sees(&other) && !writer.owns(&other));
    }
}
