// Shows the thread sanitizer what it cannot see, because it happens in libraries that are not built with it: that a
// thread waits for a Mutex and gets it, passes one on, and waits for a semaphore with a clock. Preloaded by
// scripts/sanitize; without effect in programs without the sanitizer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

static void acquire(void *address) { if (__tsan_acquire) __tsan_acquire(address); }
static void release(void *address) { if (__tsan_release) __tsan_release(address); }

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF) {
    SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    next(thread, mutex);
    acquire(mutex);
}

SWIFT bool try(SELF) __asm__(TRY);
SWIFT bool try(SELF) {
    SWIFT bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY);
    bool done = next(mutex);
    if (done) acquire(mutex);
    return done;
}

SWIFT void unlock(SELF) __asm__(UNLOCK);
SWIFT void unlock(SELF) {
    SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    release(mutex);
    next(mutex);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time) {
    int (*next)(sem_t *, clockid_t, const struct timespec *) = dlsym(RTLD_NEXT, "sem_clockwait");
    int code = next(semaphore, clock, time);
    if (code == 0) acquire(semaphore);
    return code;
}
