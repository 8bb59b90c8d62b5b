//! The image. No test here can build it: what can be wrong in its text is looked for.

use crate::support::{read, tollgate, variables};

/// Instructions, each in one line.
fn instructions() -> Vec<(String, String)> {
    let text = read("deploy/docker/Dockerfile").replace("\\\n", " ");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter(|line| !line.is_empty());
    let split = lines.filter_map(|line| line.split_once(' '));
    split
        .map(|(word, rest)| (word.to_owned(), rest.to_owned()))
        .collect()
}

#[test]
fn the_image_runs_the_daemon_as_nobody_special() {
    let instructions = instructions();
    let known = [
        "FROM",
        "WORKDIR",
        "COPY",
        "RUN",
        "USER",
        "ENV",
        "EXPOSE",
        "STOPSIGNAL",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    ];
    for (word, _) in &instructions {
        assert!(known.contains(&word.as_str()), "{word}");
    }
    let of = |word: &str| {
        let found = instructions.iter().filter(|(it, _)| it == word);
        found.map(|(_, rest)| rest.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("FROM").len(), 2);
    assert_eq!(of("USER"), ["65532:65532"]);
    assert_eq!(of("CMD"), [r#"["serve"]"#]);
    let health = of("HEALTHCHECK").concat();
    assert!(
        health.ends_with(r#"CMD ["/usr/local/bin/tollgate", "probe"]"#),
        "{health}"
    );
    assert!(
        tollgate(&["probe", "--help"])
            .output()
            .unwrap()
            .status
            .success()
    );
}

#[test]
fn the_image_says_only_what_the_daemon_understands() {
    let (variables, instructions) = (variables(), instructions());
    let settings = instructions.iter().filter(|(word, _)| word == "ENV");
    let settings: Vec<_> = settings
        .flat_map(|(_, rest)| rest.split_whitespace())
        .collect();
    assert!(settings.len() >= 5);
    for setting in settings {
        let (name, value) = setting.split_once('=').unwrap();
        assert!(variables.contains(name), "{name}");
        if let Some((_, port)) = value.rsplit_once(':') {
            let exposed = instructions.iter().find(|(word, _)| word == "EXPOSE");
            assert!(exposed.unwrap().1.split(' ').any(|it| it == port), "{port}");
        }
    }
}
