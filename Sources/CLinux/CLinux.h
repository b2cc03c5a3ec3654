// What the C library offers on Linux and Swift's Glibc module leaves out. Functions are declared here instead of by the
// system's headers: a second module that defines the types in these makes it a matter of chance where Swift finds them.
int accept4(int socket, void *address, void *length, int flags);
int eventfd(unsigned int count, int flags);
int malloc_trim(unsigned long kept);
int pthread_setname_np(unsigned long thread, const char *name);
int sched_getaffinity(int process, long size, void *mask);
int sem_clockwait(void *semaphore, int clock, const void *time);
