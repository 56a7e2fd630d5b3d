/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TEST_TASKS_H
#define TEST_TASKS_H

#include <dirent.h>

/* Threads that this process has, as the system counts them; 0 where it does not say. */
static inline int count_threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; tasks && (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

#endif
