//! Sample code for hosts: whole programs with the real ids and every property that the project's rules read. The templates are
//! in the folder beside this file. A line that names a property is repeated for each property.

use super::EmbedPage;

/// A property that each sign-in must send, because row rules use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Whether it belongs to the user. Otherwise it belongs to the customer.
    pub of_user: bool,
    /// Its name.
    pub key: String,
    /// An example of its value.
    pub example: Example,
}

/// An example value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Example {
    /// A text.
    Text(String),
    /// A number, as JSON writes it.
    Number(String),
    /// True or false.
    Flag(bool),
}

/// A language: how it writes strings and booleans.
struct Language {
    /// Its key in the browser's storage.
    id: &'static str,
    name: &'static str,
    text: &'static str,
    quoted: fn(&str) -> String,
    truths: [&'static str; 2],
}

const PLAIN: [&str; 2] = ["false", "true"];

const LANGUAGES: [Language; 9] = [
    Language { id: "curl", name: "curl", text: include_str!("samples/curl.sh"), quoted: double, truths: PLAIN },
    Language { id: "node", name: "Node", text: include_str!("samples/node.mjs"), quoted: single, truths: PLAIN },
    Language {
        id: "python",
        name: "Python",
        text: include_str!("samples/python.py"),
        quoted: double,
        truths: ["False", "True"],
    },
    Language { id: "go", name: "Go", text: include_str!("samples/host.go"), quoted: double, truths: PLAIN },
    Language { id: "ruby", name: "Ruby", text: include_str!("samples/host.rb"), quoted: ruby, truths: PLAIN },
    Language { id: "php", name: "PHP", text: include_str!("samples/host.php"), quoted: php, truths: PLAIN },
    Language { id: "java", name: "Java", text: include_str!("samples/Host.java"), quoted: double, truths: PLAIN },
    Language { id: "csharp", name: "C#", text: include_str!("samples/Host.cs"), quoted: double, truths: PLAIN },
    Language { id: "rust", name: "Rust", text: include_str!("samples/host.rs"), quoted: rust, truths: PLAIN },
];

/// A double-quoted string, as in JSON, Python, Go, Java and C#.
fn double(text: &str) -> String {
    format!("\"{}\"", escaped(text, '"', |code| format!("\\u{code:04x}")))
}

/// The same for Ruby, where `#` may start an interpolation.
fn ruby(text: &str) -> String {
    double(text).replace('#', "\\#")
}

fn rust(text: &str) -> String {
    format!("\"{}\"", escaped(text, '"', |code| format!("\\u{{{code:x}}}")))
}

/// A single-quoted string for JavaScript.
fn single(text: &str) -> String {
    format!("'{}'", escaped(text, '\'', |code| format!("\\u{code:04x}")))
}

/// The same for PHP, which escapes only the quote and the backslash.
fn php(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn escaped(text: &str, quote: char, control: fn(u32) -> String) -> String {
    let one = |letter: char| match letter {
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        letter if letter == quote => format!("\\{letter}"),
        // These end lines in JavaScript, or are invisible.
        letter if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => control(letter.into()),
        letter => letter.to_string(),
    };
    text.chars().map(one).collect()
}

impl Language {
    fn value(&self, example: &Example) -> String {
        match example {
            Example::Text(text) => (self.quoted)(text),
            Example::Number(number) => number.clone(),
            Example::Flag(on) => self.truths[usize::from(*on)].to_owned(),
        }
    }

    fn filled(&self, page: &EmbedPage) -> String {
        let role = page.role().map(|(id, _)| id.as_str());
        let mut text = String::with_capacity(self.text.len());
        for line in self.text.lines() {
            match holder(line) {
                Some(of_user) => {
                    for property in page.properties.iter().filter(|property| property.of_user == of_user) {
                        text.push_str(&self.property(line, property));
                        text.push('\n');
                    }
                }
                None if line.contains("{{role}}") && role.is_none() => {}
                None => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        let text = text.replace("{{organization}}", &self.object(page, false)).replace("{{user}}", &self.object(page, true));
        known(page, &text.replace("{{role}}", role.unwrap_or_default()))
    }

    /// Fills in a line for one property.
    fn property(&self, line: &str, property: &Property) -> String {
        let name = if property.of_user { "user" } else { "organization" };
        let (key, value) = ((self.quoted)(&property.key), self.value(&property.example));
        let quotes = ['"', '\''];
        let put = |line: String, part: &str, literal: &str| {
            quotes.iter().fold(line, |line, quote| line.replace(&format!("{quote}{{{{{name}.{part}}}}}{quote}"), literal))
        };
        put(put(line.to_owned(), "key", &key), "value", &value)
    }

    /// All properties as one JSON object in a shell's quotes.
    fn object(&self, page: &EmbedPage, of_user: bool) -> String {
        let own = page.properties.iter().filter(|property| property.of_user == of_user);
        let pairs: Vec<_> =
            own.map(|property| format!("{}: {}", (self.quoted)(&property.key), self.value(&property.example))).collect();
        if pairs.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", pairs.join(", ")).replace('\'', "'\\''") }
    }
}

/// Whether a line names a user's property (`true`) or a customer's (`false`). `None` if it names none.
fn holder(line: &str) -> Option<bool> {
    if line.contains("{{user.key}}") {
        return Some(true);
    }
    line.contains("{{organization.key}}").then_some(false)
}

/// Fills in the ids and URLs.
fn known(page: &EmbedPage, text: &str) -> String {
    let pairs = [
        ("{{api}}", page.base_url.as_str()),
        ("{{embed}}", page.embed_url.as_str()),
        ("{{origin}}", page.embed_origin.as_str()),
        ("{{path}}", page.chosen.as_str()),
        ("{{project}}", page.project.as_str()),
    ];
    pairs.iter().fold(text.trim().to_owned(), |text, (name, value)| text.replace(name, value))
}

/// The code for the host's server in each language: key, name, code.
#[must_use]
pub fn servers(page: &EmbedPage) -> Vec<(&'static str, &'static str, String)> {
    LANGUAGES.iter().map(|language| (language.id, language.name, language.filled(page))).collect()
}

/// The host's page with the page script: its HTML, and the script file that it loads.
#[must_use]
pub fn script(page: &EmbedPage) -> (String, String) {
    (known(page, HTML), known(page, SCRIPT))
}

/// The host's page with a plain iframe.
#[must_use]
pub fn frame(page: &EmbedPage) -> String {
    known(page, FRAME)
}

/// The Content-Security-Policy for the host: with the page script, and with a plain iframe.
#[must_use]
pub fn policies(page: &EmbedPage) -> (String, String) {
    let of = |text: &str| known(page, text);
    (
        of("Content-Security-Policy: frame-src {{origin}}; script-src 'self' {{origin}}"),
        of("Content-Security-Policy: frame-src {{origin}}"),
    )
}

const HTML: &str = r#"
<div id="analytics"></div>
<script type="module" src="/analytics.js"></script>
"#;

const SCRIPT: &str = r"
import { mount } from '{{embed}}/sdk/inlay.js';

mount('#analytics', {
  url: '{{embed}}{{path}}',
  fetchToken: async ({ signal }) => {
    const answer = await fetch('/analytics/token', { method: 'POST', signal });
    if (answer.status === 401) return null;
    if (!answer.ok) throw new Error(`/analytics/token answered ${answer.status}`);
    return answer.json();
  },
  onError: ({ code, message }) => console.error(code, message),
});
";

const FRAME: &str = r#"
<iframe src="{{embed}}{{path}}?jwt=URL_ENCODED_TOKEN" title="Analytics" width="100%" height="900" frameborder="0"></iframe>
"#;

#[cfg(test)]
mod tests {
    use super::*;

    fn page(roles: Vec<(String, String)>, properties: Vec<Property>) -> EmbedPage {
        EmbedPage {
            project: "P".to_owned(),
            base_url: "https://api.example".to_owned(),
            embed_url: "https://embed.example".to_owned(),
            embed_origin: "https://embed.example".to_owned(),
            chosen: "/share/application/A".to_owned(),
            role: roles.last().map(|(id, _)| id.clone()).unwrap_or_default(),
            roles,
            properties,
            ..EmbedPage::default()
        }
    }

    fn text(of_user: bool, key: &str, example: &str) -> Property {
        Property { of_user, key: key.to_owned(), example: Example::Text(example.to_owned()) }
    }

    fn code(page: &EmbedPage, id: &str) -> String {
        servers(page).into_iter().find(|(one, ..)| *one == id).map(|(.., code)| code).expect("a language")
    }

    #[test]
    fn every_sample_sends_every_property_and_is_filled_with_the_real_ids() {
        let all = vec![text(false, "airport", "ATL"), text(false, "zone-min", "3"), text(true, "dest", "LAX")];
        let with = page(vec![("R".to_owned(), "Analyst".to_owned())], all);
        for (_, language, text) in servers(&with) {
            assert!(
                !text.contains("{{") && text.contains("https://api.example/v1/api/projects/embed-token"),
                "{language}: {text}"
            );
            for part in ["airport", "zone-min", "dest", "ATL", "LAX", "userRoleId"] {
                assert_eq!(text.matches(part).count(), 1, "{language}: {part} in {text}");
            }
            assert!(language == "curl" || text.contains("/analytics/token"), "{language}: the route that the page asks");
        }
        let (html, script) = script(&with);
        assert!(html.contains("/analytics.js") && !html.contains("import"), "a policy without inline scripts");
        assert!(script.contains("https://embed.example/share/application/A") && !frame(&with).contains("{{"));
    }

    #[test]
    fn without_roles_and_properties_no_line_names_one() {
        for (_, language, text) in servers(&page(Vec::new(), Vec::new())) {
            assert!(!text.contains("userRoleId") && !text.contains("{{"), "{language}: {text}");
        }
    }

    #[test]
    fn the_code_names_the_chosen_role_and_no_other() {
        let roles = [("id-of-admins", "Admin"), ("id-of-viewers", "Viewer")]
            .map(|(id, name)| (id.to_owned(), name.to_owned()))
            .to_vec();
        for (_, language, text) in servers(&page(roles, Vec::new())) {
            assert!(text.contains("id-of-viewers") && !text.contains("id-of-admins"), "{language}: {text}");
        }
    }

    #[test]
    fn values_are_written_as_the_language_writes_them() {
        let odd = |of_user, key: &str, example| Property { of_user, key: key.to_owned(), example };
        let all = vec![odd(false, "it's \"#$x\" \\ ", Example::Flag(true)), odd(true, "n", Example::Number("1.5".to_owned()))];
        let page = page(Vec::new(), all);
        assert!(code(&page, "node").contains(r##"'it\'s "#$x" \\ ': true,"##), "{}", code(&page, "node"));
        assert!(code(&page, "python").contains(r##""it's \"#$x\" \\ ": True,"##));
        assert!(code(&page, "ruby").contains(r##""it's \"\#$x\" \\ " => true,"##));
        assert!(code(&page, "php").contains(r##"'it\'s "#$x" \\ ' => true,"##));
        assert!(code(&page, "java").contains(r##"ofUser.put("n", 1.5);"##));
        assert!(code(&page, "curl").contains(r##"{ "it'\''s \"#$x\" \\ ": true }"##), "{}", code(&page, "curl"));
        assert_eq!(double("a\u{1}\n"), r##""a\u0001\n""##);
        assert_eq!(rust("a\u{1}"), r##""a\u{1}""##);
    }

    #[test]
    fn each_way_has_a_policy_of_its_own() {
        let (script, frame) = policies(&page(Vec::new(), Vec::new()));
        assert_eq!(script, "Content-Security-Policy: frame-src https://embed.example; script-src 'self' https://embed.example");
        assert_eq!(frame, "Content-Security-Policy: frame-src https://embed.example");
    }
}
