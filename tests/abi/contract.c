/* Names, signatures and numbers that programs rely on, written down a second time: a header that
 * disagrees does not compile. Grows with the interface; nothing here is ever changed or removed
 * before a new major version. C99 and C++11, for the compiler's eyes only. */
#include <stiction.h>

#define IS(name, number) typedef char name##_is_##number[(name) == (number) ? 1 : -1]
#define IS_NEGATIVE(name, number)                                                                  \
  typedef char name##_is_minus_##number[(name) == -(number) ? 1 : -1]

IS(STN_OK, 0);
IS(STN_EVENT, 1);
IS(STN_REJECTED, 2);
IS_NEGATIVE(STN_ERR_NULL, 1);
IS_NEGATIVE(STN_ERR_DIMENSION, 2);
IS_NEGATIVE(STN_ERR_VALUE, 3);
IS_NEGATIVE(STN_ERR_NONFINITE, 4);
IS_NEGATIVE(STN_ERR_ABI, 5);
IS_NEGATIVE(STN_ERR_CAPACITY, 6);
IS_NEGATIVE(STN_ERR_BUSY, 7);
IS_NEGATIVE(STN_ERR_CALLBACK, 20);
IS_NEGATIVE(STN_ERR_LCP_RAY, 40);
IS_NEGATIVE(STN_ERR_LCP_PIVOTS, 41);
IS_NEGATIVE(STN_ERR_SINGULAR, 42);
IS_NEGATIVE(STN_ERR_RESIDUAL, 43);
IS_NEGATIVE(STN_ERR_STEP_TOO_SMALL, 44);
IS_NEGATIVE(STN_ERR_MEMORY, 90);
IS_NEGATIVE(STN_ERR_PANIC, 98);
IS_NEGATIVE(STN_ERR_POISONED, 99);
IS(STN_IMPACT_PLASTIC, 0);
IS(STN_IMPACT_NEWTON, 1);
IS(STN_IMPACT_POISSON, 2);
IS(STN_IMPACT_REFLECTION, 3);

#ifdef __cplusplus
extern "C" {
#endif

const char *stn_status_name(int32_t status);
int32_t stn_last_error(char *buf, int32_t cap);
int32_t stn_version_number(void);
int32_t stn_abi_version(void);
const char *stn_version_string(void);

stn_status stn_lcp_create(int32_t n_max, stn_lcp **out);
void stn_lcp_destroy(stn_lcp *lcp);
stn_status stn_lcp_solve(stn_lcp *lcp, int32_t n, const double *m, int32_t ldm, const double *q,
                         double *z, double *w, stn_lcp_info *info);
stn_status stn_mlcp_solve(stn_lcp *lcp, int32_t n_free, int32_t n_comp, const double *m,
                          int32_t ldm, const double *q, double *x, double *w, stn_lcp_info *info);
stn_status stn_lcp_residual(int32_t n, const double *m, int32_t ldm, const double *q,
                            const double *z, double *residual);
stn_status stn_contact_solve(stn_lcp *lcp, int32_t nv, int32_t n_joint, int32_t n_contact,
                             int32_t n_dir, const double *mass, const double *joint,
                             const double *normal, const double *tangent, const double *mu,
                             const double *p, double *v, double *joint_impulse,
                             double *normal_impulse, double *friction_impulse, stn_lcp_info *info);
stn_status stn_impact_solve(stn_lcp *lcp, int32_t law, int32_t nv, int32_t n_joint,
                            int32_t n_contact, int32_t n_dir, const double *mass,
                            const double *joint, const double *normal, const double *tangent,
                            const double *mu, const double *restitution, const double *v_minus,
                            double *v_compression, double *v_plus, double *joint_impulse,
                            double *normal_impulse, double *friction_impulse, stn_lcp_info *info);

#ifdef __cplusplus
}
#endif

/* Members by name and type, whatever their order; the order is in the layout files. */
size_t *size_of_info(stn_lcp_info *info);
int32_t *pivots_of_info(stn_lcp_info *info);
int32_t *warm_of_info(stn_lcp_info *info);
double *residual_of_info(stn_lcp_info *info);
size_t *size_of_info(stn_lcp_info *info) { return &info->struct_size; }
int32_t *pivots_of_info(stn_lcp_info *info) { return &info->pivots; }
int32_t *warm_of_info(stn_lcp_info *info) { return &info->warm; }
double *residual_of_info(stn_lcp_info *info) { return &info->residual; }
