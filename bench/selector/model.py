"""A cost model of formats: predicted time = sum of coefficient * amount, fitted from measured times.

Each format has its own named terms: non-negative amounts of work (bytes moved, launches, steps of the longest
row). Their coefficients are non-negative too, so each reads as a price in time. Two formats may name the same term,
as one format in two sizes of its blocks does: then its price is the same. The format picked is the one predicted fastest.

The fit has two steps. Non-negative least squares on relative errors (Lawson and Hanson, Solving Least Squares
Problems, 1974) gives prices near the physical ones. L-BFGS over the logarithms of the prices (Liu and Nocedal,
Math. Programming 45, 1989) then minimises what a wrong pick costs: the expected log regret of a soft choice,
which takes a format with probability proportional to predicted time ** (-1 / temperature). An error common to
all formats, as from the locality of gathers that no term sees, cancels there. A part of the error of the times
themselves is added, so that the predictions stay times. And since a byte or a step is much the same thing wherever it
occurs, prices of terms with the same last word ("ell.far", "csr.far") can be drawn together.

Arguments everywhere: `terms` is {format: {term: amounts, one a matrix}}; `times` has a row a matrix and a column
a format, NaN where that format could not run; `allowed` is False where it is known beforehand not to run.
"""

import numpy as np
from scipy.optimize import minimize, nnls

TEMPERATURE = 0.1  # formats predicted within about 10 % of each other share the soft choice
TRUTH = 0.02  # weight of the errors of the times: the ranking counts more, but prices shall stay true
FAILED = 10.0  # regret of a pick that could not run
SEED_SHARE = 0.003  # share of the time that a term left out by least squares starts with, so that it may grow
UNSEEN = 1e-12  # price of a term that no matrix has
NEAR = 3.0  # prices that begin to differ from those alike by more than a factor of e³ begin at that


def amounts(terms):
    """The amounts of each format as a matrix: a row a matrix, a column a term."""
    return [np.column_stack(list(named.values())) for named in terms.values()]


def subset(terms, rows):
    return {name: {term: x[rows] for term, x in named.items()} for name, named in terms.items()}


def regret(times):
    """Time of each format over the time of the best."""
    return np.where(np.isnan(times), FAILED, times / np.nanmin(times, axis=1, keepdims=True))


def least_squares(a, t):
    """Prices that minimise the squared relative errors of a @ prices against times t."""
    ran = ~np.isnan(t)
    relative = a[ran] / t[ran, None]
    scale = np.maximum(np.linalg.norm(relative, axis=0), np.finfo(float).tiny)
    prices = nnls(relative / scale, np.ones(len(relative)))[0] / scale
    mean = relative.mean(axis=0)
    return np.maximum(prices, np.where(mean > 0, SEED_SHARE / np.maximum(mean, np.finfo(float).tiny), UNSEEN))


def labels(terms):
    """All names of terms, each once, and where those of each format are among them."""
    place = {}
    for named in terms.values():
        for term in named:
            place.setdefault(term, len(place))
    return list(place), [np.array([place[term] for term in named], int) for named in terms.values()]


def last_words(terms):
    return [term.split(".")[-1] for term in labels(terms)[0]]


def alike(terms):
    """Which prices, of all in order, are of terms with the same last word."""
    words = last_words(terms)
    return [np.flatnonzero([w == word for w in words]) for word in sorted(set(words))]


def apart(logs, groups):
    """The squares of how far prices are from the geometric mean of those alike, in the mean; and the gradient."""
    gradient = np.zeros_like(logs)
    for group in groups:
        gradient[group] = logs[group] - logs[group].mean()
    return (gradient**2).mean(), 2 * gradient / len(logs)


