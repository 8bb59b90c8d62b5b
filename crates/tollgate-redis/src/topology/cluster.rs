//! A cluster: which server has which slot, and what to do about calls that have gone astray.
//!
//! The client library has a client for clusters too. It is not used, since it repeats calls that may
//! have been run, keeps calls while servers are away, and gives no hold on either.

mod map;
mod ranges;
mod redirect;

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use futures_util::future::join_all;
use redis::ConnectionAddr;
use tokio::time::Instant;
use tollgate::{StoreError, StoreErrorKind};

use super::ask::{ask, is_no, said_by, unusable, within_patience};
use super::search::{self, Search, Seek};
use super::slot::slot;
use crate::call::Call;
use crate::node::{Node, NodeError, Refusal};
use crate::url::{Endpoint, Target};
use map::{Map, Member};
use ranges::Range;
use redirect::{Redirects, elsewhere};

pub(crate) struct Cluster {
    target: Target,
    tls: Option<ConnectionAddr>,
    seeds: Vec<Endpoint>,
    connect_timeout: Duration,
    map: RwLock<Map>,
    search: Search,
}

impl Cluster {
    pub(super) fn new(
        target: &Target,
        tls: Option<&ConnectionAddr>,
        seeds: &[Endpoint],
        connect_timeout: Duration,
    ) -> Self {
        Self {
            target: target.clone(),
            tls: tls.cloned(),
            seeds: seeds.to_vec(),
            connect_timeout,
            map: RwLock::default(),
            search: Search::new(),
        }
    }

    /// Finds out who has which slot, if that is not known, and connects to all masters.
    pub(super) async fn connect(self: &Arc<Self>) -> Result<(), StoreError> {
        self.found(self.connect_timeout).await?;
        let members = self.read().masters();
        let connecting = members.iter().map(|member| async {
            let connected = member.node.connect().await;
            connected.map_err(|error| said_by(&format_args!("redis {}", member.endpoint), error))
        });
        join_all(connecting).await.into_iter().collect()
    }

    /// Runs the script where the slot of its keys is, and says of an error whether other slots are
    /// served all the same.
    pub(super) async fn call(
        self: &Arc<Self>,
        call: &Call,
        timeout: Duration,
    ) -> Result<Vec<u64>, StoreError> {
        let slot = slot(call.a_key().unwrap_or_default());
        let answer = self.run(call.clone().in_slot(slot), slot, timeout).await;
        answer.map_err(|NodeError { refusal, error }| match refusal {
            // Which concerns all slots.
            Refusal::ClusterDown => error,
            _ if self.read().serves_others(slot) => error.of_a_part(),
            _ => error,
        })
    }

    /// A call that was not run since it was sent to the wrong place is sent to the right one; one
    /// that may have been run never is.
    async fn run(
        self: &Arc<Self>,
        call: Call,
        slot: u16,
        timeout: Duration,
    ) -> Result<Vec<u64>, NodeError> {
        let ends = Instant::now() + timeout;
        let mut member = self.serving(slot, timeout).await?;
        let mut is_asking = false;
        let mut redirects = Redirects::default();
        loop {
            if member.is_failing() {
                return Err(self.lost(&member).into());
            }
            let left = ends.saturating_duration_since(Instant::now());
            let answer = if is_asking {
                member.node.call(&call.clone().asking(), left).await
            } else {
                member.node.call(&call, left).await
            };
            let NodeError { refusal, error } = match answer {
                Ok(numbers) => return Ok(numbers),
                Err(error) => error,
            };
            self.learn(&member, &refusal);
            is_asking = matches!(refusal, Refusal::Ask { .. });
            member = match &refusal {
                Refusal::Moved { address } | Refusal::Ask { address } if redirects.may_follow() => {
                    let endpoint = elsewhere(address, &member.endpoint);
                    let Some(other) = endpoint.and_then(|endpoint| self.member(&endpoint)) else {
                        return Err(NodeError { refusal, error });
                    };
                    if !is_asking {
                        self.write().assign(slot, &other);
                    }
                    other
                }
                Refusal::TryAgain => {
                    let left = ends.saturating_duration_since(Instant::now());
                    let Some(wait) = redirects.wait(left) else {
                        return Err(NodeError { refusal, error });
                    };
                    tokio::time::sleep(wait).await;
                    self.serving(slot, left).await?
                }
                _ => return Err(NodeError { refusal, error }),
            };
        }
    }

