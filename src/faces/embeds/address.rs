//! The address of a page of dashboards: its target and its parameters (docs/spec/service.md, embeddable pages).

use super::frame::address::{Asked, Query, is_flag, parts};
use inlay_contract::{
    filter::{self, FilterValue},
    ids::{ApplicationId, DashboardId},
    page::PageParameters,
};

/// The target of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// An application, or one of its dashboards if `dashboardId` is given.
    Application {
        /// The application.
        id: ApplicationId,
        /// `dashboardId`
        dashboard: Option<DashboardId>,
    },
    /// A dashboard by its v1 or v2 id. Its application is looked up.
    Dashboard(DashboardId),
    /// An invalid id.
    Nothing,
}

/// A parsed address. `Debug` omits its tokens.
#[derive(Clone, Debug)]
pub struct Address {
    /// The target.
    pub target: Target,
    /// The parameters that every page has.
    pub asked: Asked,
    /// The parameters that the page itself reads.
    pub parameters: PageParameters,
}

impl Address {
    /// Parses a path below the embed host and its query (with or without the leading `?`). `None` for a path of another page.
    pub fn read(path: &str, search: &str) -> Option<Self> {
        let query = Query::read(search);
        let target = target(path, query.given("dashboardId"))?;
        let asked = Asked::read(&query);
        let value = |(key, text): (&str, &str)| Some((key.to_owned(), FilterValue::from_parameter(key, text)?));
        let parameters = PageParameters {
            single_dashboard: matches!(target, Target::Application { dashboard: Some(_), .. }),
            hide_header: query.is_on("hideHeader"),
            hide_download_button: query.is_on("hideDownloadButton"),
            transparent: query.is_on("transparent"),
            token_handoff: asked.token_handoff,
            parent_origin: asked.parent_origin.clone(),
            auto_height: asked.auto_height,
            filters: query.pairs().filter_map(value).collect(),
            refused: query.refused(is_usable),
        };
        Some(Self { target, asked, parameters })
    }
}

fn target(path: &str, dashboard: Option<&str>) -> Option<Target> {
    let [kind, id] = parts(path)?;
    match (kind, dashboard) {
        ("application", None) => Some(id.parse().map_or(Target::Nothing, |id| Target::Application { id, dashboard: None })),
        ("application", Some(asked)) => Some(match (id.parse(), asked.parse()) {
            (Ok(id), Ok(dashboard)) => Target::Application { id, dashboard: Some(dashboard) },
            // An invalid id never opens another dashboard.
            _ => Target::Nothing,
        }),
        ("dashboard", _) => Some(id.parse().map_or(Target::Nothing, Target::Dashboard)),
        _ => None,
    }
}

/// Whether a parameter of these pages has a valid value. `None` for other names. Whether the filter exists is up to the dashboard.
fn is_usable(key: &str, text: &str) -> Option<bool> {
    match key {
        "dashboardId" => Some(true),
        "hideHeader" | "hideDownloadButton" | "transparent" => Some(is_flag(text)),
        _ => filter::is_parameter(key).then(|| FilterValue::from_parameter(key, text).is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01890000-0000-7000-8000-000000000001";

    fn read(path: &str, search: &str) -> Address {
        Address::read(path, search).expect("a page's address")
    }

    #[test]
    fn an_unreadable_dashboard_never_opens_another_one() {
        let path = format!("/share/application/{ID}");
        for asked in ["?dashboardId=x", "?dashboardId=", "?dashboardId=../.."] {
            assert_eq!(read(&path, asked).target, Target::Nothing, "{asked}");
        }
        assert_eq!(read("/share/application/x", "").target, Target::Nothing);
        assert_eq!(read("/share/dashboard/x", "").target, Target::Nothing);
        assert!(Address::read("/share/other/x", "").is_none());
        assert!(read(&path, &format!("?dashboardId={ID}")).parameters.single_dashboard);
    }

    #[test]
    fn true_alone_switches_on() {
        for (text, expected) in [("true", true), ("TRUE", false), ("1", false), ("", false), ("yes", false)] {
            let parameters =
                read(&format!("/share/application/{ID}"), &format!("?hideHeader={text}&transparent={text}")).parameters;
            assert_eq!((parameters.hide_header, parameters.transparent), (expected, expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_used_is_named() {
        let search = "?jwt=x&hideHeader=yes&transparent=true&autoHeight=false&timezone=Mars/Olympus&locale=de&locale2=de\
            &parentOrigin=https://host.example&filter_a=ATL&filter_b=%22ATL%22&f_w.t.c=LAX&f_w.t.d={}&utm_source=mail&dbAuthToken=s";
        let refused = read(&format!("/share/application/{ID}"), search).parameters.refused;
        assert_eq!(refused, ["hideHeader", "timezone", "filter_a", "f_w.t.d"]);
    }

    #[test]
    fn filters_that_cannot_be_read_are_left_out() {
        let search = "?filter_a=%22ATL%22&filter_b=ATL&f_w.t.c=LAX&f_w.t.d=[1,2]&filter_c={}&x=1";
        let filters = read(&format!("/share/application/{ID}"), search).parameters.filters;
        let written: Vec<String> = filters.iter().map(|(key, value)| format!("{key}={}", value.to_json())).collect();
        assert_eq!(written, ["f_w.t.c=\"LAX\"", "f_w.t.d=[1,2]", "filter_a=\"ATL\""]);
    }

    #[test]
    fn debug_shows_no_token() {
        let shown = format!("{:?}", read(&format!("/share/application/{ID}"), "?jwt=s3cret&dbAuthToken=s3cret"));
        assert!(shown.contains(ID) && !shown.contains("s3cret"), "{shown}");
    }
}
