//! The button `Schedule report`: for roles with the flag, where the organization has reports (docs/spec/service.md, permission flags).

use super::{Rules, Studio};
use crate::testing::StoreKind;
use serde_json::{Value, json};

/// The page's flag for the button.
async fn offered(studio: &Studio, token: &str) -> Value {
    let page = format!("/share/application/{}?jwt={token}", studio.applied.applications["Orders"].id);
    let html = studio.get(&page, "").await.text;
    let start = html.find("id=\"inlay-page\">").expect("a block") + "id=\"inlay-page\">".len();
    let end = html[start..].find("</script>").expect("its end") + start;
    let page: Value = serde_json::from_str(&html[start..end]).expect("JSON");
    page["content"]["content"]["application"]["permissions"]["enableScheduleReport"].clone()
}

#[tokio::test]
async fn the_button_is_there_where_the_organization_has_reports() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let studio = Studio::new(kind).await;
        let ada = studio.ada().await;
        assert_eq!(offered(&studio, &ada).await, json!(true));
        assert_eq!(offered(&studio, &studio.token("acme").await).await, json!(false), "not without the role");
        studio.allow(None).await;
        assert_eq!(offered(&studio, &ada).await, json!(false));
        studio.allow(Some(Rules::default())).await;
        assert_eq!(offered(&studio, &ada).await, json!(true));
    }
}
