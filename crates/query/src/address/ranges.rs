//! Which IP addresses are public. All others (this machine, private networks, link-local, carrier NAT, cloud metadata,
//! multicast, reserved ranges) are private: a connection there could reach something that its author has no access to.

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::LazyLock,
};

/// IANA's special-purpose registry, multicast, and the one public address at which a cloud serves its own machines.
const PRIVATE_V4: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
];
/// The allocated range. Nothing outside it is public.
const GLOBAL_V6: &str = "2000::/3";
/// Exceptions within it: protocol assignments with Teredo, documentation, 6to4.
const PRIVATE_V6: &[&str] = &["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
/// The prefix for IPv4 over IPv6 (NAT64).
const NAT64: &str = "64:ff9b::/96";

static V4: LazyLock<Vec<Ipv4Net>> = LazyLock::new(|| PRIVATE_V4.iter().filter_map(|range| range.parse().ok()).collect());
static V6: LazyLock<Vec<Ipv6Net>> = LazyLock::new(|| PRIVATE_V6.iter().filter_map(|range| range.parse().ok()).collect());

/// Whether an address is public. IPv4 within IPv6 (mapped, NAT64) is checked as IPv4.
pub(super) fn is_public(address: IpAddr) -> bool {
    match plain(address) {
        IpAddr::V4(address) => !V4.iter().any(|range| range.contains(&address)),
        IpAddr::V6(address) => within(GLOBAL_V6, address) && !V6.iter().any(|range| range.contains(&address)),
    }
}

/// Whether a network of the operator's list contains an address.
pub(super) fn holds(network: &IpNet, address: IpAddr) -> bool {
    network.contains(&plain(address)) || network.contains(&address)
}

/// The IPv4 address within an IPv6 address, if there is one.
pub(super) fn plain(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    if within(NAT64, v6) {
        let [.., a, b, c, d] = v6.octets();
        return Ipv4Addr::new(a, b, c, d).into();
    }
    v6.to_ipv4_mapped().map_or(address, IpAddr::V4)
}

fn within(range: &str, address: Ipv6Addr) -> bool {
    range.parse::<Ipv6Net>().is_ok_and(|range| range.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().unwrap_or_else(|_| panic!("{text} is an address")))
    }

    #[test]
    fn every_range_is_read() {
        assert_eq!((V4.len(), V6.len()), (PRIVATE_V4.len(), PRIVATE_V6.len()));
        assert!(within(GLOBAL_V6, "2606:4700::1".parse().expect("an address")));
        assert!(within(NAT64, "64:ff9b::1".parse().expect("an address")));
    }

    #[test]
    fn addresses_of_the_internet_are_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1",
            "2a00:1450::1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            assert!(public(address), "{address}");
        }
    }

    #[test]
    fn this_machine_its_networks_and_reserved_addresses_are_not() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
        ] {
            assert!(!public(address), "{address}");
            for form in [format!("::ffff:{address}"), format!("64:ff9b::{address}"), format!("::{address}")] {
                assert!(!public(&form), "{form}");
            }
        }
        for address in [
            "::",
            "::1",
            "::8.8.8.8",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "2001::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:808:808::1",
            "3fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!public(address), "{address}");
        }
    }

    #[test]
    fn the_operators_networks_hold_either_form() {
        let network: IpNet = "10.1.0.0/16".parse().expect("a network");
        for inside in ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3"] {
            assert!(holds(&network, inside.parse().expect("an address")), "{inside}");
        }
        assert!(!holds(&network, "10.2.0.1".parse().expect("an address")));
        let network: IpNet = "fd00::/8".parse().expect("a network");
        assert!(holds(&network, "fd12::1".parse().expect("an address")));
    }
}
