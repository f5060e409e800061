//! Access rules: every page and form of an organization and its projects, for every kind of visitor.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    ground::paging,
    testing::{ACME, World, on_both_stores},
};
use uuid::Uuid;

/// The ids in the paths.
#[derive(Clone)]
struct Places {
    organization: String,
    project: String,
    connection: String,
    table: String,
    role: String,
    chart: String,
    application: String,
    dashboard: String,
    workspace: String,
    customer: String,
    user: String,
}

impl Places {
    async fn of(world: &World) -> Self {
        let signed = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
        let text = |name: &str| signed[name].as_str().expect("an id").to_owned();
        let applied = &world.applied;
        Self {
            organization: world.organization.to_string(),
            project: applied.project_id.to_string(),
            connection: applied.connections["warehouse"].to_string(),
            table: applied.tables["orders"].to_string(),
            role: applied.roles["Analyst"].to_string(),
            chart: applied.charts["Orders"].to_string(),
            application: applied.applications["Orders"].id.to_string(),
            dashboard: applied.dashboards["Orders/Overview"].id.to_string(),
            workspace: applied.workspaces["Ask"].to_string(),
            customer: text("projectOrganizationId"),
            user: text("projectUserId"),
        }
    }

    fn fill(&self, path: &str) -> String {
        let pairs = [
            ("{connection}", &self.connection),
            ("{table}", &self.table),
            ("{role}", &self.role),
            ("{chart}", &self.chart),
            ("{application}", &self.application),
            ("{dashboard}", &self.dashboard),
            ("{workspace}", &self.workspace),
            ("{customer}", &self.customer),
            ("{user}", &self.user),
            // An id of nobody: the role is checked first.
            ("{member}", &self.user),
            ("{key}", &self.user),
            ("{provider}", &self.user),
            ("{evaluation}", &self.user),
            ("{answer}", &self.user),
        ];
        let path = pairs.iter().fold(path.to_owned(), |path, (name, id)| path.replace(name, id));
        match path.strip_prefix("o/") {
            Some(rest) => format!("/console/organizations/{}/{rest}", self.organization),
            None => format!("/console/projects/{}{}", self.project, path.strip_prefix('p').unwrap_or(&path)),
        }
    }
}

const READ: [&str; 31] = [
    "o/projects",
    "o/members",
    "o/developer",
    "o/audit",
    "o/audit/export",
    "o/migration",
    "o/model",
    "p",
    "p/model",
    "p/connections",
    "p/connections/{connection}",
    "p/connections/{connection}/tables/{table}",
    "p/semantic-model",
    "p/semantic-model/revenue",
    "p/roles",
    "p/roles/{role}",
    "p/charts",
    "p/charts/{chart}",
    "p/applications",
    "p/applications/{application}",
    "p/applications/{application}/dashboards/{dashboard}",
    "p/workspaces",
    "p/workspaces/{workspace}",
    "p/usage",
    "p/health",
    "p/isolation",
    "p/embed",
    "p/file",
    "p/file/download",
    "p/customers",
    "p/users/{user}",
];

/// Pages for members who work with projects.
const READ_TO_WORK: [&str; 6] = [
    "p/workspaces/{workspace}/answers",
    "p/connections/{connection}/tables/{table}/model",
    "p/connections/{connection}/tables/{table}/measures/new",
    "p/semantic-model/metrics/new",
    "p/semantic-model/metrics/new?kind=only",
    "p/semantic-model/revenue/edit",
];

/// Opens every page of the console as an owner, with its searches.
pub(in crate::faces) async fn open_every_page(world: &World) {
    let places = Places::of(world).await;
    let mut owner = Browser::signed_in(world, MemberRole::Owner).await;
    let searches = [
        "p/customers?q=ac",
        "p/customers/{customer}",
        "p/roles/{role}?q=ac",
        "o/audit?who=ada&action=role&resource=crew",
        "o/audit?who={user}&project={user}",
        "o/audit?resource={user}",
        "o/migration?q=a",
    ];
    let lists = [("p/customers", "customers"), ("p/customers/{customer}", "customer users"), ("p/roles/{role}", "role users")];
    let between = lists.map(|(path, list)| {
        let cursor = paging::cursor(list, &("m", Uuid::nil())).expect("a cursor");
        format!("{path}?before={cursor}")
    });
    for path in READ.into_iter().chain(READ_TO_WORK).chain(searches).chain(between.iter().map(String::as_str)) {
        world.app.refresh().await.expect("refreshed");
        let reply = owner.get(&places.fill(path)).await;
        assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text);
    }
}

