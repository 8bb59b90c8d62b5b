use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use prost::Message as _;
use prost_types::value::Kind;
use prost_types::{Duration, ListValue, Struct, Value};

use super::*;
use crate::grpc::generated::{DescriptorStatus, HeaderValue, RateLimit, RateLimitResponse};
use crate::grpc::wire::PREFIX;

/// A value of the metadata.
#[derive(Clone, Debug)]
enum Told {
    Text(String),
    Number(u32),
    Flag(bool),
    Texts(Vec<String>),
}

type Owned = (Code, Option<(String, usize, u32, u32)>, u32, Option<u64>);

fn code() -> impl Strategy<Value = Code> {
    prop_oneof![Just(Code::Unknown), Just(Code::Ok), Just(Code::OverLimit)]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{0,8}", ".{0,200}"]
}

fn status() -> impl Strategy<Value = Owned> {
    let limit = (text(), 1..300_usize, any::<u32>(), 0..8_u32);
    let reset = prop_oneof![0..200_u64, 0..=i64::MAX.unsigned_abs()];
    (code(), option::of(limit), any::<u32>(), option::of(reset))
}

fn told() -> impl Strategy<Value = Told> {
    prop_oneof![
        text().prop_map(Told::Text),
        any::<u32>().prop_map(Told::Number),
        any::<bool>().prop_map(Told::Flag),
        vec(text(), 0..4).prop_map(Told::Texts),
    ]
}

fn general_status((code, limit, limit_remaining, reset): &Owned) -> DescriptorStatus {
    let limit = limit
        .as_ref()
        .map(|(policy, number, units, unit)| RateLimit {
            name: match number {
                1 => policy.clone(),
                number => format!("{policy}/{number}"),
            },
            requests_per_unit: *units,
            unit: (*unit).try_into().unwrap(),
        });
    DescriptorStatus {
        code: (*code).into(),
        current_limit: limit,
        limit_remaining: *limit_remaining,
        duration_until_reset: reset.map(|seconds| Duration {
            seconds: seconds.try_into().unwrap(),
            nanos: 0,
        }),
        quota: None,
    }
}

fn general_value(told: &Told) -> Value {
    let text = |text: &String| Kind::StringValue(text.clone());
    let kind = match told {
        Told::Text(it) => text(it),
        Told::Number(number) => Kind::NumberValue((*number).into()),
        Told::Flag(flag) => Kind::BoolValue(*flag),
        Told::Texts(texts) => {
            let values = texts.iter().map(|it| Value {
                kind: Some(text(it)),
            });
            Kind::ListValue(ListValue {
                values: values.collect(),
            })
        }
    };
    Value { kind: Some(kind) }
}

proptest! {
    #[test]
    fn an_answer_is_written_as_the_general_encoder_writes_it(
        overall in code(),
        statuses in vec(status(), 0..4),
        headers in vec((text(), text()), 0..6),
        body in vec(any::<u8>(), 0..300),
        metadata in option::of(btree_map(text(), told(), 0..6)),
    ) {
        let mut answer = Response::new(overall);
        for (code, limit, limit_remaining, until_reset) in &statuses {
            answer.status(&Status {
                code: *code,
                current_limit: limit.as_ref().map(|(policy, number, units, unit)| CurrentLimit {
                    policy,
                    number: *number,
                    requests_per_unit: *units,
                    unit: *unit,
                }),
                limit_remaining: *limit_remaining,
                until_reset: *until_reset,
            });
        }
        for (name, value) in &headers {
            answer.header(name, value);
        }
        answer.raw_body(&body);
        if let Some(members) = &metadata {
            answer.metadata(|metadata| {
                for (name, told) in members {
                    match told {
                        Told::Text(text) => metadata.text(name, text),
                        Told::Number(number) => metadata.number(name, *number),
                        Told::Flag(flag) => metadata.flag(name, *flag),
                        Told::Texts(texts) => metadata.texts(name, texts.iter().map(|it| &**it)),
                    }
                }
            });
        }
        let header = |(key, value): &(String, String)| HeaderValue {
            key: key.clone(),
            value: value.clone(),
            ..HeaderValue::default()
        };
        let expected = RateLimitResponse {
            overall_code: overall.into(),
            statuses: statuses.iter().map(general_status).collect(),
            response_headers_to_add: headers.iter().map(header).collect(),
            raw_body: body.into(),
            dynamic_metadata: metadata.map(|members| Struct {
                fields: members.iter().map(|(name, told)| (name.clone(), general_value(told))).collect::<BTreeMap<_, _>>(),
            }),
            ..RateLimitResponse::default()
        };
        let written = answer.finish();
        let (prefix, message) = written.split_at(PREFIX);
        let length = u32::try_from(message.len()).unwrap().to_be_bytes();
        prop_assert_eq!(prefix, [&[0], &length[..]].concat());
        prop_assert_eq!(RateLimitResponse::decode(message).unwrap(), expected.clone());
        prop_assert_eq!(message, expected.encode_to_vec());
    }
}
