//! Ceph's object gateway with the least below it: one monitor, one store of objects in memory.

use std::path::Path;
use std::process::Command;

use super::bucket::Door;
use super::ceph_conf::{Settings, new_id};
use super::{KEY, SECRET};
use crate::error::{Doing, Error};
use crate::http;
use crate::install::ceph::Programs;
use crate::port::Port;
use crate::process::{Life, Order, Process, run_in_background};
use crate::ready;
use crate::server::{Home, Left};

const BUCKET: &str = "tenure";

/// The three processes. They end when this is dropped.
#[derive(Debug)]
pub(crate) struct Ceph {
    gateway: Option<Process>,
    store: Option<Process>,
    monitor: Option<Process>,
    inside: Inside,
    gateway_port: Port,
    _monitor_port: Port,
}

impl Ceph {
    pub(crate) async fn open(life: Life) -> Result<Self, Error> {
        let inside = Inside::new()?;
        let [monitor_port, gateway_port] = Port::several()?;
        let (folder, id) = (inside.folder.clone(), new_id());
        let settings =
            Settings { folder, id, monitor_port: monitor_port.number(), gateway_port: gateway_port.number() };
        inside.write("ceph.conf", &settings.text())?;
        let (gateway, store, monitor) = (None, None, None);
        let mut ceph = Self { gateway, store, monitor, inside, gateway_port, _monitor_port: monitor_port };
        ceph.start_monitor(&settings, life).await?;
        ceph.start_store(life).await?;
        ceph.start_gateway(life).await?;
        Ok(ceph)
    }

    async fn start_monitor(&mut self, settings: &Settings, life: Life) -> Result<(), Error> {
        self.inside.make_keys().await?;
        let address = format!("[v2:127.0.0.1:{}]", settings.monitor_port);
        let (map, keys) = (self.inside.file("monmap"), self.inside.file("keyring"));
        let make_map = ["--create", "--fsid", &settings.id, "--addv", "a", &address, &map];
        self.inside.run("monmaptool", &make_map).await?;
        self.inside.run("ceph-mon", &["--mkfs", "-i", "a", "--monmap", &map, "--keyring", &keys]).await?;
        let order = self.inside.order("ceph-mon", &["-f", "-i", "a"], life);
        let monitor = self.monitor.insert(Process::start(order)?);
        let inside = &self.inside;
        ready::ask(monitor, async || inside.ask("ceph", &["--connect-timeout", "5", "mon", "stat"]).await)
            .await
            .map(drop)
    }

    async fn start_store(&mut self, life: Life) -> Result<(), Error> {
        let id = new_id();
        self.inside.run("ceph", &["--connect-timeout", "30", "osd", "new", &id]).await?;
        self.inside.run("ceph-osd", &["-i", "0", "--mkfs", "--osd-uuid", &id]).await?;
        let order = self.inside.order("ceph-osd", &["-f", "-i", "0"], life);
        let store = self.store.insert(Process::start(order)?);
        let inside = &self.inside;
        ready::ask(store, async || {
            let said = inside.ask("ceph", &["--connect-timeout", "5", "osd", "stat"]).await?;
            if said.contains("1 up") { Ok(()) } else { Err(said) }
        })
        .await
    }

    async fn start_gateway(&mut self, life: Life) -> Result<(), Error> {
        let order = self.inside.order("radosgw", &["-f", "--name", "client.rgw"], life);
        let (gateway, address) = (self.gateway.insert(Process::start(order)?), self.gateway_port.address());
        ready::ask(gateway, async || http::status(&address, "GET", "/").await.map(drop)).await?;
        let user = ["user", "create", "--uid=tenure", "--display-name=tenure", "--access-key", KEY];
        self.inside.run("radosgw-admin", &[&user[..], &["--secret-key", SECRET]].concat()).await
    }

    /// Leaves it running, with the bucket that all share; answers what is to be known of it.
    pub(crate) async fn let_go(mut self) -> Result<Left, Error> {
        let address = self.gateway_port.address();
        let endpoint = format!("http://{address}");
        let door = Door { endpoint: &endpoint, key: KEY, secret: SECRET };
        door.make(BUCKET).await?;
        let version = format!("ceph {}", self.inside.programs.version()?);
        let url = door.url(BUCKET, "tenure");
        let all = [&mut self.gateway, &mut self.store, &mut self.monitor];
        let processes = all.into_iter().filter_map(|process| process.as_mut()?.let_go()).collect();
        Ok(Left {
            version,
            address,
            url,
            folder: self.inside.home.let_go(),
            processes,
            s3: Some(crate::S3Program::Ceph),
        })
    }
}

/// A folder in the root that the processes have, and calls of their programs in it.
#[derive(Debug)]
struct Inside {
    programs: Programs,
    home: Home,
    /// The same folder, as the processes see it.
    folder: String,
}

impl Inside {
    fn new() -> Result<Self, Error> {
        let programs = Programs::find()?;
        let home = Home::inside(&programs.root.join("tmp"), "s3")?;
        let name =
            home.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        for part in ["mon", "osd", "rgw"] {
            let path = home.path().join(part);
            std::fs::create_dir(&path).doing(|| format!("make {}", path.display()))?;
        }
        Ok(Self { programs, home, folder: format!("/tmp/{name}") })
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.home.path().join(name);
        std::fs::write(&path, text).doing(|| format!("write {}", path.display()))
    }

    async fn make_keys(&self) -> Result<(), Error> {
        let keys: [&[&str]; 4] = [
            &["-C", "-n", "mon.", "--cap", "mon", "allow *"],
            &["-n", "client.admin", "--cap", "mon", "allow *", "--cap", "osd", "allow *"],
            &["-n", "osd.0", "--cap", "mon", "allow profile osd", "--cap", "osd", "allow *"],
            &["-n", "client.rgw", "--cap", "mon", "allow rw", "--cap", "osd", "allow rwx"],
        ];
        let file = self.file("keyring");
        for key in keys {
            self.run("ceph-authtool", &[key, &["--gen-key", &file]].concat()).await?;
        }
        Ok(())
    }

    /// Runs a program to its end.
    async fn run(&self, program: &str, args: &[&str]) -> Result<(), Error> {
        run_in_background(self.command(program, args)).await.map(drop)
    }

    async fn ask(&self, program: &str, args: &[&str]) -> Result<String, String> {
        run_in_background(self.command(program, args)).await.map_err(|error| error.to_string())
    }

    fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = self.programs.command("env");
        command.args([&self.setting(), program]).args(args);
        command
    }

    fn order(&self, program: &str, args: &[&str], life: Life) -> Order {
        let order = Order::new(program, life, Path::new(&self.programs.chroot), self.home.path());
        let order = order.args([self.programs.root.as_os_str()]);
        order.args(["env", &self.setting(), program]).args(args.iter().copied())
    }

    /// Where the settings are. They name every file in full: the current folder is the root, from which Ceph finds its own parts.
    fn setting(&self) -> String {
        format!("CEPH_CONF={}", self.file("ceph.conf"))
    }

    /// A file of the folder, as the processes see it.
    fn file(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }
}
