/* Counting what was tried and telling what went wrong, for programs whose cases are written out. */
#ifndef STICTION_SAY_H
#define STICTION_SAY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stiction.h>

static int cases, failures;

static void check(int holds, const char *what) {
  cases++;
  if (!holds) {
    failures++;
    fprintf(stderr, "%s\n", what);
  }
}

/* The status must be this one, and its text must contain `text` (if any). */
static void expect(const char *what, stn_status got, stn_status expected, const char *text) {
  char last[1100] = "";
  cases++;
  stn_last_error(last, (int32_t)sizeof last);
  if (got != expected || (text && !strstr(last, text))) {
    failures++;
    fprintf(stderr, "%s: %s instead of %s, should say \"%s\", says \"%s\"\n", what,
            stn_status_name(got), stn_status_name(expected), text ? text : "", last);
  }
}

typedef struct Section {
  const char *name;
  void (*run)(void);
} Section;

/* Runs the section named by the first argument, or all of them. */
static int run_sections(const Section *sections, size_t n, int argc, char **argv) {
  size_t i;
  for (i = 0; i < n; i++)
    if (argc < 2 || strcmp(argv[1], sections[i].name) == 0)
      sections[i].run();
  printf("%d cases, %d failures\n", cases, failures);
  return failures || !cases;
}

#endif
