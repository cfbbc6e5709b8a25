//! The settings of a Ceph of three processes: one copy of everything, in memory, on the loopback.

/// What differs from one start to the next.
#[derive(Debug)]
pub(super) struct Settings {
    /// The folder, as its processes see it.
    pub(super) folder: String,
    pub(super) id: String,
    pub(super) monitor_port: u16,
    pub(super) gateway_port: u16,
}

impl Settings {
    /// The file `ceph.conf`. Without `tcp_nodelay` every answer of the gateway would wait for 40 ms.
    pub(super) fn text(&self) -> String {
        let Self { folder, id, monitor_port, gateway_port } = self;
        format!(
            "[global]
fsid = {id}
mon host = v2:127.0.0.1:{monitor_port}/0
public addr = 127.0.0.1
cluster addr = 127.0.0.1
keyring = {folder}/keyring
run dir = {folder}
admin socket = {folder}/$name.asok
log file = {folder}/$name.ceph.log
crash dir = {folder}
mon data = {folder}/mon
mon data avail crit = 0
mon allow pool size one = true
mon max pg per osd = 500
osd data = {folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd memory target = 1073741824
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
[client.rgw]
rgw data = {folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:{gateway_port} tcp_nodelay=1
rgw enable usage log = false
rgw enable ops log = false
"
        )
    }
}

/// A number such as Ceph wants for a cluster and for a disk.
pub(super) fn new_id() -> String {
    let (a, b) = (fastrand::u64(..), fastrand::u64(..));
    let rest = b & 0xffff_ffff_ffff;
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{rest:012x}",
        a >> 32,
        (a >> 16) & 0xffff,
        a & 0xfff,
        (b >> 48) & 0xfff
    )
}

#[cfg(test)]
mod tests {
    use super::new_id;

    #[test]
    fn an_id_has_the_form_of_a_random_uuid() {
        let lengths: Vec<usize> = new_id().split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
    }
}
