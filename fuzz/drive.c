/* Runs a harness without libFuzzer: every file of a corpus, then that many of their mutations, the same ones on every
 * machine. What the tests run; it sees broken promises, not coverage. STN_FUZZ_SEED=1 and so on make others; files that
 * take longer than STN_FUZZ_MOST_US microseconds are tried but not mutated. An input that crashes, breaks a promise or
 * takes longer than 20 s is kept beside the program, as PROGRAM-broken.
 *   drive RUNS FILE... */
#include "input.h"
#include <fcntl.h>
#include <signal.h>
#include <time.h>

enum { LONGEST = 512, FILES = 8192, SECONDS = 20, MANY = 1000000 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint32_t draw(uint32_t n) { /* xorshift64* */
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return (uint32_t)((state * 0x2545f4914f6cdd1du) >> 33) % n;
}

static size_t mutate(uint8_t *data, size_t size) {
  uint32_t k;
  for (k = 1 + draw(6); k > 0; k--) {
    const uint32_t at = size ? draw((uint32_t)size) : 0u;
    switch (draw(4)) {
    case 0:
      if (size < LONGEST)
        memmove(data + at + 1, data + at, size++ - at);
      data[at] = (uint8_t)draw(256);
      break;
    case 1:
      if (size > 1)
        memmove(data + at, data + at + 1, --size - at);
      break;
    case 2:
      if (size)
        data[at] ^= (uint8_t)(1u << draw(8));
      break;
    default:
      if (size)
        data[at] = (uint8_t)draw(256);
    }
  }
  return size;
}

static uint8_t data[LONGEST + 1];
static size_t tried; /* bytes of data */
static char kept[4096];

/* What a program may still do that is about to die: keep the input. */
static void keep(int why) {
  const int file = open(kept, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && write(file, data, tried) == (ssize_t)tried)
    close(file);
  signal(why, SIG_DFL);
  raise(why);
}

static void try(size_t size) {
  tried = size;
  alarm(SECONDS);
  LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv) {
  static const int deaths[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
  static uint8_t seed[FILES][LONGEST];
  static size_t length[FILES];
  const char *number = getenv("STN_FUZZ_SEED"), *most = getenv("STN_FUZZ_MOST_US");
  double slowest = 0.0;
  long run, runs = argc > 1 ? atol(argv[1]) : 0;
  int i, files = 0;
  state ^= (number ? (uint64_t)strtoull(number, NULL, 10) : 0u) * 0xbf58476d1ce4e5b9u;
  snprintf(kept, sizeof kept, "%s-broken", argv[0]);
  for (i = 0; i < (int)(sizeof deaths / sizeof *deaths); i++) {
    void (*before)(int) = signal(deaths[i], keep);
    if (before != SIG_DFL) /* a sanitizer tells more */
      signal(deaths[i], before);
  }
  for (i = 2; i < argc && files < FILES; i++) {
    FILE *f = fopen(argv[i], "rb");
    clock_t begin;
    if (!f) {
      fprintf(stderr, "cannot read %s\n", argv[i]);
      return 1;
    }
    length[files] = fread(seed[files], 1, LONGEST, f);
    fclose(f);
    memcpy(data, seed[files], length[files]);
    begin = clock();
    try(length[files]);
    if (!most || (double)(clock() - begin) * 1e6 / CLOCKS_PER_SEC <= atof(most))
      files++;
  }
  if (!files) {
    fprintf(stderr, "usage: %s RUNS FILE...\n", argv[0]);
    return 1;
  }
  for (run = 0; run < runs; run++) {
    const int k = (int)draw((uint32_t)files);
    const clock_t begin = clock();
    double took;
    size_t size = length[k];
    memcpy(data, seed[k], size);
    size = mutate(data, size);
    try(size);
    took = (double)(clock() - begin) / CLOCKS_PER_SEC;
    slowest = took > slowest ? took : slowest;
    if (runs >= MANY && (run + 1) % (runs / 10) == 0)
      fprintf(stderr, "%ld of %ld mutations\n", run + 1, runs);
  }
  printf("%d files of the corpus and %ld mutations: every promise held; the slowest took %.0f ms\n", files, runs,
         1e3 * slowest);
  return 0;
}
