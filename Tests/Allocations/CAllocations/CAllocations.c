// Counts allocations by standing in for the C library's functions, which a program may do (glibc, "Replacing malloc").
// Everything that takes memory comes through here, Swift's runtime too. Memory still comes from glibc, so free stays.
#include "CAllocations.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static __thread unsigned long taken;

unsigned long roost_allocations(void) { return taken; }

unsigned long roost_memory(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void *malloc(size_t size) {
    taken++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    taken++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    taken++;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    taken++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *taken = memalign(alignment, size);
    if (taken == NULL) return ENOMEM;
    *memory = taken;
    return 0;
}
