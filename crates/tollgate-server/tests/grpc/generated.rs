//! A client by Envoy's own names, types and numbers: see `tests/grpc_protos.rs`.
#![allow(
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    clippy::all,
    clippy::allow_attributes_without_reason,
    clippy::large_futures,
    clippy::needless_pass_by_value,
    clippy::use_self,
    reason = "generated"
)]

pub(crate) use envoy::config::core::v3::HeaderValue;
pub(crate) use envoy::extensions::common::ratelimit::v3::RateLimitDescriptor;
pub(crate) use envoy::extensions::common::ratelimit::v3::rate_limit_descriptor::{
    Entry, RateLimitOverride,
};
pub(crate) use envoy::service::ratelimit::v3::rate_limit_response::rate_limit::Unit;
pub(crate) use envoy::service::ratelimit::v3::rate_limit_response::{Code, DescriptorStatus};
pub(crate) use envoy::service::ratelimit::v3::rate_limit_service_client::RateLimitServiceClient;
pub(crate) use envoy::service::ratelimit::v3::{RateLimitRequest, RateLimitResponse};

mod envoy {
    pub(super) mod config {
        pub(crate) mod core {
            pub(crate) mod v3 {
                include!("generated/envoy.config.core.v3.rs");
            }
        }
    }
    pub(super) mod extensions {
        pub(crate) mod common {
            pub(crate) mod ratelimit {
                pub(crate) mod v3 {
                    include!("generated/envoy.extensions.common.ratelimit.v3.rs");
                }
            }
        }
    }
    pub(super) mod service {
        pub(crate) mod ratelimit {
            pub(crate) mod v3 {
                include!("generated/envoy.service.ratelimit.v3.rs");
            }
        }
    }
    pub(super) mod r#type {
        pub(crate) mod v3 {
            include!("generated/envoy.r#type.v3.rs");
        }
    }
}
