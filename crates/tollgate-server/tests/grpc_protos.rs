//! The code that is generated from `proto/` is committed, so that a build needs neither protoc nor a
//! build script. Here it is generated anew, without protoc too, and compared. After a change of
//! `proto/`: `UPDATE_GOLDEN=1 cargo test -p tollgate-server --test grpc_protos`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on")]

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use prost::Message as _;
use prost_types::FileDescriptorSet;
use prost_types::field_descriptor_proto::Type;

const RLS: &str = "envoy/service/ratelimit/v3/rls.proto";
/// Fields that are read as bytes, which have the same form on the wire: a client chooses them, and
/// one that is not UTF-8 must not fail the call, which a proxy may be told to let through then.
const AS_BYTES: [(&str, &str, &str); 3] = [
    ("RateLimitRequest", "", "domain"),
    ("RateLimitDescriptor", "Entry", "key"),
    ("RateLimitDescriptor", "Entry", "value"),
];

fn descriptors() -> FileDescriptorSet {
    let mut set = protox::compile([RLS], ["proto"]).unwrap();
    for file in &mut set.file {
        // What reflection tells needs no comments.
        file.source_code_info = None;
    }
    set
}

fn with_bytes(mut set: FileDescriptorSet) -> FileDescriptorSet {
    let mut changed = 0;
    for file in &mut set.file {
        for message in &mut file.message_type {
            for (outer, inner, field) in AS_BYTES {
                if message.name() != outer {
                    continue;
                }
                let message = match inner {
                    "" => &mut *message,
                    inner => {
                        let mut nested = message.nested_type.iter_mut();
                        nested.find(|nested| nested.name() == inner).unwrap()
                    }
                };
                let mut fields = message.field.iter_mut();
                let field = fields.find(|known| known.name() == field).unwrap();
                field.set_type(Type::Bytes);
                changed += 1;
            }
        }
    }
    assert_eq!(changed, AS_BYTES.len());
    set
}

fn generate(set: FileDescriptorSet, for_server: bool) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let builder = tonic_prost_build::configure()
        .build_server(for_server)
        .build_client(!for_server)
        .build_transport(false)
        .out_dir(folder.path());
    let builder = if for_server {
        builder
            .bytes(".")
            .codec_path("crate::grpc::codec::ShortCodec")
    } else {
        builder
    };
    builder.compile_fds(set).unwrap();
    let files = fs::read_dir(folder.path()).unwrap();
    files
        .map(|file| {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            (name, fs::read_to_string(file.path()).unwrap())
        })
        .collect()
}

fn compare(folder: &str, generated: BTreeMap<String, String>) {
    for (name, text) in generated {
        check(&Path::new(folder).join(name), text.as_bytes());
    }
}

fn check(path: &Path, generated: &[u8]) {
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, generated).unwrap();
    }
    let committed = fs::read(path).unwrap_or_default();
    assert!(
        committed == generated,
        "{} is not what proto/ generates; write it anew by UPDATE_GOLDEN=1",
        path.display()
    );
}

#[test]
fn the_code_of_the_server_is_what_the_protos_generate() {
    compare(
        "src/grpc/generated",
        generate(with_bytes(descriptors()), true),
    );
}

#[test]
fn the_code_of_the_tests_client_is_what_the_protos_generate() {
    compare("tests/grpc/generated", generate(descriptors(), false));
}

#[test]
fn what_reflection_tells_is_what_the_protos_say() {
    let path = Path::new("src/grpc/generated/descriptors.bin");
    check(path, &descriptors().encode_to_vec());
}
