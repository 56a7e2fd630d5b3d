/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix in the format that the selector picks. */
#include <string.h>

#include "convert/convert.h"
#include "select/select.h"

/* The first format of the ranking that can be made. What the ones before it had to say is not the caller's last error. */
static spry_status make_first(spry_context *context, const spry_matrix *csr, const spry_convert_options *how,
                              const spry_ranking *ranking, spry_matrix **result) {
    char message[sizeof context->message];
    memcpy(message, context->message, sizeof message);
    spry_status status = SPRY_ERROR_UNSUPPORTED;
    for (int i = 0; i < SPRY_FORMAT_COUNT && ranking->choice[i].possible; i++) {
        status = spry_from_hub(context, csr, ranking->choice[i].format, how, result);
        if (!status)
            memcpy(context->message, message, sizeof message);
        if (!spry_is_passable(status))
            return status;
    }
    return status;
}

spry_status spry_picked(spry_context *context, const spry_matrix *csr, const spry_convert_options *options,
                        spry_matrix **result) {
    spry_select_options choices = {.products = options->products, .measure = options->measure};
    spry_ranking ranking;
    spry_status status = spry_predict(context, csr, options, &choices, &ranking);
    if (status)
        return status;
    if (choices.measure > 0)
        return spry_measure(context, csr, options, &choices, &ranking, result);
    return make_first(context, csr, options, &ranking, result);
}
