//! Manifests, held to what the daemon understands.

use std::collections::BTreeSet;
use std::fs;

use serde::Deserialize as _;
use serde_norway::{Deserializer, Value};

use crate::support::{read, tollgate, variables, workspace};

fn documents(path: &str) -> Vec<Value> {
    let text = read(path);
    let documents = Deserializer::from_str(&text).map(|it| Value::deserialize(it).unwrap());
    documents.collect()
}

fn all() -> Vec<Value> {
    let entries = fs::read_dir(workspace().join("deploy/kubernetes")).unwrap();
    let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
    let documents = names.flat_map(|name| documents(&format!("deploy/kubernetes/{name}")));
    let documents: Vec<_> = documents.collect();
    assert!(documents.len() >= 6);
    documents
}

/// The containers of all pods that run the daemon.
fn daemons(documents: &[Value]) -> Vec<&Value> {
    let pods = documents.iter().map(|it| &it["spec"]["template"]["spec"]);
    let containers = pods.flat_map(|pod| ["initContainers", "containers"].map(|it| &pod[it]));
    let containers = containers.filter_map(Value::as_sequence).flatten();
    let found: Vec<_> = containers.filter(|it| it["name"] == "tollgate").collect();
    assert_eq!(found.len(), 2);
    found
}

fn each<'a>(container: &'a Value, list: &str) -> &'a [Value] {
    container[list].as_sequence().unwrap()
}

#[test]
fn variables_are_those_of_the_daemon_or_of_the_policy_file() {
    let (documents, known) = (all(), variables());
    let policies = read("deploy/kubernetes/policies.yaml");
    for container in daemons(&documents) {
        for variable in each(container, "env") {
            let name = variable["name"].as_str().unwrap();
            let is_known = known.contains(name) || policies.contains(&format!("${{{name}}}"));
            assert!(is_known, "{name}");
        }
    }
}

#[test]
fn what_connections_and_requests_keep_fits_the_limit_of_memory() {
    let documents = all();
    for container in daemons(&documents) {
        let number = |name: &str| {
            let variable = each(container, "env").iter().find(|it| it["name"] == name);
            let value = variable.unwrap()["value"].as_str().unwrap();
            value.parse::<u64>().unwrap()
        };
        // As the guide adds it up: HTTP, gRPC, the Redis protocol, and the rest of the process.
        let connections = number("TOLLGATE_MAX_CONNECTIONS") * ((424 + 424 + 300) << 10);
        let requests = 2 * number("TOLLGATE_MAX_REQUEST_MEMORY");
        let kept = connections + requests + (50 << 20);
        let limit = container["resources"]["limits"]["memory"].as_str().unwrap();
        let limit: u64 = limit.strip_suffix("Mi").unwrap().parse().unwrap();
        assert!(kept * 3 / 2 <= limit << 20, "{kept} of {limit}Mi");
    }
}

#[test]
fn probes_ask_what_is_answered_where_it_is() {
    let documents = all();
    for container in daemons(&documents) {
        let ports: BTreeSet<_> = each(container, "ports")
            .iter()
            .map(|port| port["name"].as_str().unwrap())
            .collect();
        for probe in ["readinessProbe", "livenessProbe", "startupProbe"] {
            let Some(get) = container.get(probe).map(|it| &it["httpGet"]) else {
                continue;
            };
            assert!(ports.contains(get["port"].as_str().unwrap()), "{probe}");
            assert!(matches!(get["path"].as_str(), Some("/livez" | "/readyz")));
        }
        let context = &container["securityContext"];
        assert_eq!(context["readOnlyRootFilesystem"], true);
        assert_eq!(context["allowPrivilegeEscalation"], false);
    }
}

#[test]
fn the_policies_that_are_mounted_can_be_used() {
    let documents = documents("deploy/kubernetes/policies.yaml");
    let text = documents[0]["data"]["tollgate.toml"].as_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tollgate.toml");
    fs::write(&path, text).unwrap();
    let output = tollgate(&["check", "--deny-warnings"])
        .arg(path)
        .env("REDIS_URL", "redis://redis:6379")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_pod_has_the_time_that_the_daemon_takes_to_end() {
    for document in all() {
        let pod = &document["spec"]["template"]["spec"];
        if let Some(grace) = pod["terminationGracePeriodSeconds"].as_u64() {
            // Five seconds of delay, ten to drain.
            assert!(grace > 15, "{grace}");
        }
    }
}

#[test]
fn the_image_is_the_one_that_the_guide_builds() {
    let documents = all();
    for container in daemons(&documents) {
        let image = container["image"].as_str().unwrap();
        let build = format!("docker build -f deploy/docker/Dockerfile -t {image} .");
        for text in [
            read("docs/daemon/operations.md"),
            read("deploy/docker/Dockerfile"),
        ] {
            assert!(text.contains(&build), "{build}");
        }
    }
}

#[test]
fn a_proxy_and_the_service_of_a_sidecar_are_believed() {
    let policies = read("deploy/kubernetes/policies.yaml");
    for setting in ["trusted_proxies = [", "trust_unix_peer = true"] {
        assert!(policies.contains(setting), "{setting}");
    }
}
