//! What operators install (packaging/) against the code: settings, ports, paths and times. Each file's own linter runs in
//! scripts/check-packaging.

use crate::{
    faces::{
        cli::Cli,
        server::{FAREWELL, LAST_WORDS},
    },
    testing::{StoreKind, World},
};
use clap::{Command, CommandFactory};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join("packaging").join(path)).unwrap_or_else(|problem| panic!("{path}: {problem}"))
}

fn yaml(path: &str) -> Value {
    serde_saphyr::from_str(&text(path)).unwrap_or_else(|problem| panic!("{path}: {problem}"))
}

/// Every file below packaging/, with its path.
fn files() -> Vec<(String, String)> {
    let folders = ["container", "systemd", "compose", "kubernetes"];
    let all = folders.into_iter().flat_map(|folder| {
        let entries = fs::read_dir(Path::new(ROOT).join("packaging").join(folder)).expect("a folder");
        entries.map(move |entry| format!("{folder}/{}", entry.expect("an entry").file_name().to_string_lossy()))
    });
    all.map(|path| (path.clone(), text(&path))).collect()
}

/// The environment variables of a command and of its subcommands.
fn settings(command: &Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|argument| argument.get_env()).map(|name| name.to_string_lossy().into_owned());
    own.chain(command.get_subcommands().flat_map(settings)).collect()
}

/// The names that begin with `INLAY_` in a text.
fn named(text: &str) -> BTreeSet<String> {
    let part = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    text.split(|letter: char| !part(letter)).filter(|word| word.starts_with("INLAY_")).map(str::to_owned).collect()
}

fn seconds(told: &str) -> u64 {
    told.trim_end_matches('s').parse().unwrap_or_else(|_| panic!("seconds: {told}"))
}

/// The value of a line `NAME=value`, or `NAME: value`.
fn value(text: &str, name: &str) -> String {
    let found = text.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(['=', ':']));
    found.unwrap_or_else(|| panic!("no {name}")).trim().trim_matches('"').to_owned()
}

