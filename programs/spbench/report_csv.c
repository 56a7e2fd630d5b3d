/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* A value in quotes where it needs them (RFC 4180). */
static void put_quoted(const char *text) {
    bool quoted = false;
    for (const char *c = text; *c; c++)
        quoted |= *c == ',' || *c == '"' || *c == '\n' || *c == '\r';
    if (quoted)
        putchar('"');
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            putchar('"');
        putchar(*c);
    }
    if (quoted)
        putchar('"');
}

/* The values after a line's first: each with the comma before it, empty where it was not measured. */

static void put_text(const char *text) {
    putchar(',');
    put_quoted(text);
}

static void put_count(bool measured, int64_t value) {
    putchar(',');
    if (measured)
        printf("%" PRId64, value);
}

static void put_number(bool measured, double value) {
    putchar(',');
    if (measured && isfinite(value))
        printf("%.6g", value);
}

void report_print_csv_heading(void) {
    puts("name,file,rows,cols,nnz,nan,infinite,field,symmetry,"
         "row_min,row_q1,row_median,row_q3,row_max,row_mean,row_std,"
         "cpu,read_gbs,profile,gpu,gpu_cache_bytes,gpu_copy_gbs,gpu_profile,"
         "read_seconds,read_mb_per_s,copy_us,copy_bytes,copy_gbs,"
         "format,storage,backend,peer,peer_version,kernel,default,type,index,op,threads,bytes,bytes_per_nnz,"
         "fill,convert_us,"
         "time_us_median,time_us_min,time_us_max,time_us_batches,time_us_disturbed,noisy,"
         "cold_us_median,cold_us_min,cold_us_max,predicted_us,"
         "gflops,gbs,csr_gbs,roof_gbs,roofline,vs_csr,vs_csr_certain,pays_back_after,error,fastest,pick,"
         "status,"
         "message,interrupted");
}

static void put_matrix(const struct report *report) {
    const struct source *source = report->source;
    const spry_row_lengths *lengths = &report->lengths;
    put_quoted(source->name);
    put_text(source->file);
    put_count(true, report->rows);
    put_count(true, report->cols);
    put_count(true, report->nnz);
    put_count(true, source->nan_count);
    put_count(true, source->infinite_count);
    put_text(spry_field_name(source->info.field));
    put_text(spry_symmetry_name(source->info.symmetry));
    put_count(true, lengths->min);
    put_count(true, lengths->q1);
    put_count(true, lengths->median);
    put_count(true, lengths->q3);
    put_count(true, lengths->max);
    put_number(true, lengths->mean);
    put_number(true, lengths->std);
}

static void put_profile(const struct pick *pick) {
    put_text(pick->profile ? pick->profile : "");
}

static void put_machine(const struct report *report) {
    const struct source *source = report->source;
    const struct place *cpu = report_place(report, SPRY_CPU), *gpu = report_place(report, SPRY_CUDA);
    bool copied = report->copy_seconds > 0.0;
    put_text(report->cpu);
    put_number(cpu, cpu ? cpu->memory_gbs : 0.0);
    put_profile(&report->pick[SPRY_CPU]);
    put_text(gpu ? gpu->processor : "");
    put_count(gpu, gpu ? (int64_t)gpu->cache_bytes : 0);
    put_number(gpu, gpu ? gpu->memory_gbs : 0.0);
    put_profile(&report->pick[SPRY_CUDA]);
    put_number(!source->generated, source->seconds);
    put_number(!source->generated, (double)source->info.bytes * 1e-6 / source->seconds);
    put_number(copied, report->copy_seconds * 1e6);
    put_count(copied, (int64_t)report->copy_bytes);
    put_number(copied, (double)report->copy_bytes * 1e-9 / report->copy_seconds);
}

static void put_spread(bool measured, const struct spread *seconds) {
    put_number(measured, seconds->median * 1e6);
    put_number(measured, seconds->min * 1e6);
    put_number(measured, seconds->max * 1e6);
}

static void put_figures(const struct report *report, const struct result *result) {
    bool built = result->built, ran = result->status == SPRY_OK;
    put_count(built, (int64_t)result->bytes);
    put_number(built, result->bytes_per_nnz);
    put_number(built, result->fill);
    put_number(built, result->convert_seconds * 1e6);
    put_spread(ran, &result->seconds);
    put_count(ran, result->seconds.batches);
    put_count(ran, result->seconds.disturbed);
    put_count(ran, report_is_noisy(result));
    put_spread(ran && result->cold.median > 0.0, &result->cold);
    put_number(true, result->predicted * 1e6);
    put_number(ran, result->gflops);
    put_number(ran, result->gbs);
    put_number(ran, result->csr_gbs);
    put_number(ran, result->roof_gbs);
    put_number(ran, result->roofline);
    put_number(result->vs_csr > 0.0, result->vs_csr);
    put_count(result->vs_csr > 0.0, report_is_certain(report, result));
    put_count(result->pays_back_after >= 0, result->pays_back_after);
    put_number(ran, result->error);
}

void report_print_csv(const struct report *report) {
    const struct result *fastest = report_fastest(report);
    for (int i = 0; i < report->result_count; i++) {
        const struct result *result = &report->results[i];
        put_matrix(report);
        put_machine(report);
        put_text(result->format);
        put_text(result->storage);
        put_text(spry_backend_name(result->backend));
        put_text(result->peer ? result->peer : "");
        put_text(result->peer_version ? result->peer_version : "");
        put_text(result->kernel ? result->kernel : "");
        put_count(true, result->by_default);
        put_text(spry_type_name(report->options->reading.type));
        put_text(spry_index_name(report->index));
        put_text(report->options->op == SPRY_N ? "N" : "T");
        put_count(true, report->threads);
        put_figures(report, result);
        put_count(true, result == fastest);
        put_count(true, result == report->pick[result->backend].row);
        put_text(report_status(result));
        put_text(result->message);
        put_count(true, report->interrupted[0] != '\0');
        putchar('\n');
    }
}
