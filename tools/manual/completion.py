#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write what a shell completes for a program from the program's --help: completion.py bash|zsh|fish PROGRAM OUTPUT"""

import sys

from description import describe


def quote(text):
    """One word, within single quotes, for all three shells."""
    return "'" + text.replace("'", "'\\''") + "'"


# ---- bash ----

# Readline has broken the word at = and : already, so what is before the last of those is taken off the answers. What
# comes as a word and a file is no file name to readline, or it would put a backslash before the colon.
BASH = """\
# Completion of {name}, made from its --help.
_{name}() {{
    local line=${{COMP_LINE:0:COMP_POINT}} word option head= tail choices= files= several=
    word=${{line##*[[:space:]]}} tail=$word
    option=${{line%"$word"}}
    option=${{option%"${{option##*[![:space:]]}}"}} option=${{option##*[[:space:]]}}
    case $word in
    --*=*) option=${{word%%=*}}= head=$option tail=${{word#*=}} ;;
    esac

    case $option in
{cases}
    --*=) ;;
    *)
        case $word in
        -*) choices={options} ;;
        *) choices={generators} files=1 ;;
        esac
        ;;
    esac
    case $several$tail in
    1*,*) head=$head${{tail%,*}}, tail=${{tail##*,}} ;;
    esac

    mapfile -t COMPREPLY < <(compgen -W "$choices" -P "$head" -- "$tail")
    case ${{COMPREPLY[0]-}} in
    *[=:]) compopt -o nospace ;;
    esac
    if [[ $files ]]; then
        [[ ${{#COMPREPLY[@]}} -gt 0 ]] || compopt -o filenames
        mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -P "$head" -- "$tail")
    fi
    local breaks=${{COMP_WORDBREAKS//[^=:]/}}
    [[ -z $breaks ]] || COMPREPLY=("${{COMPREPLY[@]#"${{word%"${{word##*[$breaks]}}"}}"}}")
}}
complete -F _{name} {name}
"""


def bash_case(option):
    labels = [f"--{option.long}="] + ([] if option.optional else option.names)
    what = ([f"choices={quote(' '.join(option.values))}"] if option.values else [])
    what += (["files=1"] if option.files else []) + (["several=1"] if option.several else [])
    return f"    {' | '.join(labels)}) {' '.join(what + [';;'])}"


def bash(program):
    names = [name + ("=" if option.argument and not option.optional and name.startswith("--") else "")
             for option in program.options for name in option.names]
    return BASH.format(name=program.name, cases="\n".join(bash_case(o) for o in program.options if o.argument),
                       options=quote(" ".join(names)),
                       generators=quote(" ".join(word for word, _ in program.generators)))


# ---- zsh ----

ZSH = """\
#compdef {name}
# Completion of {name}, made from its --help.
_{name}_matrices() {{
    _alternative 'files:file:_files' {generators}
}}

_arguments -s -S \\
{options}
    '*:FILE:_{name}_matrices'
"""


def zsh_value(option):
    words = " ".join(option.values)
    if option.several:
        return f"_values -s , {option.long} {words}"
    if option.files and words:
        return f'{{_alternative "values\\:value\\:({words})" "files\\:file\\:_files"}}'
    return "_files" if option.files else f"({words})" if words else " "


def zsh_specs(option):
    text = option.text.translate({ord(letter): "\\" + letter for letter in "\\[]:"})
    others = f"({' '.join(option.names)})"
    for name in option.names:
        value = join = ""
        if option.argument:
            value = f":{option.argument}:{zsh_value(option)}"
            value, join = (":" + value, "=-") if option.optional else (value, "=" if name.startswith("--") else "+")
        yield f"    {quote(f'{others}{name}{join}[{text}]{value}')} \\"


def zsh(program):
    begins = " ".join(word for word, _ in program.generators)
    return ZSH.format(name=program.name, generators=quote(f'generated:generated matrix:compadd -S "" -- {begins}'),
                      options="\n".join(spec for option in program.options for spec in zsh_specs(option)))


# ---- fish ----

def fish_option(program, option):
    parts = ["complete", "-c", program.name] + (["-s", quote(option.short)] if option.short else [])
    parts += ["-l", option.long]
    if option.argument and not option.optional:
        parts += ["-r", "-F"] if option.files else ["-x"]
    if option.values:
        words = " ".join(option.values)
        parts += ["-a", quote(f"(__fish_append , {words})" if option.several else words)]
    return " ".join(parts + ["-d", quote(option.text)])


def fish(program):
    lines = [f"# Completion of {program.name}, made from its --help."]
    lines += [fish_option(program, option) for option in program.options]
    lines += [f"complete -c {program.name} -a {quote(word)} -d {quote(text)}" for word, text in program.generators]
    return "\n".join(lines) + "\n"


# ---- main ----

def main(shell, path, output):
    text = {"bash": bash, "zsh": zsh, "fish": fish}[shell](describe(path))
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
