"""Plots as SVG, which needs no library: how regret is distributed, and predicted against measured times."""

import numpy as np

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 50, 20, 40
COLOURS = ["#1b6ca8", "#c8553d", "#588157", "#7b5ea7", "#b58900", "#4d4d4d", "#2a9d8f", "#a23e74", "#8c6d31",
           "#6baed6", "#d884b7"]


class Plot:
    """Axes with a linear or logarithmic scale, into which points and lines go."""

    def __init__(self, x, y, x_label, y_label, log=(False, False)):
        self.range, self.log = (x, y), log
        self.parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
        middle = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
        self.text(middle[0], HEIGHT - 10, x_label)
        self.parts.append(f'<text transform="translate(16 {middle[1]}) rotate(-90)" text-anchor="middle">{y_label}</text>')

    def at(self, axis, value):
        low, high = self.range[axis]
        if self.log[axis]:
            low, high, value = np.log(low), np.log(high), np.log(value)
        share = (value - low) / (high - low)
        return LEFT + share * (WIDTH - LEFT - RIGHT) if axis == 0 else HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)

    def text(self, x, y, text, anchor="middle", colour="black"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{text}</text>')

    def ticks(self, axis, values, form="{:g}"):
        for value in values:
            place = self.at(axis, value)
            x1, y1, x2, y2 = (place, TOP, place, HEIGHT - BOTTOM) if axis == 0 else (LEFT, place, WIDTH - RIGHT, place)
            self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>')
            if axis == 0:
                self.text(place, HEIGHT - BOTTOM + 18, form.format(value))
            else:
                self.text(LEFT - 6, place + 4, form.format(value), "end")

    def line(self, x, y, colour):
        points = " ".join(f"{self.at(0, a):.1f},{self.at(1, b):.1f}" for a, b in zip(x, y))
        self.parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')

    def dots(self, x, y, colour):
        for a, b in zip(x, y):
            self.parts.append(f'<circle cx="{self.at(0, a):.1f}" cy="{self.at(1, b):.1f}" r="1.6" fill="{colour}" '
                              'fill-opacity="0.5"/>')

    def legend(self, names):
        for i, name in enumerate(names):
            self.text(LEFT + 12, TOP + 18 + 16 * i, name, "start", COLOURS[i])

    def write(self, path):
        body = "\n".join(self.parts)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                       f'font-family="sans-serif" font-size="12">\n{body}\n</svg>\n')


def write_regret(path, regrets):
    """For each regret, the share of the matrices that have at most that much; the last names stand at the top."""
    plot = Plot((1, 2), (0, 1), "regret: time of the pick over time of the best", "share of the matrices")
    plot.ticks(0, np.arange(1, 2.01, 0.1), "{:.1f}")
    plot.ticks(1, np.arange(0, 1.01, 0.1), "{:.1f}")
    for colour, regret in zip(COLOURS, regrets.values()):
        ordered = np.minimum(np.sort(regret), 2)
        plot.line(ordered, np.arange(1, len(ordered) + 1) / len(ordered), colour)
    for i, name in enumerate(regrets):
        plot.text(WIDTH - RIGHT - 12, HEIGHT - BOTTOM - 12 - 16 * i, name, "end", COLOURS[i])
    plot.write(path)


def write_predicted(path, formats, times, predicted, allowed):
    """Predicted times over measured ones, a colour a format."""
    low, high = np.nanmin(times) / 1.5, np.nanmax(times) * 1.5
    plot = Plot((low, high), (low, high), "measured, µs", "predicted, µs", (True, True))
    decades = 10.0 ** np.arange(np.ceil(np.log10(low)), np.log10(high))
    plot.ticks(0, decades)
    plot.ticks(1, decades)
    plot.line((low, high), (low, high), "#999")
    for f, colour in enumerate(COLOURS):
        shown = allowed[:, f] & (predicted[:, f] > low) & (predicted[:, f] < high)
        plot.dots(times[shown, f], predicted[shown, f], colour)
    plot.legend(formats)
    plot.write(path)
