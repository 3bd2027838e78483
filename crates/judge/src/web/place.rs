//! Where somebody is: an address, as far as it tells one place from another.

use std::net::{IpAddr, SocketAddr};

/// An IPv4 address, or the /64 that whoever has one IPv6 address usually has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    V4([u8; 4]),
    V6([u8; 8]),
    /// What a proxy calls an address and is none.
    Unknown,
}

impl Place {
    pub fn of(address: IpAddr) -> Place {
        match address.to_canonical() {
            IpAddr::V4(address) => Place::V4(address.octets()),
            IpAddr::V6(address) => {
                let octets = address.octets();
                Place::V6(std::array::from_fn(|at| octets[at]))
            }
        }
    }

    /// The place of an address as a proxy writes it, with or without a port.
    pub fn of_text(text: &str) -> Place {
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        let port = || text.parse().map(|address: SocketAddr| address.ip());
        bare.parse().or_else(|_| port()).map_or(Place::Unknown, Place::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_ipv6_are_one_place() {
        let same = [
            ["2001:db8:1:2::1", "2001:db8:1:2:ffff:1234::9"],
            ["10.0.0.1", "10.0.0.1:8080"],
            ["10.0.0.1", "::ffff:10.0.0.1"],
            ["[2001:db8::1]:443", "[2001:db8::2]"],
            ["unknown", "_hidden"],
        ];
        for [a, b] in same {
            assert_eq!(Place::of_text(a), Place::of_text(b), "{a} {b}");
        }
        for [a, b] in [["2001:db8:1:2::1", "2001:db8:1:3::1"], ["10.0.0.1", "10.0.0.2"], ["10.0.0.1", "unknown"]] {
            assert_ne!(Place::of_text(a), Place::of_text(b), "{a} {b}");
        }
    }
}
