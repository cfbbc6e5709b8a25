//! Proof of death for processes in Pods, where an address asks for it by `proof=pod`.
//!
//! See [`super::obituary`] for what proves a death. One watch of the namespace's Pods serves all who wait for one; it begins with
//! the first of them.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use k8s_openapi::api::core::v1::Pod;
use kube::Client;
use kube::api::{Api, ListParams};
use tenure::store::{Registration, StoreError, StoreErrorKind, Witness};
use tenure_core::ids::Process;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::error::{KIND, Request};
use super::feed::{Feed, News};
use super::obituary::{dead_in, word_of};

/// Who is known to be dead.
type Dead = watch::Sender<BTreeSet<Process>>;

/// Witnesses the ends of processes by what kubelets report of their containers.
pub(super) struct PodWitness {
    client: Client,
    namespace: String,
    termination_log: PathBuf,
    dead: Arc<Dead>,
    reading: Mutex<Option<AbortHandle>>,
}

impl PodWitness {
    pub(super) fn new(client: Client, namespace: String, termination_log: PathBuf) -> Self {
        Self { client, namespace, termination_log, dead: Arc::default(), reading: Mutex::default() }
    }

    /// Reads what kubelets report, unless that is being done.
    fn read(&self) {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        // It ends with the runtime of whoever asked first; then the next one begins it anew.
        if reading.as_ref().is_none_or(AbortHandle::is_finished) {
            *reading = Some(tokio::spawn(read(self.pods(), Arc::clone(&self.dead))).abort_handle());
        }
    }

    fn pods(&self) -> Feed<Pod> {
        let request = Request { verb: "watch", resource: "pods".into(), namespace: self.namespace.clone() };
        let api = Api::namespaced(self.client.clone(), &self.namespace);
        Feed::new(api, ListParams::default().match_any(), request)
    }
}

/// Goes on until it is aborted.
async fn read(mut pods: Feed<Pod>, dead: Arc<Dead>) {
    loop {
        let died: Vec<Process> = match pods.next().await {
            News::Anew(pods) => pods.iter().flat_map(dead_in).collect(),
            // The last state of a Pod that is deleted is as good as any.
            News::Changed(pod) | News::Removed(pod) => dead_in(&pod),
        };
        dead.send_if_modified(|dead| died.into_iter().filter(|process| dead.insert(*process)).count() > 0);
    }
}

/// Nothing is held: the word is left already, and only the end of the container makes it heard.
#[derive(Debug)]
struct Registered;

impl Registration for Registered {}

#[async_trait]
impl Witness for PodWitness {
    async fn register(&self, process: Process) -> Result<Box<dyn Registration>, StoreError> {
        let log = OpenOptions::new().append(true).open(&self.termination_log);
        let left = log.and_then(|mut log| log.write_all(word_of(process).as_bytes()));
        left.map_err(|cause| {
            let named = self.termination_log.display().to_string();
            let message = "proof=pod needs the termination log of a container; run in one, or name the Pod's \
                           terminationMessagePath by the option termination_log";
            StoreError::new(StoreErrorKind::Invalid, KIND, "register", named, message).caused_by(cause)
        })?;
        Ok(Box::new(Registered))
    }

    async fn death_of(&self, process: Process) {
        self.read();
        // The sender lives as long as this witness: waiting ends with the proof alone.
        let _ = self.dead.subscribe().wait_for(|dead| dead.contains(&process)).await;
    }
}

impl Drop for PodWitness {
    fn drop(&mut self) {
        let reading = self.reading.get_mut().unwrap_or_else(PoisonError::into_inner);
        reading.iter().for_each(AbortHandle::abort);
    }
}

impl fmt::Debug for PodWitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PodWitness").field("namespace", &self.namespace).finish_non_exhaustive()
    }
}
