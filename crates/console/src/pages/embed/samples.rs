//! Code for hosts, filled with the real ids. It is text to copy: nothing here runs.

use super::EmbedPage;

/// Replaces `{{name}}` by what a page says.
fn filled(page: &EmbedPage, text: &str) -> String {
    let property = page.properties.first().map_or("tenant_id", String::as_str);
    let pairs = [
        ("{{api}}", page.base_url.as_str()),
        ("{{embed}}", page.embed_url.as_str()),
        ("{{origin}}", page.embed_origin.as_str()),
        ("{{path}}", page.chosen.as_str()),
        ("{{project}}", page.project.as_str()),
        ("{{property}}", property),
    ];
    let text = pairs.iter().fold(text.trim().to_owned(), |text, (name, value)| text.replace(name, value));
    match page.roles.first() {
        Some((id, _)) => text.replace("{{role}}", id),
        None => text.lines().filter(|line| !line.contains("{{role}}")).collect::<Vec<_>>().join("\n"),
    }
}

/// Code for the host's server: language and text.
#[must_use]
pub fn servers(page: &EmbedPage) -> Vec<(&'static str, String)> {
    [
        ("curl", CURL),
        ("Node", NODE),
        ("Python", PYTHON),
        ("Go", GO),
        ("Ruby", RUBY),
        ("PHP", PHP),
        ("Java", JAVA),
        ("C#", CSHARP),
        ("Rust", RUST),
    ]
    .map(|(language, text)| (language, filled(page, text)))
    .to_vec()
}

/// The host's page with the page script.
#[must_use]
pub fn script(page: &EmbedPage) -> String {
    filled(page, SCRIPT)
}

/// The host's page with a plain frame.
#[must_use]
pub fn frame(page: &EmbedPage) -> String {
    filled(page, FRAME)
}

/// What the host's policy needs.
#[must_use]
pub fn policy(page: &EmbedPage) -> String {
    filled(page, "Content-Security-Policy: frame-src {{origin}}; script-src {{origin}}")
}

const CURL: &str = r#"
curl "{{api}}/v1/api/projects/embed-token" \
  -H "Authorization: Bearer $INLAY_API_KEY" -H "Content-Type: application/json" \
  -d '{
    "projectId": "{{project}}",
    "organization": { "externalId": "customer-1", "name": "Customer", "properties": { "{{property}}": "1" } },
    "user": { "externalId": "user-1", "name": "User" }
  }'
"#;