#[test]
fn every_setting_that_is_named_exists() {
    let known = settings(&Cli::command());
    // Of the compose file alone: the proxy's name and the password in the store's address.
    let own = ["INLAY_HOST", "INLAY_STORE_PASSWORD"];
    let mut count = 0;
    for (path, text) in files() {
        for name in named(&text) {
            count += 1;
            let allowed = known.contains(&name) || (path.starts_with("compose/") && own.contains(&name.as_str()));
            assert!(allowed, "packaging/{path} names {name}, which is no setting");
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn nobody_is_killed_while_a_node_drains() {
    let left = FAREWELL.as_secs() + LAST_WORDS.as_secs();
    let config = yaml("kubernetes/configmap.yaml");
    let drain = config["data"]["INLAY_DRAIN_SECONDS"].as_str().map(seconds).expect("seconds");
    let grace = &yaml("kubernetes/deployment.yaml")["spec"]["template"]["spec"]["terminationGracePeriodSeconds"];
    assert!(grace.as_u64().expect("seconds") >= drain + left + 5, "{grace} for {drain} + {left}");
    let compose = yaml("compose/compose.yaml");
    let drain = compose["x-node"]["environment"]["INLAY_DRAIN_SECONDS"].as_str().map(seconds).expect("seconds");
    let grace = compose["x-node"]["stop_grace_period"].as_str().map(seconds).expect("seconds");
    assert!(grace >= drain + left + 5, "{grace} for {drain} + {left}");
    let unit = text("systemd/inlay.service");
    let default = 5;
    assert!(seconds(&value(&unit, "TimeoutStopSec")) >= default + left + 5);
    assert_eq!(value(&unit, "KillSignal"), "SIGTERM");
    assert!(text("container/Dockerfile").contains("STOPSIGNAL SIGTERM"));
    // The proxy notices within the drain: two looks.
    let caddy = text("compose/Caddyfile");
    let interval = caddy.lines().find_map(|line| line.trim().strip_prefix("health_interval ")).map(seconds);
    assert!(2 * interval.expect("an interval") < drain);
    let readiness = &yaml("kubernetes/deployment.yaml")["spec"]["template"]["spec"]["containers"][0]["readinessProbe"];
    assert!(
        readiness["periodSeconds"].as_u64().expect("seconds") * readiness["failureThreshold"].as_u64().expect("a number") < 10
    );
}

#[test]
fn ports_are_the_same_everywhere() {
    let port = |listen: &str| listen.rsplit(':').next().expect("a port").to_owned();
    let dockerfile = text("container/Dockerfile");
    let listen = dockerfile.split_whitespace().find_map(|word| word.strip_prefix("INLAY_LISTEN=")).expect("INLAY_LISTEN");
    let exposed = dockerfile.lines().find_map(|line| line.strip_prefix("EXPOSE ")).expect("EXPOSE");
    assert_eq!(port(listen), exposed);
    let config = yaml("kubernetes/configmap.yaml");
    assert_eq!(port(config["data"]["INLAY_LISTEN"].as_str().expect("an address")), exposed);
    let container = &yaml("kubernetes/deployment.yaml")["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(container["ports"][0]["containerPort"].to_string(), exposed);
    assert_eq!(yaml("kubernetes/networkpolicy.yaml")["spec"]["ingress"][0]["ports"][0]["port"].to_string(), exposed);
    assert_eq!(yaml("kubernetes/service.yaml")["spec"]["ports"][0]["targetPort"], container["ports"][0]["name"]);
    // The metrics have another, which no Service and no proxy leads to.
    let measured = port(config["data"]["INLAY_METRICS_LISTEN"].as_str().expect("an address"));
    assert_ne!(measured, exposed);
    assert_eq!(container["ports"][1]["containerPort"].to_string(), measured);
    let annotations = &yaml("kubernetes/deployment.yaml")["spec"]["template"]["metadata"]["annotations"];
    assert_eq!(annotations["prometheus.io/port"], measured.as_str());
    let policy = yaml("kubernetes/networkpolicy.yaml");
    let namespaces = ["ingress-nginx", "monitoring"];
    for (rule, (namespace, port)) in namespaces.into_iter().zip([exposed, measured.as_str()]).enumerate() {
        let rule = &policy["spec"]["ingress"][rule];
        assert_eq!((rule["ports"][0]["port"].to_string(), rule["from"].as_array().map(Vec::len)), (port.to_string(), Some(1)));
        assert_eq!(rule["from"][0]["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"], namespace);
    }
    assert_eq!(yaml("kubernetes/service.yaml")["spec"]["ports"].as_array().map(Vec::len), Some(1));
    let compose = yaml("compose/compose.yaml");
    let listen = compose["x-node"]["environment"]["INLAY_METRICS_LISTEN"].as_str().expect("an address");
    assert!(port(listen) == measured && compose["x-node"]["ports"].is_null());
    assert_eq!(port(&value(&text("systemd/inlay.env"), "INLAY_METRICS_LISTEN")), measured);
    let caddy = text("compose/Caddyfile");
    for node in
        yaml("compose/compose.yaml")["services"].as_object().expect("services").keys().filter(|name| name.starts_with("node"))
    {
        assert!(caddy.contains(&format!("{node}:{exposed}")), "the proxy does not know {node}");
    }
}

#[tokio::test]
async fn probes_ask_paths_that_exist() {
    let world = World::new(StoreKind::Sqlite).await;
    let container = &yaml("kubernetes/deployment.yaml")["spec"]["template"]["spec"]["containers"][0];
    let probes = ["startupProbe", "readinessProbe", "livenessProbe"];
    let mut paths: Vec<String> =
        probes.iter().map(|probe| container[probe]["httpGet"]["path"].as_str().expect("a path").to_owned()).collect();
    paths.push(
        text("compose/Caddyfile").lines().find_map(|line| line.trim().strip_prefix("health_uri ")).expect("a path").to_owned(),
    );
    let deployment = yaml("kubernetes/deployment.yaml");
    let scraped = &deployment["spec"]["template"]["metadata"]["annotations"]["prometheus.io/path"];
    paths.push(scraped.as_str().expect("a path").to_owned());
    assert_eq!(paths.len(), 5);
    for path in paths {
        assert_eq!(world.get(&path, "").await.status.as_u16(), 200, "{path}");
    }
}

/// Paths for callers outside pass the Ingress, those for machines inside do not.
#[test]
fn the_ingress_knows_every_path_for_callers() {
    let ingress = yaml("kubernetes/ingress.yaml");
    let rules = ingress["spec"]["rules"][0]["http"]["paths"].as_array().expect("paths");
    let passed: BTreeSet<&str> = rules.iter().map(|rule| rule["path"].as_str().expect("a path")).collect();
    let inside = BTreeSet::from(["/metrics", "/healthz", "/readyz"]);
    assert!(passed.is_disjoint(&inside), "{passed:?}");
    let routes = ["src/faces/router.rs", "src/faces/console/routes.rs"]
        .map(|file| fs::read_to_string(Path::new(ROOT).join(file)).expect(file));
    let routes = routes.join("\n");
    let named = routes.split("route(").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
    let first = |path: &str| format!("/{}", path.trim_start_matches('/').split('/').next().unwrap_or_default());
    let all: BTreeSet<String> = named.map(first).chain(["/v1".to_owned(), "/v2".to_owned()]).collect();
    assert!(all.len() > 8, "{all:?}");
    let missing: Vec<_> =
        all.iter().filter(|path| !passed.contains(path.as_str()) && !inside.contains(path.as_str())).collect();
    assert!(missing.is_empty(), "add them to packaging/kubernetes/ingress.yaml: {missing:?}");
    let caddy = text("compose/Caddyfile");
    assert!(inside.iter().all(|path| caddy.lines().any(|line| line.contains("@inside path") && line.contains(path))));
}

/// No image runs as root, writes its root, or gains rights.
#[test]
fn nodes_have_no_more_rights_than_they_need() {
    let pod = &yaml("kubernetes/deployment.yaml")["spec"]["template"]["spec"];
    let own = &pod["containers"][0]["securityContext"];
    assert_eq!(
        (&pod["securityContext"]["runAsNonRoot"], &own["readOnlyRootFilesystem"]),
        (&Value::Bool(true), &Value::Bool(true))
    );
    assert_eq!(own["capabilities"]["drop"][0], "ALL");
    let dockerfile = text("container/Dockerfile");
    assert!(dockerfile.lines().any(|line| line.starts_with("USER 65532")) && dockerfile.contains("HEALTHCHECK"));
    let compose = yaml("compose/compose.yaml");
    let services = compose["services"].as_object().expect("services");
    assert_eq!(compose["x-node"]["read_only"], true);
    for (name, service) in services.iter().filter(|(name, _)| !name.starts_with("node")) {
        assert_eq!((&service["read_only"], &service["cap_drop"][0]), (&Value::Bool(true), &Value::from("ALL")), "{name}");
    }
    let unit = text("systemd/inlay.service");
    for line in ["NoNewPrivileges=yes", "ProtectSystem=strict", "DynamicUser=yes", "CapabilityBoundingSet="] {
        assert!(unit.lines().any(|own| own == line), "{line}");
    }
    let files = value(&unit, "LimitNOFILE").parse::<usize>().expect("a number");
    assert!(files > 10_000 + 512, "more than INLAY_MAX_CONNECTIONS");
}
