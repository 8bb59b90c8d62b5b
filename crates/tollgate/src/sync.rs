//! The lock that stores use.
//!
//! What it guards is held for some ten nanoseconds, so a lock that is released by a plain store
//! is worth having: the standard library's needs a second atomic exchange for that, which is a
//! sixth of a decision. A thread that waits looks less and less often, so that the owner can get
//! several decisions done before the cache line moves on, and soon lets others run: the owner may
//! be waiting for the processor.

#[cfg(not(shuttle))]
pub(crate) use std::sync::atomic;

#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic;

#[cfg(shuttle)]
pub(crate) use scheduled::{Mutex, MutexGuard};
#[cfg(not(shuttle))]
pub(crate) use spinning::{Mutex, MutexGuard};

#[cfg(not(shuttle))]
mod spinning {
    pub(crate) use spin::mutex::SpinMutexGuard as MutexGuard;

    use spin::mutex::SpinMutex;

    /// A lock to be held for moments. It stays usable after a panic of its owner: what it guards is
    /// whole between any two statements that could panic, because none can.
    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(SpinMutex<T>);

    /// The first pause between two looks at the lock, in turns of a spin loop: long enough for the
    /// owner to get several decisions done while it has the cache line, which makes two threads on
    /// one key nearly twice as fast as looking again at once.
    const FIRST_PAUSE: u32 = 32;
    /// The longest pause: some ten microseconds. After that, others may run.
    const LONGEST_PAUSE: u32 = 1_024;

    impl<T> Mutex<T> {
        #[inline]
        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            match self.0.try_lock() {
                Some(guard) => guard,
                None => self.wait(),
            }
        }

        #[cold]
        fn wait(&self) -> MutexGuard<'_, T> {
            let mut pause = FIRST_PAUSE;
            loop {
                if pause < LONGEST_PAUSE {
                    for _ in 0..pause {
                        std::hint::spin_loop();
                    }
                    pause *= 2;
                } else {
                    std::thread::yield_now();
                }
                if !self.0.is_locked()
                    && let Some(guard) = self.0.try_lock()
                {
                    return guard;
                }
            }
        }
    }
}

/// The same for model checking, where a scheduler decides who runs.
#[cfg(shuttle)]
mod scheduled {
    pub(crate) use shuttle::sync::MutexGuard;

    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            match self.0.lock() {
                Ok(guard) => guard,
                Err(poisoned) => poisoned.into_inner(),
            }
        }
    }
}