    /// Nobody waits for a server that has failed; until it is back or replaced, a search goes on.
    fn lost(self: &Arc<Self>, member: &Member) -> StoreError {
        search::start(self, None);
        StoreError::new(
            StoreErrorKind::Unavailable,
            format!("redis {} was lost and is looked for", member.endpoint),
        )
    }

    /// Has the map made anew where a refusal says that it is wrong.
    fn learn(self: &Arc<Self>, member: &Member, refusal: &Refusal) {
        match refusal {
            Refusal::Unreachable | Refusal::NotMaster => member.fails(),
            Refusal::Moved { .. } | Refusal::ClusterDown => {}
            Refusal::Ask { .. } | Refusal::TryAgain | Refusal::Other => return,
        }
        search::start(self, None);
    }

    async fn serving(
        self: &Arc<Self>,
        slot: u16,
        timeout: Duration,
    ) -> Result<Arc<Member>, StoreError> {
        self.found(timeout).await?;
        if let Some(member) = self.read().serving(slot) {
            return Ok(member);
        }
        search::start(self, None);
        Err(StoreError::new(
            StoreErrorKind::Unavailable,
            format!("no server of the redis cluster has slot {slot}"),
        ))
    }

    /// Waits for the first map. Later ones are made while calls go by the last one.
    async fn found(self: &Arc<Self>, timeout: Duration) -> Result<(), StoreError> {
        if self.read().is_empty() {
            search::start(self, None);
            self.search.first_attempt(timeout).await?;
        }
        Ok(())
    }

    /// The server at this address, known or not; `None` if none can be there.
    fn member(&self, endpoint: &Endpoint) -> Option<Arc<Member>> {
        if let Some(member) = self.read().member(endpoint) {
            return Some(member);
        }
        let member = self.new_member(endpoint).ok()?;
        Some(self.write().add(member))
    }

    fn new_member(&self, endpoint: &Endpoint) -> Result<Arc<Member>, StoreError> {
        let info = self.target.data_server(endpoint, self.tls.as_ref());
        let mut node = info.and_then(Node::new).map_err(unusable)?;
        node.set_connect_timeout(self.connect_timeout);
        Ok(Member::new(endpoint.clone(), node))
    }

    /// What one server says of the slots.
    async fn ranges(&self, endpoint: &Endpoint) -> Result<Vec<Range>, StoreError> {
        let said = |error| said_by(&format_args!("redis {endpoint}"), error);
        let info = self.target.data_server_asked(endpoint, self.tls.as_ref());
        let mut command = redis::cmd("CLUSTER");
        command.arg("SLOTS");
        let answer = ask(info.map_err(unusable)?, &command)
            .await
            .map_err(|error| said(is_no("node of a cluster", error)))?;
        let ranges = ranges::ranges(answer, endpoint);
        if ranges.is_empty() {
            return Err(StoreError::new(
                StoreErrorKind::Unavailable,
                format!("redis {endpoint} is in no cluster that has slots"),
            ));
        }
        Ok(ranges)
    }

    /// Connects anew to the servers that have failed and are masters all the same.
    async fn mend(&self) -> Result<(), StoreError> {
        let failing = self.read().failing();
        let mending = failing.iter().map(|member| async {
            let new = self.new_member(&member.endpoint)?;
            let connected = within_patience(new.node.connect()).await;
            connected
                .map_err(|error| said_by(&format_args!("redis {}", member.endpoint), error))?;
            self.write().replace(member, &new);
            Ok(())
        });
        join_all(mending).await.into_iter().collect()
    }

    fn read(&self) -> RwLockReadGuard<'_, Map> {
        self.map.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Map> {
        self.map.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seek for Cluster {
    fn search(&self) -> &Search {
        &self.search
    }

    async fn seek(&self) -> Result<(), StoreError> {
        let mut failure = None;
        let asked = self.read().in_the_order_to_ask(&self.seeds);
        for endpoint in asked {
            match self.ranges(&endpoint).await {
                Ok(ranges) => {
                    self.write()
                        .update(ranges, |endpoint| self.new_member(endpoint).ok());
                    return self.mend().await;
                }
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.unwrap_or_else(|| {
            StoreError::new(StoreErrorKind::Unavailable, "there is no redis to ask")
        }))
    }
}
