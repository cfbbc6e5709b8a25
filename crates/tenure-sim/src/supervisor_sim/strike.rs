//! What happens to a member's processes at one instant.

use super::flaw::HelperFlaw;
use super::kernel::{Kernel, Who};

const ALL: [Who; 3] = [Who::Member, Who::Reaper, Who::Warden];

/// Strikes any set of them, as far as the system promises anything then.
pub(super) fn strike(kernel: &mut Kernel) {
    if kernel.chance.in_10k(500) && kernel.task(Who::Reaper).is_awake() && kernel.task(Who::Member).is_awake()
    {
        kernel.tasks[Who::Warden as usize].stuck = true;
        return;
    }
    let together = kernel.chance.in_10k(3_000);
    let fate = kernel.chance.below(2);
    for who in ALL {
        let fate = if together { fate } else { kernel.chance.below(4) };
        if !is_promised(kernel, who) {
            continue;
        }
        match fate {
            0 => kernel.kill(who),
            1 => kernel.freeze(who, true),
            _ => {}
        }
    }
}

/// Without a namespace nothing is promised once both member and reaper are struck; and a warden that can't die needs a reaper.
fn is_promised(kernel: &Kernel, who: Who) -> bool {
    let stuck = kernel.task(Who::Warden).stuck;
    let other = match who {
        Who::Member => Who::Reaper,
        Who::Reaper => Who::Member,
        Who::Warden => return true,
    };
    if stuck {
        return false;
    }
    kernel.has(HelperFlaw::NoNamespace) || !kernel.open || kernel.task(other).is_awake()
}

/// Everybody goes on.
pub(super) fn thaw(kernel: &mut Kernel) {
    ALL.into_iter().for_each(|who| kernel.freeze(who, false));
    kernel.tasks[Who::Warden as usize].stuck = false;
}