const WORK: [&str; 69] = [
    "o/projects",
    "o/developer/keys",
    "o/developer/keys/{key}/revoke",
    "o/developer/keys/{key}/limit",
    "p/origins",
    "p",
    "p/connections",
    "p/connections/{connection}",
    "p/connections/{connection}/test",
    "p/connections/{connection}/remove",
    "p/connections/{connection}/tables",
    "p/connections/{connection}/tables/sample",
    "p/connections/{connection}/tables/{table}",
    "p/connections/{connection}/tables/{table}/check",
    "p/connections/{connection}/tables/{table}/remove",
    "p/connections/{connection}/tables/{table}/model",
    "p/connections/{connection}/tables/{table}/measures/new",
    "p/semantic-model/revenue",
    "p/semantic-model/metrics/new",
    "p/semantic-model/revenue/edit",
    "p/semantic-model/revenue/remove",
    "p/roles",
    "p/roles/preview",
    "p/roles/{role}",
    "p/roles/{role}/users",
    "p/roles/{role}/users/move",
    "p/roles/{role}/clone",
    "p/roles/{role}/remove",
    "p/charts",
    "p/charts/columns",
    "p/charts/{chart}",
    "p/charts/{chart}/restore",
    "p/charts/{chart}/copies",
    "p/charts/{chart}/remove",
    "p/applications",
    "p/applications/{application}",
    "p/applications/{application}/preview",
    "p/applications/{application}/remove",
    "p/applications/{application}/dashboards",
    "p/applications/{application}/dashboards/{dashboard}",
    "p/applications/{application}/dashboards/{dashboard}/charts",
    "p/applications/{application}/dashboards/{dashboard}/clone",
    "p/applications/{application}/dashboards/{dashboard}/token",
    "p/applications/{application}/dashboards/{dashboard}/remove",
    "p/workspaces",
    "p/workspaces/{workspace}/name",
    "p/workspaces/{workspace}/agent",
    "p/workspaces/{workspace}/remove",
    "p/workspaces/{workspace}/versions",
    "p/workspaces/{workspace}/answers",
    "p/workspaces/{workspace}/answers/synonym",
    "p/workspaces/{workspace}/answers/measure",
    "p/workspaces/{workspace}/answers/ask",
    "p/workspaces/{workspace}/answers/dismiss",
    "p/workspaces/{workspace}/answers/{answer}/remove",
    "p/workspaces/{workspace}/evaluate",
    "p/workspaces/{workspace}/evaluations/{evaluation}/cancel",
    "p/isolation",
    "p/isolation/check",
    "p/key-check",
    "p/key-check/check",
    "p/model",
    "p/model/remove",
    "p/file",
    "p/file/draft",
    "p/customers/{customer}/revoke",
    "p/users/{user}/token",
    "p/embed/test-user",
    "p/embed/reasons",
];

const ADMINISTER: [&str; 12] = [
    "o/projects/{user}/delete",
    "o/members/invite",
    "o/members/withdraw",
    "o/members/{member}/role",
    "o/members/{member}/remove",
    "o/members/{member}/new-password",
    "o/developer/identity-providers",
    "o/developer/identity-providers/{provider}/remove",
    "o/model",
    "o/model/remove",
    "o/migration/users",
    "o/migration/finalize",
];

const OWN: [&str; 5] = [
    "o/developer/signing-keys",
    "o/developer/sign-in-providers",
    "o/developer/sign-in-providers/{provider}/remove",
    "o/developer/short-name",
    "o/developer/reports",
];

