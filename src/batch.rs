//! Many independent things done by several threads: each of them whole, by one thread, so that what
//! comes of it does not depend on how many there are. Knows nothing of what is done.

use std::sync::{Mutex, PoisonError};

/// Does `work` with every item, up to `threads` of them at a time; 0: as many as the machine runs at
/// once. The calling thread is one of them, and the only one where no other can be had.
///
/// ```
/// let mut x = [1.0, 2.0, 3.0];
/// stiction::batch::each(2, &mut x, |x| *x *= 2.0);
/// assert_eq!(x, [2.0, 4.0, 6.0]);
/// ```
pub fn each<T: Send>(threads: usize, items: &mut [T], work: impl Fn(&mut T) + Sync) {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { available() } else { threads }.min(items.len());
    let queue = Mutex::new(items.iter_mut());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let labor = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Without another thread those that are there do all.
            if std::thread::Builder::new().spawn_scoped(scope, labor).is_err() {
                break;
            }
        }
        labor();
    });
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn everything_is_done_once_whoever_does_it() {
        for threads in [0, 1, 2, 7, 100] {
            let mut x: Vec<u32> = (0..50).collect();
            each(threads, &mut x, |x| *x += 1);
            assert!(x.iter().enumerate().all(|(i, &x)| x == i as u32 + 1), "{x:?}");
            each(threads, &mut [] as &mut [u32], |_| unreachable!());
        }
    }
}
