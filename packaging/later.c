/* The wall clock twenty years on, for a program of 32 bits: packaging/test-arm preloads it. What still asks
 * for 32 bits of seconds gets them wrapped around, as it will after January 2038. */
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define TWENTY_YEARS (20LL * 31557600)

struct wide {
    int64_t seconds;
    int64_t fraction;
};

int __clock_gettime64(int clock, struct wide *now) {
    int result = syscall(SYS_clock_gettime64, clock, now);
    if (clock == CLOCK_REALTIME) now->seconds += TWENTY_YEARS;
    return result;
}

int __gettimeofday64(struct wide *now, void *zone) {
    (void)zone;
    int result = __clock_gettime64(CLOCK_REALTIME, now);
    now->fraction /= 1000;
    return result;
}

int64_t __time64(int64_t *into) {
    struct wide now;
    __clock_gettime64(CLOCK_REALTIME, &now);
    if (into) *into = now.seconds;
    return now.seconds;
}

int clock_gettime(clockid_t clock, struct timespec *into) {
    struct wide now;
    int result = __clock_gettime64(clock, &now);
    into->tv_sec = (int32_t)now.seconds;
    into->tv_nsec = now.fraction;
    return result;
}

int gettimeofday(struct timeval *into, void *zone) {
    struct wide now;
    int result = __gettimeofday64(&now, zone);
    into->tv_sec = (int32_t)now.seconds;
    into->tv_usec = now.fraction;
    return result;
}

time_t time(time_t *into) {
    time_t now = (int32_t)__time64(0);
    if (into) *into = now;
    return now;
}
