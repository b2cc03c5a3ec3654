#ifndef ROOST_ALLOCATIONS_H
#define ROOST_ALLOCATIONS_H

/// How often the calling thread has taken memory so far: every call of malloc and its relatives in this process.
unsigned long roost_allocations(void);

#endif
