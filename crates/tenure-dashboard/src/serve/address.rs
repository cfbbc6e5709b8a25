//! Where a dashboard may listen.

use std::net::SocketAddr;

/// An address that others can reach was asked for, without what that needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "others can reach {address}: that needs {missing}; listen on 127.0.0.1 instead and forward the port, or add what is missing"
)]
pub struct AddressRefused {
    address: SocketAddr,
    missing: &'static str,
}

/// Whether a dashboard may listen on `address`: on loopback always, elsewhere with tokens and TLS alone.
///
/// # Errors
/// What is missing.
pub fn allowed(address: SocketAddr, tokens: bool, tls: bool) -> Result<(), AddressRefused> {
    let missing = match (tokens, tls) {
        _ if address.ip().is_loopback() => return Ok(()),
        (true, true) => return Ok(()),
        (true, false) => "a certificate (--tls-cert and --tls-key)",
        (false, true) => "a token file (--token-file)",
        (false, false) => "a token file (--token-file) and a certificate (--tls-cert and --tls-key)",
    };
    Err(AddressRefused { address, missing })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_needs_nothing() {
        for address in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1"] {
            assert_eq!(allowed(address.parse().unwrap(), false, false), Ok(()));
        }
    }

    #[test]
    fn elsewhere_both_are_needed_and_named() {
        for address in ["0.0.0.0:1", "[::]:1", "192.168.1.1:1", "[::ffff:10.0.0.1]:1"] {
            let address: SocketAddr = address.parse().unwrap();
            assert_eq!(allowed(address, true, true), Ok(()));
            for (tokens, tls, named) in
                [(true, false, "--tls-cert"), (false, true, "--token-file"), (false, false, "--token-file")]
            {
                let refused = allowed(address, tokens, tls).unwrap_err().to_string();
                assert!(refused.contains(named), "{refused}");
            }
        }
    }
}