def soft_choice(log_predicted, log_regret, allowed, temperature):
    """The expected log regret of the soft choices, a row each, added up; and the gradient in log_predicted."""
    score = np.where(allowed, -log_predicted / temperature, -np.inf)
    weight = np.exp(score - score.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    expected = (weight * log_regret).sum(axis=1, keepdims=True)
    return expected.sum(), weight * (expected - log_regret) / temperature


def choose(choices, allowed):
    """(the rows where something is allowed and the columns, share) of each choice that fit() takes, all columns first."""
    every = np.full(allowed.shape[1], True), 1.0
    return [(np.ix_(allowed[:, columns].any(axis=1), columns), share) for columns, share in (every, *choices) if columns.any()]


def objective(logs, a, places, log_regret, log_times, allowed, choices, truth, temperature):
    """Expected log regret of the soft choices plus truth * error of the times, that of each with its own weight; and the gradient in logs."""
    n = len(log_regret)
    parts = [x * np.exp(logs[place]) for x, place in zip(a, places)]
    predicted = np.column_stack([p.sum(axis=1) for p in parts])
    predicted = np.maximum(predicted, np.finfo(float).tiny)  # what is not there has no amounts

    # sqrt(1 + e²) - 1 grows like |e|: a few matrices far off do not rule the fit
    log_predicted = np.log(predicted)
    error = np.where(np.isnan(log_times), 0, log_predicted - log_times)
    softened = np.sqrt(1 + error * error)
    value, slope = (truth * (softened - 1)).sum(), truth * error / softened
    for where, share in choices:
        expected, gradient = soft_choice(log_predicted[where], log_regret[where], allowed[where], temperature)
        value += share * expected
        slope[where] += share * gradient

    gradient = np.zeros_like(logs)
    for f, place in enumerate(places):
        gradient[place] += (slope[:, f] / predicted[:, f]) @ parts[f]
    return value / n, gradient / n


def weigh(log_regret, closeness):
    """Weights with a mean of one for the errors of times, by the best time over each."""
    weight = np.exp(-closeness * log_regret)
    return weight / weight.mean()


def fit(terms, times, allowed, truth=TRUTH, likeness=0.0, temperature=TEMPERATURE, choices=(), least=None, closeness=0.0):
    """The price of each term: {format: {term: price}}. `truth` and `likeness` are the weights of the times' own errors
    and of prices that differ from those alike; formats predicted within about `temperature` of each other share the soft choice.
    Of `choices` each is (columns, share): a choice among these alone counts as such a share of that among all.
    `least` has the least price that a term can have, by the last word of its name. With `closeness`, the error of a time counts by the
    best time over that, to this power: it matters little how slow the slow are."""
    a = amounts(terms)
    names, places = labels(terms)
    start = np.full(len(names), -np.inf)
    for x, t, place in zip(a, times.T, places):
        start[place] = np.maximum(start[place], np.log(least_squares(x, t)))
    log_regret = np.log(regret(times))
    known = (a, places, log_regret, np.log(times), allowed, choose(choices, allowed), truth * weigh(log_regret, closeness),
             temperature)
    groups = alike(terms) if likeness > 0 else []
    for group in groups:  # where least squares gave all of a cost to other terms, begin near those alike
        start[group] = np.maximum(start[group], np.median(start[group]) - NEAR)
    low = np.array([np.log(least[word]) if least and word in least else -np.inf for word in last_words(terms)])

    def both(logs):
        value, gradient = objective(logs, *known)
        more, slope = apart(logs, groups)
        return value + likeness * more, gradient + likeness * slope

    logs = minimize(both, np.maximum(start, low), jac=True, method="L-BFGS-B", bounds=[(bound, None) for bound in low],
                    options={"maxiter": 1500, "maxfun": 3000}).x
    prices = dict(zip(names, np.exp(logs)))
    return {name: {term: prices[term] for term in named} for name, named in terms.items()}


def predict(prices, terms):
    """Predicted times: a row a matrix, a column a format."""
    return np.column_stack([sum(prices[f][term] * x for term, x in named.items()) for f, named in terms.items()])


def pick(predicted, allowed):
    return np.argmin(np.where(allowed, predicted, np.inf), axis=1)


def figures(picks, times):
    """Geometric mean and worst of the picks' regret, and the share of picks within 5 % of the best."""
    r = regret(times)[np.arange(len(picks)), picks]
    return np.exp(np.log(r).mean()), r.max(), (r <= 1.05).mean()


def folds(groups, count):
    """A fold for each matrix; a group stays whole. The largest group left goes to the smallest fold."""
    names, sizes = np.unique(groups, return_counts=True)
    filled, fold_of = np.zeros(count), {}
    for i in np.argsort(-sizes, kind="stable"):
        fold_of[names[i]] = filled.argmin()
        filled[filled.argmin()] += sizes[i]
    return np.array([fold_of[g] for g in groups])


def cross_validate(terms, times, allowed, groups, count=10):
    """Times predicted for each matrix by a model fitted to the groups of the other folds."""
    fold = folds(groups, count)
    predicted = np.empty_like(times)
    for k in range(count):
        seen, held = fold != k, fold == k
        prices = fit(subset(terms, seen), times[seen], allowed[seen])
        predicted[held] = predict(prices, subset(terms, held))
    return predicted
