//! Jobs by everything that a process can be known by: its number, its session, or the shard and epoch in its environment.

use std::collections::{BTreeMap, HashMap};

use rustix::process::Pid;
use tenure::{Epoch, ShardId};
use tenure_core::warden::{JobId, Work};

use super::stray::Whose;

/// Some jobs, each with its first process.
#[derive(Debug, Default)]
pub(super) struct JobIndex {
    jobs: BTreeMap<JobId, (Pid, (ShardId, Epoch))>,
    by_leader: HashMap<Pid, JobId>,
    by_fence: HashMap<(ShardId, Epoch), JobId>,
}

impl JobIndex {
    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// All of them, with their first processes.
    pub(super) fn jobs(&self) -> impl Iterator<Item = (JobId, Pid)> {
        self.jobs.iter().map(|(job, (leader, _))| (*job, *leader))
    }

    /// A job that is for `work`.
    pub(super) fn insert(&mut self, job: JobId, leader: Pid, work: &Work) {
        self.add(job, leader, (work.shard, work.epoch));
    }

    fn add(&mut self, job: JobId, leader: Pid, fence: (ShardId, Epoch)) {
        self.jobs.insert(job, (leader, fence));
        self.by_leader.insert(leader, job);
        self.by_fence.insert(fence, job);
    }

    /// The job is none of these any more.
    pub(super) fn remove(&mut self, job: JobId) {
        self.take(job);
    }

    /// The job is one of the others now.
    pub(super) fn hand_to(&mut self, others: &mut Self, job: JobId) {
        if let Some((leader, fence)) = self.take(job) {
            others.add(job, leader, fence);
        }
    }

    fn take(&mut self, job: JobId) -> Option<(Pid, (ShardId, Epoch))> {
        let (leader, fence) = self.jobs.remove(&job)?;
        self.by_leader.remove(&leader);
        // A later job for the same shard and epoch may have taken its place.
        if self.by_fence.get(&fence) == Some(&job) {
            self.by_fence.remove(&fence);
        }
        Some((leader, fence))
    }

    /// The first process of a job.
    pub(super) fn leader(&self, job: JobId) -> Option<Pid> {
        self.jobs.get(&job).map(|(leader, _)| *leader)
    }

    /// The job whose first process this is.
    pub(super) fn led_by(&self, process: Pid) -> Option<JobId> {
        self.by_leader.get(&process).copied()
    }

    /// The job that a stray belongs to.
    pub(super) fn owner_of(&self, stray: Whose) -> Option<JobId> {
        let Whose::Known { session, fence } = stray else { return None };
        let by_session = session.and_then(|session| self.led_by(session));
        by_session.or_else(|| self.by_fence.get(&fence?).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FENCE: (ShardId, Epoch) = (ShardId(3), Epoch(7));

    fn pid(number: i32) -> Pid {
        Pid::from_raw(number).unwrap()
    }

    fn job_index() -> JobIndex {
        let mut job_index = JobIndex::default();
        let work = Work { shard: FENCE.0, epoch: FENCE.1, incarnation: String::new(), traceparent: None };
        job_index.insert(JobId(1), pid(10), &work);
        job_index
    }

    fn stray(session: i32, fence: Option<(ShardId, Epoch)>) -> Whose {
        Whose::Known { session: Some(pid(session)), fence }
    }

    #[test]
    fn a_session_or_a_fence_is_enough() {
        let job_index = job_index();
        assert_eq!(job_index.owner_of(stray(10, None)), Some(JobId(1)));
        assert_eq!(job_index.owner_of(stray(11, Some(FENCE))), Some(JobId(1)));
        assert_eq!(job_index.owner_of(stray(11, Some((ShardId(3), Epoch(6))))), None);
        assert_eq!(job_index.owner_of(Whose::Ended), None);
    }

    #[test]
    fn a_job_that_was_handed_on_is_known_there_alone() {
        let (mut job_index, mut others) = (job_index(), JobIndex::default());
        job_index.hand_to(&mut others, JobId(1));
        assert!(job_index.is_empty() && job_index.led_by(pid(10)).is_none());
        assert_eq!(others.jobs().collect::<Vec<_>>(), [(JobId(1), pid(10))]);
        assert_eq!(others.owner_of(stray(11, Some(FENCE))), Some(JobId(1)));
    }

    #[test]
    fn the_next_job_of_a_shard_keeps_its_name_when_the_last_is_gone() {
        let mut job_index = job_index();
        let work = Work { shard: FENCE.0, epoch: FENCE.1, incarnation: String::new(), traceparent: None };
        job_index.insert(JobId(2), pid(20), &work);
        job_index.remove(JobId(1));
        assert_eq!(job_index.owner_of(stray(11, Some(FENCE))), Some(JobId(2)));
    }
}
