//! Three nodes, and what tests do to them.

use std::path::PathBuf;

use super::control::Control;
use super::node::{Berth, Node};
use super::options::{Login, Options};
use crate::certificate::Certificates;
use crate::error::Error;
use crate::install::etcd::Programs;
use crate::process::{Life, Order};
use crate::ready;
use crate::server::{Home, Left};

const NODES: usize = 3;

/// Three nodes. They end when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    pub(super) nodes: Vec<Node>,
    pub(super) control: Control,
    pub(super) home: Home,
}

impl Cluster {
    /// Starts one that asks clients for nothing.
    ///
    /// # Panics
    ///
    /// When it does not start; the message says why, and what to run when etcd is not installed.
    pub async fn start() -> Self {
        Self::start_with(Options::default()).await
    }

    /// Starts one that is set up so.
    ///
    /// # Panics
    ///
    /// When it does not start; the message says why, and what to run when etcd is not installed.
    pub async fn start_with(options: Options) -> Self {
        Self::open(options, Life::Owned).await.unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) async fn open(options: Options, life: Life) -> Result<Self, Error> {
        let (programs, home) = (Programs::find()?, Home::new("etcd")?);
        let certificates = options.is_secure().then(|| Certificates::make(home.path())).transpose()?;
        let nodes = start_nodes(&programs, &options, certificates.as_ref(), &home, life)?;
        let control = Control { program: programs.etcdctl, certificates, login: None };
        let mut cluster = Self { nodes, control, home };
        for node in &mut cluster.nodes {
            node.answered(&cluster.control).await?;
        }
        if let Some(login) = options.auth {
            cluster.demand(login).await?;
        }
        Ok(cluster)
    }

    /// The addresses for clients, each `host:port`, in the order of the nodes.
    pub fn endpoints(&self) -> Vec<String> {
        self.nodes.iter().map(|node| node.client.address()).collect()
    }

    /// What a store opens that keeps everything under `prefix`.
    pub fn url(&self, prefix: &str) -> String {
        format!("etcd://{}/{prefix}", self.endpoints().join(","))
    }

    /// What clients trust and show, where TLS was asked for.
    pub fn certificates(&self) -> Option<&Certificates> {
        self.control.certificates.as_ref()
    }

    /// Kills a node at once.
    pub fn kill(&mut self, index: usize) {
        self.nodes[index].process.kill();
    }

    /// Freezes a node: it keeps its connections and answers nothing.
    pub fn stop(&mut self, index: usize) {
        self.nodes[index].process.stop();
        self.nodes[index].frozen = true;
    }

    /// Lets a frozen node go on.
    pub fn thaw(&mut self, index: usize) {
        self.nodes[index].process.thaw();
        self.nodes[index].frozen = false;
    }

