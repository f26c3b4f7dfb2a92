//! Islands shared among threads: each is answered whole by one of them, with tools of its own, so that answers do not
//! depend on how many there are. Knows no method of solution.

use super::island::Island;
use super::newton::Newton;
use super::seeker::{Known, Tools};
use crate::error::{Result, grow, push};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What one thread did: its islands, the first that failed and why, and whether what was known answered all.
#[derive(Default)]
struct Share {
    islands: Vec<usize>,
    failed: Option<(usize, Result<()>)>,
    asked_more: bool,
}

/// Solves island by island, with up to `more` threads beside the calling one; whether what was known answered all of
/// them, `None` when one of them has no answer.
///
/// # Errors
/// `Memory`; of several errors that of the first island.
pub(super) fn islands_apart(
    known: &Known<'_>,
    own: &mut Tools,
    others: &mut Vec<Tools>,
    more: usize,
) -> Result<Option<bool>> {
    let missing = more.saturating_sub(others.len());
    grow(others, missing)?;
    others.resize_with(others.len() + missing, Tools::default);
    let others = &mut others[..more];
    for tools in others.iter_mut() {
        tools.newton.start(known.blocks)?;
        tools.newton.masses.take(known.blocks)?;
    }
    let mut shares = Vec::new();
    grow(&mut shares, more + 1)?;
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| -> Result<()> {
        let mut handles = Vec::new();
        grow(&mut handles, more)?;
        for tools in others.iter_mut() {
            let labor = || work(known, tools, &next);
            match std::thread::Builder::new().spawn_scoped(scope, labor) {
                Ok(handle) => handles.push(handle),
                // Without another thread those that are there do all.
                Err(_) => break,
            }
        }
        shares.push(work(known, own, &next));
        for handle in handles {
            match handle.join() {
                Ok(share) => shares.push(share),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })?;
    gather(known, own, others, &mut shares)
}

/// Answers islands that nobody has taken yet.
fn work(known: &Known<'_>, tools: &mut Tools, next: &AtomicUsize) -> Share {
    let mut share = Share::default();
    while share.failed.is_none() {
        let k = next.fetch_add(1, Ordering::Relaxed);
        let Some(island) = known.islands.all.get(k) else { break };
        let answer = push(&mut share.islands, k).and_then(|()| tools.answer(known, island));
        match answer {
            Ok(Some(by_what_was_known)) => share.asked_more |= !by_what_was_known,
            Ok(None) => share.failed = Some((k, Ok(()))),
            Err(e) => share.failed = Some((k, Err(e))),
        }
    }
    share
}

/// Takes over what other threads found. Islands are taken in order, so that the first that fails is the same however many
/// threads there are.
fn gather(
    known: &Known<'_>,
    own: &mut Tools,
    others: &[Tools],
    shares: &mut [Share],
) -> Result<Option<bool>> {
    let first =
        shares.iter_mut().filter_map(|share| share.failed.take()).min_by_key(|(island, _)| *island);
    if let Some((_, why)) = first {
        return why.map(|()| None);
    }
    for (tools, share) in others.iter().zip(shares.iter().skip(1)) {
        for &k in &share.islands {
            take_over(known, &known.islands.all[k], &mut own.newton, &tools.newton);
        }
        own.newton.factorizations += tools.newton.factorizations;
    }
    Ok(Some(!shares.iter().any(|share| share.asked_more)))
}

fn take_over(known: &Known<'_>, island: &Island, to: &mut Newton, from: &Newton) {
    for &b in &known.islands.bodies[island.bodies.clone()] {
        let range = known.blocks.range(b);
        to.v[range.clone()].copy_from_slice(&from.v[range.clone()]);
        to.centre[range.clone()].copy_from_slice(&from.centre[range]);
    }
    for &i in &known.islands.groups[island.groups.clone()] {
        (to.r[i], to.modes[i]) = (from.r[i], from.modes[i]);
    }
}
