/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "locales.h"

bool adopt_locale(const char *language) {
    char folder[] = "/tmp/spry-locale-XXXXXX", command[200], name[60];
    if (!mkdtemp(folder))
        return false;
    snprintf(name, sizeof name, "%s.UTF-8", language);
    snprintf(command, sizeof command, "localedef -i %s -f UTF-8 %s/%s >/dev/null 2>&1", language, folder,
             name);
    bool adopted = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_ALL, name);
    unsetenv("LOCPATH");
    /* What was adopted is in memory. */
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 && adopted;
}
