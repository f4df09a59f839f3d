#!/usr/bin/env python3
"""Writes the man pages of vfx from its commands: manual.py VFX FOLDER

`VFX --experimental-dump-help` describes the commands and their options; each command becomes a page vfx-COMMAND.1.
The package's own generator (`swift package generate-manual`) leaves out the permitted values of options, the sections
that they are in, and the line breaks of examples, so it is not used.
"""

import json
import pathlib
import re
import subprocess
import sys

# A title of the discussion in a help text, and the section of the page that it becomes.
SECTIONS = {"EXAMPLES": "EXAMPLES", "EXIT CODES": "EXIT STATUS"}


def escaped(text):
    """The text with roff's special characters escaped; a line may not begin with a control character."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def option_of(argument):
    """An argument as it appears in the list of options, such as "-o, --output FILE"."""
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] != "flag" else ""
    if argument["kind"] == "positional":
        return f"\\fI{escaped(argument['valueName'])}\\fR"
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"]]
    names.sort(key=len)
    return ", ".join(f"\\fB{escaped(name)}\\fR" for name in names) + value


def usage_of(argument):
    value = f"\\fI{escaped(argument['valueName'])}\\fR"
    if argument["kind"] == "positional":
        text = value
    else:
        preferred = argument["preferredName"]
        text = f"\\fB{escaped(('--' if preferred['kind'] == 'long' else '-') + preferred['name'])}\\fR"
        text += f" {value}" if argument["kind"] == "option" else ""
    text += " ..." if argument["isRepeating"] else ""
    return f"[{text}]" if argument["isOptional"] else text


def explanation_of(argument):
    notes = []
    if argument.get("allValues"):
        notes.append("values: " + ", ".join(argument["allValues"]))
    if argument.get("defaultValue"):
        notes.append("default: " + argument["defaultValue"])
    text = argument.get("abstract", "")
    if argument.get("discussion"):
        text += "\n\n" + argument["discussion"]
    return escaped(text + (f" ({'; '.join(notes)})" if notes else ""))


def sections_of(discussion):
    """The discussion as a list of (section, lines); text without a title belongs to the description."""
    parts = [("DESCRIPTION", [])]
    for line in discussion.split("\n"):
        if line in SECTIONS:
            parts.append((SECTIONS[line], []))
        elif parts[-1][0] == "EXIT STATUS" and line and not line.startswith(" "):
            parts.append(("ENVIRONMENT", [line]))
        else:
            parts[-1][1].append(line)
    return [(title, "\n".join(lines).strip("\n")) for title, lines in parts if any(lines)]


def page(command, name, version, others):
    lines = [f'.TH "{name.upper()}" 1 "" "vfx {version}" "Video frame effects"', ".SH NAME"]
    lines.append(f"{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}")
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    lines += [".SH SYNOPSIS", f"\\fB{escaped(name.replace('-', ' ', 1))}\\fR"]
    lines += ["\\fIcommand\\fR [\\fIoptions\\fR]"] if command.get("subcommands") else []
    lines += [usage_of(argument) for argument in arguments]
    parts = sections_of(command.get("discussion", ""))
    for title, text in parts:
        if title == "DESCRIPTION":
            lines += [".SH DESCRIPTION", escaped(text).replace("\n\n", "\n.PP\n")]
    # Options without a section are the command's own and come first.
    sections = {None: []}
    for argument in arguments:
        sections.setdefault(argument.get("sectionTitle"), []).append(argument)
    lines.append(".SH OPTIONS")
    for section, members in sections.items():
        lines += [f".SS {section}"] if section else []
        for argument in members:
            lines += [".TP", option_of(argument), explanation_of(argument)]
    if command.get("subcommands"):
        lines.append(".SH COMMANDS")
        for child in command["subcommands"]:
            if child["commandName"] != "help":
                lines += [".TP", f"\\fBvfx\\-{child['commandName']}\\fR(1)", escaped(child["abstract"])]
    for title, text in parts:
        if title == "ENVIRONMENT":
            lines += [".SH ENVIRONMENT", escaped(text)]
        elif title != "DESCRIPTION":
            lines += [f'.SH "{title}"', ".EX", escaped(text), ".EE"]
    lines += [".SH SEE ALSO", ",\n".join(f"\\fB{escaped(other)}\\fR(1)" for other in others if other != name)]
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: manual.py VFX FOLDER")
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    run = lambda *arguments: subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
    root = json.loads(run("--experimental-dump-help"))["command"]
    version = run("--version").strip()
    children = [child for child in root["subcommands"] if child["commandName"] != "help"]
    names = sorted(f"vfx-{child['commandName']}" for child in children)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vfx.1").write_text(page(root, "vfx", version, names), encoding="utf-8")
    for child in children:
        name = f"vfx-{child['commandName']}"
        (folder / f"{name}.1").write_text(page(child, name, version, ["vfx", *names]), encoding="utf-8")


main()
