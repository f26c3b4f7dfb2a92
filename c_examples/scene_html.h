/* Writes a motion as one HTML page that shows it in three dimensions, see viewer/README.md.
 *
 * The page begins with viewer.html as Stiction's build leaves it; STICTION_VIEWER says where that
 * is, in the environment or when this is compiled. Order of calls: scene_open; scene_body with its
 * scene_shape for the ground and for each body in turn; scene_frame with one scene_pose per body
 * for each frame; scene_close. Nothing but the C library is needed; C99 and C++11. */
#ifndef SCENE_HTML_H
#define SCENE_HTML_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct scene_html {
  FILE *file;
  int bodies, shapes, frames;
} scene_html;

/* Where viewer.html is, NULL when nobody said. */
static inline const char *scene_viewer(void) {
  const char *path = getenv("STICTION_VIEWER");
#ifdef STICTION_VIEWER
  if (!path)
    path = STICTION_VIEWER;
#endif
  return path;
}

/* Begins the page at path. up and view have 3 numbers: what is up, and from where one looks. 0, or
 * -1 with a message. */
static inline int scene_open(scene_html *s, const char *path, const char *title, const double *up,
                             const double *view) {
  const char *viewer = scene_viewer();
  FILE *page = viewer ? fopen(viewer, "rb") : NULL;
  char buffer[4096];
  size_t n;
  s->bodies = s->shapes = s->frames = 0;
  s->file = page ? fopen(path, "wb") : NULL;
  if (!s->file) {
    fprintf(stderr, "cannot %s %s\n", page ? "write" : "read the viewer, STICTION_VIEWER =",
            page     ? path
            : viewer ? viewer
                     : "not set");
    if (page)
      fclose(page);
    return -1;
  }
  while ((n = fread(buffer, 1, sizeof buffer, page)) > 0)
    fwrite(buffer, 1, n, s->file);
  fclose(page);
  fprintf(s->file,
          "show({\"title\":\"%s\",\"up\":[%g,%g,%g],\"view\":[%g,%g,%g],\n\"ground\":{\"shapes\":[",
          title, up[0], up[1], up[2], view[0], view[1], view[2]);
  return 0;
}

/* Ends the ground or the last body and begins the next one. The color is as in CSS. */
static inline void scene_body(scene_html *s, const char *name, const char *color) {
  fputs(s->bodies++ ? "]},\n" : "]},\n\"bodies\":[", s->file);
  fprintf(s->file, "{\"name\":\"%s\",\"color\":\"%s\",\"shapes\":[", name, color);
  s->shapes = 0;
}

/* A shape of the ground or of the present body: the members of viewer/README.md, as printf writes
 * them. */
static inline void scene_shape(scene_html *s, const char *format, ...) {
  va_list list;
  fputs(s->shapes++ ? ",\n{" : "{", s->file);
  va_start(list, format);
  vfprintf(s->file, format, list);
  va_end(list);
  fputc('}', s->file);
}

/* A shape whose last member is a list of numbers: "kind":...,"points":[ and so on. */
static inline void scene_list(scene_html *s, const char *members, const double *x, int n) {
  int i;
  fprintf(s->file, "%s{%s:[", s->shapes++ ? ",\n" : "", members);
  for (i = 0; i < n; i++)
    fprintf(s->file, "%s%.6g", i ? "," : "", x[i]);
  fputs("]}", s->file);
}

static inline void scene_frame(scene_html *s, double t) {
  fprintf(s->file, "%s[%.6g", s->frames++ ? "],\n" : "]}],\n\"frames\":[", t);
}

/* Place and unit quaternion of the next body: x y z w x y z, as stn_model_get_pose writes them. */
static inline void scene_pose(scene_html *s, const double *pose) {
  int i;
  for (i = 0; i < 7; i++)
    fprintf(s->file, ",%.6g", pose[i]);
}

/* 0, or -1 when something could not be written. */
static inline int scene_close(scene_html *s) {
  int failed;
  fputs("]]});\n</script>\n", s->file);
  failed = ferror(s->file);
  return fclose(s->file) || failed ? -1 : 0;
}

#endif