on_both_stores! {
    async fn a_viewer_reads_everything_and_changes_nothing(world) {
        let places = Places::of(&world).await;
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        for path in READ {
            let reply = viewer.get(&places.fill(path)).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        }
        for path in READ_TO_WORK {
            assert_eq!(viewer.get(&places.fill(path)).await.status, 403, "{path}");
        }
        for path in WORK.iter().chain(&ADMINISTER).chain(&OWN) {
            assert_eq!(viewer.submit(&places.fill(path), &[]).await.status, 403, "{path}");
        }
    }

    async fn a_member_administers_nothing_and_an_admin_does_nothing_that_is_an_owners(world) {
        let places = Places::of(&world).await;
        let mut member = Browser::signed_in(&world, MemberRole::Member).await;
        for path in ADMINISTER.iter().chain(&OWN) {
            assert_eq!(member.submit(&places.fill(path), &[]).await.status, 403, "{path}");
        }
        let mut admin = Browser::signed_in(&world, MemberRole::Admin).await;
        for path in OWN {
            assert_eq!(admin.submit(&places.fill(path), &[]).await.status, 403, "{path}");
        }
        let (shown, own) = (admin.get(&places.fill("o/developer")).await.text, "/developer/sign-in-providers");
        let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
        assert!(!shown.contains(own) && owner.get(&places.fill("o/developer")).await.text.contains(own));
    }

    async fn what_is_another_organizations_does_not_exist(world) {
        let places = Places::of(&world).await;
        let mut stranger = Browser::stranger(&world).await;
        for path in READ.into_iter().chain(READ_TO_WORK) {
            assert_eq!(stranger.get(&places.fill(path)).await.status, 404, "{path}");
        }
        for path in WORK.iter().chain(&ADMINISTER).chain(&OWN) {
            assert_eq!(stranger.submit(&places.fill(path), &[]).await.status, 404, "{path}");
        }
    }

    async fn what_is_another_projects_does_not_exist(world) {
        let places = Places::of(&world).await;
        let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
        let made = owner.submit(&places.fill("o/projects"), &[("name", "Other")]).await;
        let project = target(&made).rsplit('/').next().expect("an id").to_owned();
        let elsewhere = Places { project, ..places.clone() };
        for path in READ.iter().chain(&READ_TO_WORK).chain(&WORK).filter(|path| path.starts_with("p/") && path.contains('{')) {
            let path = elsewhere.fill(path);
            let (read, sent) = (owner.get(&path).await.status.as_u16(), owner.submit(&path, &[]).await);
            // Removing or cancelling what does not exist redirects to its list.
            let leads_back = ["/remove", "/cancel"].iter().any(|end| path.ends_with(end));
            let answers: &[u16] = if leads_back { &[303] } else { &[404, 405] };
            assert!([404, 405].contains(&read) && answers.contains(&sent.status.as_u16()), "{path}: {read} {}", sent.status);
            assert!(!leads_back || target(&sent).starts_with(&elsewhere.fill("p/")), "{path}");
        }
        for path in READ {
            assert_eq!(owner.get(&places.fill(path)).await.status, 200, "{path} stays");
        }
    }

    async fn nobody_who_is_signed_out_gets_in(world) {
        let places = Places::of(&world).await;
        let mut nobody = Browser::new(&world);
        for path in READ.into_iter().chain(READ_TO_WORK) {
            assert!(target(&nobody.get(&places.fill(path)).await).starts_with("/console/sign-in"), "{path}");
        }
        for path in WORK.iter().chain(&ADMINISTER) {
            assert_eq!(target(&nobody.post(&places.fill(path), &[]).await), "/console/sign-in?ended", "{path}");
        }
        assert!(nobody.get("/console/sign-in?ended").await.text.contains("Your session has ended."));
    }

    async fn pages_keep_foreign_code_and_frames_out(world) {
        let places = Places::of(&world).await;
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let reply = viewer.get(&places.fill("p")).await;
        let policy = reply.headers["content-security-policy"].to_str().expect("text");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"), "{policy}");
        assert!(!policy.contains("unsafe") && reply.headers["x-frame-options"] == "DENY");
        assert_eq!(reply.headers["cache-control"], "no-store");
    }
}
