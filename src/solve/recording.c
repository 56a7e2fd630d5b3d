/* SPDX-License-Identifier: BSD-3-Clause */
#include "solve/recording.h"

#include "solve/operator.h"
#include "solve/resident.h"

#include <string.h>

/* Iterations in one recording: what a launch costs is shared among them. With a preconditioner to be applied, one takes long
   enough by itself. */
#define RECORDED_ITERATIONS 8
#define RECORDED_APPLICATIONS 1
/* Iterations between two looks by the host, which each cost as much as one or two on a small matrix. Those past the
   last one are for nothing, and cost more on a large one, and where a preconditioner is applied. */
#define SMALL_STRIDE 32
#define LARGE_STRIDE 8
#define LARGE ((int64_t)1 << 20)
#define LONG_STRIDE 1024

static bool can_record(const spry_solver *solver) {
    const spry_operator *precond = &solver->precond;
    const struct spry_backend_code *code = solver->context->code;
    return code->record && code->can_record(solver->context) && solver->a.capturable &&
           (!spry_solver_applies_precond(solver) || precond->capturable) &&
           (!solver->options.sum || solver->options.sum_capturable);
}

/* The same on all ranks, so not by this one's share of the rows. */
static int choose_stride(const spry_solver *solver) {
    const int most = SPRY_RECENT - RECORDED_ITERATIONS;
    int wanted = solver->options.check_interval;
    if (!solver->context->code->record)
        return 1;
    if (wanted == 0)
        wanted = solver->n < LARGE && !solver->options.sum && !spry_solver_applies_precond(solver)
                     ? SMALL_STRIDE
                     : LARGE_STRIDE;
    return wanted < most ? wanted : most;
}

/* On the chip nothing is done past the last iteration, so the host looks when it has to: before norms that somebody
   wants to know are lost, and else now and then, so that no launch goes on for long. */
static int choose_long_stride(const spry_solver *solver) {
    const spry_solver_options *options = &solver->options;
    const int most = options->monitor || options->history ? SPRY_RECENT : LONG_STRIDE,
              iterations = solver->method->iterations;
    const int wanted =
        options->check_interval > 0 && options->check_interval < most ? options->check_interval : most;
    return wanted < iterations ? iterations : wanted - wanted % iterations;
}

/* Play all that is new to the context without effect. The last piece and the last but one are the largest. */
spry_status spry_solver_warm_up(spry_solver *solver) {
    struct spry_vectors *v = &solver->vectors;
    spry_context *context = solver->context;
    if (!solver->record || solver->warm)
        return SPRY_OK;
    solver->seen.outcome = SPRY_CONVERGED;
    spry_status status = context->code->copy(context, solver->state, &solver->seen, sizeof solver->seen);
    v->x = v->r;
    v->b = v->r;
    for (int k = solver->pieces > 1 ? solver->pieces - 2 : 0; k < solver->pieces && !status; k++)
        status = solver->method->piece(solver, k);
    v->x = v->b = NULL;
    solver->warm = !status;
    return status;
}

/* How often a piece is played at once. */
static int choose_repeat(const spry_solver *solver) {
    const int wanted = solver->resident                      ? solver->stride
                       : spry_solver_applies_precond(solver) ? RECORDED_APPLICATIONS
                                                             : RECORDED_ITERATIONS;
    if (!(solver->record || solver->resident) || solver->method->cycles ||
        wanted < solver->method->iterations)
        return 1;
    return wanted / solver->method->iterations;
}

spry_status spry_solver_prepare_pieces(spry_solver *solver) {
    void *pieces;
    solver->pieces = solver->method->cycles ? solver->options.restart + 1 : 1;
    solver->record = !solver->resident && can_record(solver);
    solver->stride = solver->resident ? choose_long_stride(solver) : choose_stride(solver);
    solver->repeat = choose_repeat(solver);
    spry_status status =
        spry_allocate(solver->context, (size_t)solver->pieces, sizeof(struct spry_piece), &pieces);
    if (status)
        return status;
    solver->piece = pieces;
    for (int k = 0; k < solver->pieces; k++)
        solver->piece[k] = (struct spry_piece){.solver = solver, .number = k};
    return solver->n > 0 && !solver->options.sum ? spry_solver_warm_up(solver) : SPRY_OK;
}

static void destroy_recordings(spry_solver *solver) {
    for (int k = 0; k < solver->pieces && solver->record && solver->piece; k++) {
        solver->context->code->destroy_recording(solver->piece[k].recording);
        solver->piece[k].recording = NULL;
    }
}

void spry_solver_release_pieces(spry_solver *solver) {
    destroy_recordings(solver);
    spry_release(&solver->context->allocator, solver->piece, (size_t)solver->pieces, sizeof *solver->piece);
}

spry_status spry_solver_set_vectors(spry_solver *solver, const void *b, void *x) {
    struct spry_vectors *v = &solver->vectors;
    const unsigned moves = spry_operator_moves(&solver->a) + spry_operator_moves(&solver->precond);
    spry_status status = SPRY_OK;
    if (v->b != b || v->x != x || solver->moves != moves) {
        if (solver->record && solver->piece[0].recording) /* which may still be playing */
            status = spry_synchronize(solver->context);
        destroy_recordings(solver);
    }
    v->b = (void *)(uintptr_t)b;
    v->x = x;
    solver->moves = moves;
    return status;
}

static spry_status play(void *argument) {
    struct spry_piece *piece = argument;
    spry_solver *solver = piece->solver;
    spry_status status = SPRY_OK;
    for (int i = 0; i < solver->repeat && !status; i++)
        status = solver->method->piece(solver, piece->number);
    return status;
}

spry_status spry_solver_play(spry_solver *solver, int k) {
    spry_context *context = solver->context;
    struct spry_piece *piece = &solver->piece[k];
    if (solver->resident)
        return spry_resident_play(solver);
    if (!solver->record)
        return play(piece);
    spry_status status =
        piece->recording ? SPRY_OK : context->code->record(context, play, piece, &piece->recording);
    return status ? status : context->code->replay(context, piece->recording);
}