    /// Starts a node again, with its old data and ports; returns when it answers, or at once where too few nodes run for that.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub async fn restart(&mut self, index: usize) {
        self.revive(index).await.unwrap_or_else(|error| panic!("{error}"));
    }

    async fn revive(&mut self, index: usize) -> Result<(), Error> {
        self.nodes[index].process.restart()?;
        self.nodes[index].frozen = false;
        if self.serving().len() <= NODES / 2 {
            return Ok(());
        }
        self.nodes[index].answered(&self.control).await
    }

    fn serving(&mut self) -> Vec<usize> {
        let nodes = self.nodes.iter_mut().enumerate();
        nodes.filter_map(|(index, node)| node.serves().then_some(index)).collect()
    }

    /// The node that leads, as soon as those that run have agreed on one.
    ///
    /// # Panics
    ///
    /// When there is none for two minutes.
    pub async fn leader(&mut self) -> usize {
        let serving = self.serving();
        let found = ready::poll(async || self.leader_among(&serving).await).await;
        found.unwrap_or_else(|problem| panic!("etcd has no leader: {problem}"))
    }

    async fn leader_among(&self, serving: &[usize]) -> Result<usize, String> {
        for &index in serving {
            if self.leads(index).await? {
                return Ok(index);
            }
        }
        Err(format!("none of the nodes {serving:?} leads"))
    }

    async fn leads(&self, index: usize) -> Result<bool, String> {
        let address = self.nodes[index].client.address();
        let said = self.control.run(&address, &["endpoint", "status", "--write-out=json"]).await;
        leads(&said.map_err(|error| error.to_string())?)
    }

    /// Makes all clients log in from now on; `user` may do anything.
    ///
    /// # Panics
    ///
    /// When etcd refuses.
    pub async fn enable_auth(&mut self, user: &str, password: &str) {
        let login = Login { user: user.into(), password: password.into() };
        self.demand(login).await.unwrap_or_else(|error| panic!("{error}"));
    }

    /// etcd wants a user `root`; the user that was asked for gets the same role.
    async fn demand(&mut self, login: Login) -> Result<(), Error> {
        let everywhere = self.endpoints().join(",");
        let others = Some(login.user.as_str()).filter(|user| *user != "root");
        for user in ["root"].into_iter().chain(others) {
            let password = format!("--new-user-password={}", login.password);
            self.control.run(&everywhere, &["user", "add", user, &password]).await?;
            self.control.run(&everywhere, &["user", "grant-role", user, "root"]).await?;
        }
        self.control.run(&everywhere, &["auth", "enable"]).await?;
        self.control.login = Some(login);
        Ok(())
    }

    /// Runs etcdctl against all nodes, with whatever the cluster asks of clients; answers what it wrote.
    ///
    /// # Panics
    ///
    /// When it fails.
    pub async fn etcdctl(&self, args: &[&str]) -> String {
        let ran = self.control.run(&self.endpoints().join(","), args).await;
        ran.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Leaves it running; answers what is to be known of it.
    pub(crate) fn let_go(mut self) -> Result<Left, Error> {
        let version = Programs::find()?.version()?;
        let processes = self.nodes.iter_mut().filter_map(|node| node.process.let_go()).collect();
        let (address, url) = (self.endpoints().join(","), self.url("tenure"));
        Ok(Left { version, address, url, folder: self.home.let_go(), processes, s3: None })
    }
}

fn start_nodes(
    programs: &Programs,
    options: &Options,
    certificates: Option<&Certificates>,
    home: &Home,
    life: Life,
) -> Result<Vec<Node>, Error> {
    let berths: Vec<Berth> = (0..NODES).map(Berth::new).collect::<Result<_, _>>()?;
    let members = berths.iter().map(Berth::member).collect::<Vec<_>>().join(",");
    let scheme = if certificates.is_some() { "https" } else { "http" };
    let start = |berth: Berth| {
        let order = Order::new(berth.name(), life, &programs.etcd, home.path());
        let order = order.args(berth.arguments(scheme, &members, home.path()));
        berth.start(order.args(options.arguments(certificates)))
    };
    berths.into_iter().map(start).collect()
}

/// The folder of etcd and of its tools, for those who start it themselves.
///
/// # Errors
///
/// When it is not installed; the message is the one command to run.
pub fn programs() -> Result<PathBuf, Error> {
    Programs::find().map(|programs| programs.etcd.with_file_name(""))
}

/// Whether a cluster that asks clients for nothing answers at all of `addresses`.
pub(crate) async fn answers(addresses: &str) -> bool {
    let Ok(programs) = Programs::find() else { return false };
    let control = Control { program: programs.etcdctl, certificates: None, login: None };
    control.run(addresses, &["endpoint", "health"]).await.is_ok()
}

/// Reads the answer of `endpoint status`: whether the node that gave it is the one that it calls leader.
fn leads(said: &str) -> Result<bool, String> {
    let all: serde_json::Value = serde_json::from_str(said).map_err(|error| format!("{error}: {said}"))?;
    let status = &all[0]["Status"];
    let member = &status["header"]["member_id"];
    Ok(!member.is_null() && *member == status["leader"])
}

#[cfg(test)]
mod tests {
    use super::leads;

    #[test]
    fn a_node_leads_when_it_names_itself() {
        let status = |leader: u64| {
            format!(r#"[{{"Endpoint":"x","Status":{{"header":{{"member_id":17}},"leader":{leader}}}}}]"#)
        };
        assert_eq!(leads(&status(17)), Ok(true));
        assert_eq!(leads(&status(3)), Ok(false));
        assert_eq!(leads(r#"[{"Endpoint":"x"}]"#), Ok(false));
        assert!(leads("no json").is_err());
    }
}
