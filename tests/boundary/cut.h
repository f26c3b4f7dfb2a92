/* Structs that a call writes, cut at every size. */
#ifndef STICTION_CUT_H
#define STICTION_CUT_H

#include "say.h"

/* Reads a struct of every size: whole members only, none behind its end. */
static void cut_output(const char *name, const void *whole, size_t size, const size_t *ends,
                       size_t members, stn_stepper *s,
                       stn_status (*get)(stn_stepper *s, void *out)) {
  unsigned char room[256];
  size_t k, i;
  for (k = 0; k <= size + 8; k++) {
    const size_t first = sizeof(size_t);
    size_t end = 0;
    memset(room, 0xA5, sizeof room);
    memcpy(room, &k, sizeof k);
    expect(name, get(s, room), k < first ? STN_ERR_ABI : STN_OK, k < first ? "struct_size" : NULL);
    for (i = 0; i < members; i++)
      if (ends[i] <= k)
        end = ends[i];
    check(memcmp(room, &k, sizeof k) == 0, "struct_size is kept");
    check(end <= first || memcmp(room + first, (const char *)whole + first, end - first) == 0,
          "members that fit are written");
    for (i = end < first ? first : end; i < sizeof room; i++)
      if (room[i] != 0xA5)
        check(0, "wrote behind its size");
  }
}

#endif
