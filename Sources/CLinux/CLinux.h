// What the C library offers on Linux and Swift's Glibc module leaves out.
#include <linux/filter.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <pthread.h>

int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
void *memmem(const void *bytes, size_t count, const void *sought, size_t soughtCount);
int pthread_setname_np(pthread_t thread, const char *name);
int sched_getaffinity(pid_t process, size_t size, void *mask);
