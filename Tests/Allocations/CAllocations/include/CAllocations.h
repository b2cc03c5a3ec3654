#ifndef ROOST_ALLOCATIONS_H
#define ROOST_ALLOCATIONS_H

/// How often the calling thread has taken memory so far: every call of malloc and its relatives in this process.
unsigned long roost_allocations(void);

/// How many bytes of memory this process has taken and not given back, with what the C library adds to each piece.
unsigned long roost_memory(void);

#endif