const NODE: &str = r"
const answer = await fetch('{{api}}/v1/api/projects/embed-token', {
  method: 'POST',
  headers: { authorization: `Bearer ${process.env.INLAY_API_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    projectId: '{{project}}',
    organization: { externalId: customer.id, name: customer.name, properties: { {{property}}: customer.id } },
    user: {
      externalId: user.id,
      name: user.name,
      userRoleId: '{{role}}',
    },
  }),
});
const { token, expiresAt } = (await answer.json()).data;
response.json({ token, expiresAt });
";

const PYTHON: &str = r#"
answer = requests.post(
    "{{api}}/v1/api/projects/embed-token",
    headers={"Authorization": f"Bearer {os.environ['INLAY_API_KEY']}"},
    json={
        "projectId": "{{project}}",
        "organization": {"externalId": customer.id, "name": customer.name, "properties": {"{{property}}": customer.id}},
        "user": {
            "externalId": user.id,
            "name": user.name,
            "userRoleId": "{{role}}",
        },
    },
    timeout=10,
)
answer.raise_for_status()
data = answer.json()["data"]
return {"token": data["token"], "expiresAt": data["expiresAt"]}
"#;

const GO: &str = r#"
body, _ := json.Marshal(map[string]any{
	"projectId":    "{{project}}",
	"organization": map[string]any{"externalId": customer.ID, "name": customer.Name, "properties": map[string]any{"{{property}}": customer.ID}},
	"user": map[string]any{
		"externalId": user.ID,
		"name":       user.Name,
		"userRoleId": "{{role}}",
	},
})
request, _ := http.NewRequest("POST", "{{api}}/v1/api/projects/embed-token", bytes.NewReader(body))
request.Header.Set("Authorization", "Bearer "+os.Getenv("INLAY_API_KEY"))
request.Header.Set("Content-Type", "application/json")
answer, err := http.DefaultClient.Do(request)
"#;

const RUBY: &str = r#"
answer = Net::HTTP.post(
  URI("{{api}}/v1/api/projects/embed-token"),
  {
    projectId: "{{project}}",
    organization: { externalId: customer.id, name: customer.name, properties: { {{property}}: customer.id } },
    user: {
      externalId: user.id,
      name: user.name,
      userRoleId: "{{role}}",
    }
  }.to_json,
  "Authorization" => "Bearer #{ENV.fetch("INLAY_API_KEY")}", "Content-Type" => "application/json"
)
token, expires_at = JSON.parse(answer.body)["data"].values_at("token", "expiresAt")
"#;

const PHP: &str = r#"
$answer = file_get_contents('{{api}}/v1/api/projects/embed-token', false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => "Authorization: Bearer " . getenv('INLAY_API_KEY') . "\r\nContent-Type: application/json",
    'content' => json_encode([
        'projectId' => '{{project}}',
        'organization' => ['externalId' => $customer->id, 'name' => $customer->name, 'properties' => ['{{property}}' => $customer->id]],
        'user' => [
            'externalId' => $user->id,
            'name' => $user->name,
            'userRoleId' => '{{role}}',
        ],
    ]),
]]));
['token' => $token, 'expiresAt' => $expiresAt] = json_decode($answer, true)['data'];
"#;

const JAVA: &str = r#"
var body = new JSONObject()
    .put("projectId", "{{project}}")
    .put("organization", new JSONObject().put("externalId", customer.id()).put("name", customer.name())
        .put("properties", new JSONObject().put("{{property}}", customer.id())))
    .put("user", new JSONObject()
        .put("userRoleId", "{{role}}")
        .put("externalId", user.id()).put("name", user.name()));
var request = HttpRequest.newBuilder(URI.create("{{api}}/v1/api/projects/embed-token"))
    .header("Authorization", "Bearer " + System.getenv("INLAY_API_KEY"))
    .header("Content-Type", "application/json")
    .POST(HttpRequest.BodyPublishers.ofString(body.toString())).build();
var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
var token = new JSONObject(answer.body()).getJSONObject("data").getString("token");
"#;

const CSHARP: &str = r#"
using var request = new HttpRequestMessage(HttpMethod.Post, "{{api}}/v1/api/projects/embed-token");
request.Headers.Authorization = new("Bearer", Environment.GetEnvironmentVariable("INLAY_API_KEY"));
request.Content = JsonContent.Create(new {
    projectId = "{{project}}",
    organization = new { externalId = customer.Id, name = customer.Name, properties = new { {{property}} = customer.Id } },
    user = new {
        userRoleId = "{{role}}",
        externalId = user.Id, name = user.Name,
    },
});
var answer = await client.SendAsync(request);
var data = (await answer.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("data");
"#;

const RUST: &str = r#"
let answer: serde_json::Value = client
    .post("{{api}}/v1/api/projects/embed-token")
    .bearer_auth(std::env::var("INLAY_API_KEY")?)
    .json(&json!({
        "projectId": "{{project}}",
        "organization": { "externalId": customer.id, "name": customer.name, "properties": { "{{property}}": customer.id } },
        "user": {
            "userRoleId": "{{role}}",
            "externalId": user.id, "name": user.name,
        },
    }))
    .send().await?.error_for_status()?.json().await?;
let token = &answer["data"]["token"];
"#;

const SCRIPT: &str = r#"
<div id="analytics"></div>
<script type="module">
  import { mount } from '{{embed}}/sdk/inlay.js';
  mount('#analytics', {
    url: '{{embed}}{{path}}',
    fetchToken: ({ signal }) => fetch('/analytics/token', { method: 'POST', signal }).then((answer) => answer.json()),
  });
</script>
"#;

const FRAME: &str = r#"
<iframe src="{{embed}}{{path}}?jwt=URL_ENCODED_TOKEN" title="Analytics" style="border:0;width:100%;height:900px"></iframe>
"#;

#[cfg(test)]
mod tests {
    use super::*;

    fn page(roles: Vec<(String, String)>) -> EmbedPage {
        EmbedPage {
            project: "P".to_owned(),
            organization: "O".to_owned(),
            base_url: "https://api.example".to_owned(),
            embed_url: "https://embed.example".to_owned(),
            embed_origin: "https://embed.example".to_owned(),
            origin: "https://api.example".to_owned(),
            embeds: Vec::new(),
            chosen: "/share/application/A".to_owned(),
            roles,
            properties: vec!["airport".to_owned()],
            allowed_origins: Vec::new(),
            users: Vec::new(),
            may_play: false,
        }
    }

    #[test]
    fn every_sample_is_filled_with_the_real_ids() {
        let with = page(vec![("R".to_owned(), "Analyst".to_owned())]);
        for (language, text) in servers(&with) {
            assert!(
                !text.contains("{{") && text.contains("https://api.example/v1/api/projects/embed-token"),
                "{language}: {text}"
            );
            assert!(text.contains("airport") && text.contains('P'), "{language}");
        }
        assert!(script(&with).contains("https://embed.example/share/application/A") && !frame(&with).contains("{{"));
    }

    #[test]
    fn without_roles_no_line_names_one() {
        for (language, text) in servers(&page(Vec::new())) {
            assert!(!text.contains("userRoleId") && !text.contains("{{"), "{language}: {text}");
        }
    }
}
