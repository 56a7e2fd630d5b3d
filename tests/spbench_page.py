# SPDX-License-Identifier: BSD-3-Clause
"""The pages that spbench --html writes, taken apart."""

import base64
import struct
import xml.etree.ElementTree
import zlib

XHTML = "{http://www.w3.org/1999/xhtml}"
# All that a page is made of: nothing of it loads or runs anything.
ELEMENTS = set("""html head meta title style body header main footer section h1 h2 h3 p strong code pre ul li a dl dt dd div table caption
    thead tbody tr th td small data figure figcaption img svg desc g line path circle rect text details summary""".split())
COLUMNS = ["median", "min", "max", "predicted_us", "vs_csr", "bytes", "bytes_per_nnz", "gbs", "roofline", "gflops", "convert_us",
           "pays_back_after", "error"]


def read_page(path):
    """The page as a tree: it has to be XML too, so whatever is not closed or escaped fails here."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    tree = xml.etree.ElementTree.fromstring(text)
    for element in tree.iter():
        element.tag = element.tag.replace(XHTML, "")
    return tree


def words(element):
    return " ".join("".join(element.itertext()).split())


def matrices(page):
    """The section of each matrix."""
    return [section for section in page.iter("section") if section.find("h2").get("id")[1:].isdigit()]


def cell_number(cell):
    """What JSON would have of a cell."""
    data = cell.find("data")
    return None if data is None else float(data.get("value"))


def rows(section):
    """(storage, kernel, figures) of each row of a matrix's table that has any, in the order of COLUMNS."""
    found = []
    for row in section.find("div[@role='region']/table/tbody"):
        label, kernel, *cells = row
        if len(cells) > 1:
            median, limits, *others = cells
            least, most = [float(data.get("value")) for data in limits.findall("data")]
            found.append((label.text, words(kernel), [cell_number(median), least, most, *map(cell_number, others)]))
    return found


def figures(result):
    """The same of a result in JSON."""
    flat = {**result, **(result["time_us"] or {})}
    return [flat[name] for name in COLUMNS]


def pixels(section):
    """The picture of the pattern: shades, line by line, or None."""
    image = section.find(".//img")
    if image is None:
        return None
    head, _, data = image.get("src").partition(",")
    assert head == "data:image/png;base64"
    png = base64.b64decode(data, validate=True)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        name, body = png[at + 4:at + 8], png[at + 8:at + 8 + length]
        assert struct.unpack_from(">I", png, at + 8 + length)[0] == zlib.crc32(name + body)
        chunks[name] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"]
    width, height, depth, kind = struct.unpack_from(">IIBB", chunks[b"IHDR"])
    assert (depth, kind) == (4, 3)
    line = 1 + (width + 1) // 2
    packed = zlib.decompress(chunks[b"IDAT"])
    assert len(packed) == line * height
    return [[packed[i * line + 1 + j // 2] >> (0 if j % 2 else 4) & 15 for j in range(width)] for i in range(height)]
