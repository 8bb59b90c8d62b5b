//! Networks of addresses: CIDRs.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A network of addresses, such as `192.0.2.0/24` or `2001:db8::/32`.
///
/// Addresses are compared as numbers, and IPv4-mapped IPv6 is IPv4 on both sides (RFC 4291,
/// section 2.5.5.2): `::ffff:192.0.2.0/120` is `192.0.2.0/24`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IpNetwork {
    address: IpAddr,
    prefix: u8,
}

impl IpNetwork {
    /// The network of one address.
    #[must_use]
    pub const fn single(address: IpAddr) -> Self {
        let address = address.to_canonical();
        Self {
            address,
            prefix: width(address),
        }
    }

    /// The network of the first `prefix` bits of an address; the other bits are cut off. A longer
    /// prefix than the address has bits is that of one address. An IPv4-mapped address is IPv4
    /// first, and `prefix` counts the bits of IPv4.
    #[must_use]
    pub const fn cut(address: IpAddr, prefix: u8) -> Self {
        let address = address.to_canonical();
        let prefix = if prefix > width(address) {
            width(address)
        } else {
            prefix
        };
        let address = match address {
            IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & mask_v4(prefix))),
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & mask_v6(prefix))),
        };
        Self { address, prefix }
    }

    /// The first address.
    #[must_use]
    pub const fn address(&self) -> IpAddr {
        self.address
    }

    /// The number of bits that the addresses share.
    #[must_use]
    pub const fn prefix(&self) -> u8 {
        self.prefix
    }

    /// True if the address is one of the network's.
    #[must_use]
    pub const fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(theirs)) => {
                ours.to_bits() == theirs.to_bits() & mask_v4(self.prefix)
            }
            (IpAddr::V6(ours), IpAddr::V6(theirs)) => {
                ours.to_bits() == theirs.to_bits() & mask_v6(self.prefix)
            }
            _ => false,
        }
    }

    /// True if every address of a family is in it.
    #[must_use]
    pub const fn is_everything(&self) -> bool {
        self.prefix == 0
    }
}

const fn width(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

const fn mask_v4(prefix: u8) -> u32 {
    match u32::MAX.checked_shr(prefix as u32) {
        Some(rest) => !rest,
        None => u32::MAX,
    }
}

const fn mask_v6(prefix: u8) -> u128 {
    match u128::MAX.checked_shr(prefix as u32) {
        Some(rest) => !rest,
        None => u128::MAX,
    }
}

/// An address by itself stands without a prefix.
impl fmt::Display for IpNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.prefix == width(self.address) {
            write!(f, "{}", self.address)
        } else {
            write!(f, "{}/{}", self.address, self.prefix)
        }
    }
}

impl fmt::Debug for IpNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<IpAddr> for IpNetwork {
    fn from(address: IpAddr) -> Self {
        Self::single(address)
    }
}

impl FromStr for IpNetwork {
    type Err = ParseNetworkError;

    /// Reads an address, or an address, `/` and a prefix. Bits after the prefix must be zero.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |problem| ParseNetworkError {
            text: text.chars().take(64).collect(),
            problem,
        };
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| error(Problem::Address))?;
        let Some(prefix) = prefix else {
            return Ok(Self::single(address));
        };
        let digits = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_digit());
        let prefix = prefix
            .parse::<u8>()
            .ok()
            .filter(|prefix| digits && *prefix <= width(address))
            .ok_or_else(|| error(Problem::Prefix(width(address))))?;
        let canonical = address.to_canonical();
        let prefix = if canonical.is_ipv4() && address.is_ipv6() {
            prefix
                .checked_sub(96)
                .ok_or_else(|| error(Problem::MappedPrefix))?
        } else {
            prefix
        };
        let network = Self::cut(canonical, prefix);
        if network.address != canonical {
            return Err(error(Problem::HostBits(network)));
        }
        Ok(network)
    }
}

/// A text that is no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseNetworkError {
    text: String,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Address,
    Prefix(u8),
    MappedPrefix,
    HostBits(IpNetwork),
}

