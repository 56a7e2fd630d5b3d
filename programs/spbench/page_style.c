/* SPDX-License-Identifier: BSD-3-Clause */
#include "spbench/page.h"

static const char *const style[] = {
    ":root{--back:#fff;--soft:#f3f5f7;--text:#1c2127;--muted:#57616b;--line:#d4dae0;--mark:#1f69b0;--first:#"
    "a8420b}",
    "@media "
    "(prefers-color-scheme:dark){:root{--back:#15181c;--soft:#1e232a;--text:#e4e7eb;--muted:#a0abb6;--line:#"
    "39414a;"
    "--mark:#6fb1f1;--first:#f2a765}}",
    "*{box-sizing:border-box}",
    "html{-webkit-text-size-adjust:100%;text-size-adjust:100%}",
    "body{margin:0 auto;padding:1rem;max-width:80rem;background:var(--back);color:var(--text);"
    "font:1rem/1.5 system-ui,sans-serif}",
    "h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.2rem;line-height:1.3;margin:0 0 .5rem}",
    "h1,h2,p,dd,li{overflow-wrap:anywhere}",
    "p,ul,pre{max-width:70ch}",
    "section{margin:2rem 0 0;padding:1.25rem 0 0;border-top:1px solid var(--line)}",
    "code,pre{font-family:ui-monospace,monospace;font-size:.9em}",
    "pre{padding:.6rem .8rem;background:var(--soft);overflow-x:auto}",
    "a{color:var(--mark)}",
    ":focus-visible{outline:2px solid var(--mark);outline-offset:2px}",
    "dl{display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.15rem 1rem;margin:0}",
    "dt,.muted,figcaption,footer,caption{color:var(--muted)}dd{margin:0}",
    "figcaption,footer,caption{font-size:.875rem}",
    ".notes{padding:.6rem .8rem .6rem 2rem;background:var(--soft);border-left:3px solid var(--first)}",
    ".command{max-height:12rem;overflow-y:auto}",
    "@media(max-width:34rem){dl{display:block}dd{margin:0 0 .4rem}}",
    /* A shadow at an edge says that there is more beyond; what hides it scrolls along. */
    ".scroll{overflow-x:auto;margin:1rem 0;"
    "background:linear-gradient(90deg,var(--back) 40%,transparent) 0/3rem 100% no-repeat local,"
    "linear-gradient(270deg,var(--back) 40%,transparent) 100%/3rem 100% no-repeat local,"
    "linear-gradient(90deg,var(--line),transparent) 0/1rem 100% no-repeat,"
    "linear-gradient(270deg,var(--line),transparent) 100%/1rem 100% no-repeat}",
    "table{border-collapse:collapse;font-size:.8125rem;font-variant-numeric:tabular-nums}",
    "caption{text-align:left;padding:0 0 .4rem;max-width:calc(100vw - 2rem);position:sticky;left:0}",
    "th,td{padding:.3rem .4rem;text-align:right;vertical-align:baseline;white-space:nowrap;"
    "border-bottom:1px solid var(--line)}",
    "thead th{vertical-align:bottom;font-weight:600}thead "
    "small{display:block;color:var(--muted);font-weight:400}",
    "th[scope=row],.text{text-align:left}",
    "tbody "
    "th{font-weight:400;position:sticky;left:0;max-width:min(22rem,42vw);overflow-wrap:break-word;white-"
    "space:normal;"
    "min-width:7rem;background:var(--back)}",
    "tr.first th,tr.first td,td.first{font-weight:600;color:var(--first)}",
    ".wrap{white-space:normal;min-width:18rem}",
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1.5rem "
    "2rem;margin:1rem 0}",
    "figure{margin:0;min-width:0;max-width:30rem}figure h3{font-size:1rem;margin:0 0 .5rem}",
    "svg{display:block;width:100%;height:auto}",
    "img{display:block;max-width:100%;image-rendering:pixelated;border:1px solid var(--line)}",
    /* Of labels the plots know the width, which room is left for: all letters have the same, bold ones too. */
    "svg text{font:10px system-ui,sans-serif;fill:var(--text)}svg .tick{fill:var(--muted)}",
    "svg .label{font-family:ui-monospace,monospace}",
    "svg .first{font-weight:600;fill:var(--first)}",
    ".grid{stroke:var(--line);stroke-width:1}.leader{stroke:var(--line);stroke-width:1;fill:none}",
    ".mark,.bar{fill:var(--mark)}path.mark{fill:var(--first)}",
    ".range{stroke:var(--mark);stroke-width:1.5}.box{fill:var(--mark);fill-opacity:.3;stroke:var(--mark)}",
    ".expected{fill:var(--back);stroke:var(--text);stroke-width:1.2}",
    ".ring{fill:none;stroke:var(--text);stroke-width:1.3}",
    ".roof{stroke:var(--text);stroke-width:1.5}.own-roof{stroke:var(--muted);stroke-width:1.2;fill:none}",
    "@media "
    "print{body{max-width:none;padding:0;font-size:10pt}.scroll,.command{overflow:visible;max-height:none;"
    "background:none}"
    "table{font-size:7.5pt}"
    "th,td{padding:.15rem .3rem}tbody th{position:static;min-width:0}figure,tr,pre{break-inside:avoid}"
    "h2,h3{break-after:avoid}}",
};

void page_put_style(FILE *file) {
    fputs("<style>\n", file);
    for (size_t i = 0; i < sizeof style / sizeof *style; i++) {
        fputs(style[i], file);
        putc('\n', file);
    }
    fputs("</style>\n", file);
}
