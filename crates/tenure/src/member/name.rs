//! Names and bits that must be this member's alone.

use tenure_core::ids::{MemberId, Process};

use crate::error::{Error, ErrorKind};

/// 128 bits of this member alone.
pub(crate) fn fresh_bits() -> Result<u128, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::new(ErrorKind::Unavailable, format!("the system gives no random bits ({error}); try again"))
    })?;
    Ok(u128::from_le_bytes(bytes))
}

/// The name of a member that was given none: the host's, so that people know where to look, and a part of the process's
/// bits, so that no other process has it.
pub(super) fn nameless(process: Process) -> MemberId {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    named_after(&host, process)
}

fn named_after(host: &str, process: Process) -> MemberId {
    let plain: String = host.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
    let plain = plain.trim_matches('-');
    let host = if plain.is_empty() { "member" } else { plain };
    let name = format!("{host}-{:08x}", (process.0 >> 96) as u32);
    name.parse().expect("letters, digits and hyphens, at most 49, and a letter or digit first")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_host_name_makes_a_member_id() {
        for host in ["", "a", "-x-", "näme.example.com", &"h".repeat(253), "pod-7.svc"] {
            let id = named_after(host, Process(0xabcd_ef01 << 96));
            assert!(id.as_str().ends_with("-abcdef01"), "{id}");
        }
    }
}
