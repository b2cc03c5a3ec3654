#ifndef ROOST_ALLOCATIONS_H
#define ROOST_ALLOCATIONS_H

/// The number of allocations of the calling thread so far: each call of malloc and its relatives in this process.
unsigned long roost_allocations(void);

/// The bytes of memory that this process has taken and not given back, with the C library's part of each piece.
unsigned long roost_memory(void);

#endif
