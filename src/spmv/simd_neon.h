/* SPDX-License-Identifier: BSD-3-Clause */
/* spmv/simd.h for NEON of 64-bit ARM. It has neither masks for memory nor a gather instruction: what takes some lanes only
   goes lane by lane. */
#ifndef SPRY_SIMD_NEON_H
#define SPRY_SIMD_NEON_H

#define SIMD_NAME(format) format "_neon"
#define SIMD_NEEDS SPRY_CPU_NEON
#define SIMD_KERNELS(format) SIMD_KERNELS_OF(format, neon)

static inline vec v_sums(const vec *row) {
#if SPRY_TMPL_TYPE == 64
    return vpaddq_f64(row[0], row[1]);
#else
    return vpaddq_f32(vpaddq_f32(row[0], row[1]), vpaddq_f32(row[2], row[3]));
#endif
}

static inline vec v_sums_low(const vec *row) {
    return v_sums(row);
}

/* ---- memory ---- */

INLINE void v_prefetch(const void *p) {
    __builtin_prefetch(p, 0, 2);
}

static inline vec v_load_some(const val_t *p, uint64_t bits) {
    vec v = v_zero();
    for (int l = 0; l < LANES; l++)
        if (bits >> l & 1)
            v[l] = p[l];
    return v;
}

static inline vec v_load_low_first(const val_t *p, int low, int64_t n) {
    (void)low;
    return v_load_first(p, n);
}

static inline void v_store_first(val_t *p, vec v, int64_t n) {
    for (int l = 0; l < LANES; l++)
        if (l < n)
            p[l] = v[l];
}

static inline vec v_load_stored(const stored_t *p) {
#ifdef SPRY_TMPL_CODE
    return vcvt_f64_f32(vld1_f32(p));
#else
    return v_load(p);
#endif
}

static inline vec v_load_stored_first(const stored_t *p, int64_t n) {
    vec v = v_zero();
    for (int l = 0; l < LANES; l++)
        if (l < n)
            v[l] = p[l];
    return v;
}

/* ---- values that lie apart ---- */

static inline vec v_load_stored_every(const stored_t *p, int64_t step) {
    vec v = v_set((val_t)p[0]);
    for (int l = 1; l < LANES; l++)
        v[l] = (val_t)p[l * step];
    return v;
}

static inline void v_load_stored_two(const stored_t *p, int64_t step, vec *two) {
    for (int i = 0; i < 2; i++)
        two[i] = v_load_stored_every(p + i, step);
}

#define GATHER(name, follow, index)                                                                          \
    static inline vec name(const val_t *x, const index *idx) {                                               \
        vec v = v_set(x[idx[0]]);                                                                            \
        for (int l = 1; l < LANES; l++)                                                                      \
            v[l] = x[idx[l]];                                                                                \
        return v;                                                                                            \
    }                                                                                                        \
    static inline bool follow(const index *idx) {                                                            \
        bool others = false;                                                                                 \
        for (int l = 1; l < LANES; l++)                                                                      \
            others |= idx[l] - idx[0] != l;                                                                  \
        return !others;                                                                                      \
    }
GATHER(v_gather, v_follow, idx_t)
GATHER(v_gather_narrow, v_follow_narrow, uint16_t)
#undef GATHER

static inline vec v_gather_every(const val_t *x, const idx_t *idx, int64_t step) {
    vec v = v_set(x[idx[0]]);
    for (int l = 1; l < LANES; l++)
        v[l] = x[idx[l * step]];
    return v;
}

static inline vec v_gather_first(const val_t *x, const idx_t *idx, int64_t n) {
    vec v = v_zero();
    for (int l = 0; l < LANES; l++)
        if (l < n)
            v[l] = x[idx[l]];
    return v;
}

static inline vec v_spread(const val_t *x, int n, const int32_t *at) {
    vec v = v_zero();
    for (int l = 0; l < LANES; l++)
        if (at[l] < n)
            v[l] = x[at[l]];
    return v;
}

/* ---- rows of different lengths ---- */

/* All bits of the lanes whose rows are longer than k. */
#if SPRY_TMPL_TYPE == 64 && SPRY_TMPL_IDX == 32
static inline uint64x2_t longer(const idx_t *len, idx_t k) {
    return vcgtq_s64(vmovl_s32(vld1_s32(len)), vdupq_n_s64(k));
}
#elif SPRY_TMPL_TYPE == 64
static inline uint64x2_t longer(const idx_t *len, idx_t k) {
    return vcgtq_s64(vld1q_s64(len), vdupq_n_s64(k));
}
#elif SPRY_TMPL_IDX == 32
static inline uint32x4_t longer(const idx_t *len, idx_t k) {
    return vcgtq_s32(vld1q_s32(len), vdupq_n_s32(k));
}
#else
static inline uint32x4_t longer(const idx_t *len, idx_t k) {
    const uint64x2_t low = vcgtq_s64(vld1q_s64(len), vdupq_n_s64(k)),
                     high = vcgtq_s64(vld1q_s64(len + 2), vdupq_n_s64(k));
    return vcombine_u32(vmovn_u64(low), vmovn_u64(high));
}
#endif

static inline vec v_fma_longer(vec a, vec b, vec c, const idx_t *len, int64_t k) {
    return V_CALL(bsl)(longer(len, (idx_t)k), v_fma(a, b, c), c);
}

/* All bits of the lanes whose bit is set. */
#if SPRY_TMPL_TYPE == 64
static inline uint64x2_t mask_of_bits(uint64_t bits) {
    return vtstq_u64(vdupq_n_u64(bits), (uint64x2_t){1, 2});
}
#else
static inline uint32x4_t mask_of_bits(uint64_t bits) {
    return vtstq_u32(vdupq_n_u32((uint32_t)bits), (uint32x4_t){1, 2, 4, 8});
}
#endif

static inline vec v_fma_some(vec a, vec b, vec c, uint64_t bits) {
    return V_CALL(bsl)(mask_of_bits(bits), v_fma(a, b, c), c);
}

static inline vec v_gather_longer(const val_t *x, const idx_t *idx, const idx_t *len, int64_t k) {
    idx_t at[LANES];
    for (int l = 0; l < LANES; l++)
        at[l] = len[l] > k ? idx[l] : 0;
    return v_gather(x, at);
}

#endif