impl fmt::Display for ParseNetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match &self.problem {
            Problem::Address => write!(
                f,
                "`{text}` is not a network; write an address such as `192.0.2.1`, or a CIDR such as `192.0.2.0/24` or `2001:db8::/32`"
            ),
            Problem::Prefix(width) => write!(
                f,
                "the prefix of `{text}` is not a number of bits from 0 to {width}"
            ),
            Problem::MappedPrefix => write!(
                f,
                "the prefix of `{text}` is below 96, which is more than the IPv4-mapped addresses; write the IPv4 network, such as `192.0.2.0/24`"
            ),
            Problem::HostBits(network) => write!(
                f,
                "`{text}` has bits set after its prefix; write `{network}` for the network, or the address alone"
            ),
        }
    }
}

impl Error for ParseNetworkError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn network(text: &str) -> IpNetwork {
        text.parse().unwrap()
    }

    fn contains(text: &str, address: &str) -> bool {
        network(text).contains(address.parse().unwrap())
    }

    #[test]
    fn contains_the_addresses_that_share_its_prefix() {
        assert!(contains("10.0.0.0/8", "10.255.255.255"));
        assert!(!contains("10.0.0.0/8", "11.0.0.0"));
        assert!(contains("192.0.2.1", "192.0.2.1"));
        assert!(!contains("192.0.2.1", "192.0.2.2"));
        assert!(contains("0.0.0.0/0", "203.0.113.9"));
        assert!(!contains("0.0.0.0/0", "2001:db8::1"));
        assert!(contains("2001:db8::/33", "2001:db8:7fff::1"));
        assert!(!contains("2001:db8::/33", "2001:db8:8000::1"));
        assert!(contains("::/0", "2001:db8::1"));
        assert!(!contains("::/0", "192.0.2.1"));
    }

    // B41
    #[test]
    fn mapped_networks_and_addresses_are_ipv4() {
        assert_eq!(network("::ffff:192.0.2.0/120"), network("192.0.2.0/24"));
        assert!(contains("::ffff:192.0.2.0/120", "192.0.2.1"));
        assert!(contains("::ffff:192.0.2.0/120", "::ffff:192.0.2.1"));
        assert!(contains("192.0.2.0/24", "::ffff:192.0.2.1"));
        assert!(!contains("192.0.2.0/24", "::ffff:192.0.3.1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1/32"));
    }

    // B41
    #[test]
    fn refuses_a_mapped_prefix_below_96() {
        let error = "::ffff:0.0.0.0/95".parse::<IpNetwork>().unwrap_err();
        assert!(error.to_string().contains("below 96"), "{error}");
        assert!("::ffff:0.0.0.0/96".parse::<IpNetwork>().is_ok());
    }

    #[test]
    fn refuses_what_is_no_network() {
        for text in [
            "",
            "/",
            "10.0.0.0/",
            "10.0.0.0/33",
            "10.0.0.0/+8",
            "10.0.0.0/8/8",
            "::/129",
            "localhost",
            "10.0.0/8",
            " 10.0.0.0/8",
            "fe80::1%eth0/64",
        ] {
            assert!(text.parse::<IpNetwork>().is_err(), "{text:?}");
        }
        let error = "10.0.0.5/8".parse::<IpNetwork>().unwrap_err();
        assert!(error.to_string().contains("write `10.0.0.0/8`"), "{error}");
    }

    proptest! {
        #[test]
        fn prints_as_it_is_read(address: IpAddr, prefix in 0_u8..=128) {
            let network = IpNetwork::cut(address, prefix);
            prop_assert_eq!(network.to_string().parse(), Ok(network));
            prop_assert!(network.contains(address));
        }

        #[test]
        fn agrees_with_comparing_bit_by_bit(network: u128, address: u128, shared in 0_u32..=128, prefix in 0_u8..=128) {
            // Without shared bits hardly any address would be inside.
            let address = if shared == 0 { address } else { (network >> (128 - shared) << (128 - shared)) | (address.checked_shr(shared).unwrap_or(0)) };
            let (network, address) = (Ipv6Addr::from_bits(network), Ipv6Addr::from_bits(address));
            prop_assume!(network.to_ipv4_mapped().is_none() && address.to_ipv4_mapped().is_none());
            let bits = |address: Ipv6Addr| format!("{:0128b}", address.to_bits());
            let expected = bits(network)[..usize::from(prefix)] == bits(address)[..usize::from(prefix)];
            prop_assert_eq!(IpNetwork::cut(network.into(), prefix).contains(address.into()), expected);
        }
    }
}
