//! Messages and services that are generated from `proto/`: `tests/grpc_protos.rs` writes them and
//! sees that they are current. Texts that clients choose are bytes here, which have the same form
//! on the wire.
#![allow(
    unreachable_pub,
    unused_qualifications,
    clippy::all,
    clippy::allow_attributes_without_reason,
    clippy::large_futures,
    clippy::needless_pass_by_value,
    clippy::use_self,
    reason = "generated"
)]

/// All that the services are made of, for reflection.
pub(super) const DESCRIPTORS: &[u8] = include_bytes!("generated/descriptors.bin");

#[cfg(test)]
pub(super) use envoy::config::core::v3::HeaderValue;
pub(super) use envoy::extensions::common::ratelimit::v3::RateLimitDescriptor;
#[cfg(test)]
pub(super) use envoy::extensions::common::ratelimit::v3::rate_limit_descriptor::Entry;
pub(super) use envoy::extensions::common::ratelimit::v3::rate_limit_descriptor::RateLimitOverride;
pub(super) use envoy::service::ratelimit::v3::rate_limit_response::Code;
pub(super) use envoy::service::ratelimit::v3::rate_limit_response::rate_limit::Unit;
#[cfg(test)]
pub(super) use envoy::service::ratelimit::v3::rate_limit_response::{DescriptorStatus, RateLimit};
pub(super) use envoy::service::ratelimit::v3::{
    RateLimitRequest, RateLimitResponse, rate_limit_service_server,
};
pub(super) use envoy::r#type::v3::RateLimitUnit;

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
