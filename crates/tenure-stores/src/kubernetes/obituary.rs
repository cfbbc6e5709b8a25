//! What kubelets report of the dead.
//!
//! A process can't know which container it is in, and a status that names the container may be that of the one before. So it
//! leaves a word in its container's termination log, which each container has for itself. When the container has ended, and
//! not before, the kubelet reads that word and puts it into the container's `terminated` state. Whoever finds it there knows
//! that this very container has ended, and with it every process in it: nobody else could know the word.
//!
//! A pod's phase, its deletion, a node that is gone: none of these carries the word, so none of them is taken for proof. Where
//! containers share their processes (`hostPID`, `shareProcessNamespace`), one may end and leave some behind: its report is no
//! proof either.

use std::iter;

use k8s_openapi::api::core::v1::{ContainerState, ContainerStatus, Pod};
use serde_json::Value;
use tenure_core::ids::Process;

/// What a word begins with; the process follows.
const WORD: &str = "tenure process ";

/// The word that `process` leaves.
pub(super) fn word_of(process: Process) -> String {
    format!("{WORD}{process}\n")
}

/// The processes that the kubelet of `pod` reports to have ended.
pub(super) fn dead_in(pod: &Pod) -> Vec<Process> {
    let shares = pod
        .spec
        .as_ref()
        .is_none_or(|spec| spec.host_pid.unwrap_or(false) || spec.share_process_namespace.unwrap_or(false));
    if shares {
        return Vec::new();
    }
    containers(pod).flat_map(messages).flat_map(str::lines).filter_map(process_in).collect()
}

fn containers(pod: &Pod) -> impl Iterator<Item = &ContainerStatus> {
    let status = pod.status.iter();
    status.flat_map(|status| {
        [&status.container_statuses, &status.init_container_statuses, &status.ephemeral_container_statuses]
            .into_iter()
            .flatten()
            .flatten()
    })
}

/// What was left by this container, and by the one before it.
fn messages(container: &ContainerStatus) -> impl Iterator<Item = &str> {
    let states = iter::once(&container.state).chain([&container.last_state]);
    states.flatten().filter_map(message)
}

/// A kubelet that lost a container makes an end up; then it names no container.
fn message(state: &ContainerState) -> Option<&str> {
    let ended = state.terminated.as_ref()?;
    ended.container_id.as_ref().filter(|id| !id.is_empty())?;
    ended.message.as_deref()
}

fn process_in(line: &str) -> Option<Process> {
    let process = line.strip_prefix(WORD)?.trim_end();
    serde_json::from_value(Value::String(process.into())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PROCESS: Process = Process(0x9999_aaaa_bbbb_cccc_dddd_eeee_ffff_0000);

    fn pod(spec: Value, state: Value) -> Pod {
        let spec = json!({"containers": []})
            .as_object()
            .unwrap()
            .clone()
            .into_iter()
            .chain(spec.as_object().unwrap().clone());
        let spec: serde_json::Map<String, Value> = spec.collect();
        let container =
            json!({"name": "worker", "ready": false, "restartCount": 0, "image": "", "imageID": ""});
        let mut container = container.as_object().unwrap().clone();
        container.extend(state.as_object().unwrap().clone());
        serde_json::from_value(json!({"spec": spec, "status": {"containerStatuses": [container]}})).unwrap()
    }

    fn ended(container: &str) -> Value {
        json!({"terminated": {"exitCode": 137, "containerID": container, "message": format!("bye\n{}", word_of(PROCESS))}})
    }

    #[test]
    fn the_word_of_a_container_that_ended_is_proof() {
        assert_eq!(dead_in(&pod(json!({}), json!({"state": ended("containerd://1")}))), [PROCESS]);
        let restarted = json!({"state": {"running": {}}, "lastState": ended("containerd://1")});
        assert_eq!(dead_in(&pod(json!({}), restarted)), [PROCESS]);
    }

    #[test]
    fn an_end_that_a_kubelet_made_up_is_none() {
        assert_eq!(dead_in(&pod(json!({}), json!({"state": ended("")}))), []);
    }

    #[test]
    fn the_end_of_a_container_that_shares_its_processes_is_none() {
        for shared in ["hostPID", "shareProcessNamespace"] {
            assert_eq!(dead_in(&pod(json!({shared: true}), json!({"state": ended("containerd://1")}))), []);
        }
    }

    #[test]
    fn other_words_prove_nothing() {
        for message in ["", "tenure process", "tenure process x", "a tenure process 1"] {
            let state =
                json!({"terminated": {"exitCode": 0, "containerID": "containerd://1", "message": message}});
            assert_eq!(dead_in(&pod(json!({}), json!({"state": state}))), []);
        }
    }
}
