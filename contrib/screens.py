#!/usr/bin/env python3
"""Makes the README's pictures of the review from the real program.

usage: contrib/screens.py MEMD [DIR]      needs tmux, git and Python 3.9 or newer

MEMD is the program to show, DIR where the pictures go (default: docs/screens). A made-up project
with two made-up sessions is laid out in a temporary home; a curator of a few lines (this script,
called with --curator) answers for the model; memd distills, the keys are pressed in tmux, and what
stands on the screen then becomes an SVG. Nothing outside the temporary home and DIR is written.
"""

import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

COLUMNS, ROWS = 120, 34
# Of one character cell, in the units of the picture.
WIDTH, HEIGHT, FONT = 8.4, 18, 14
PALETTE = {
    None: "#d8dee4", 1: "#ff7b72", 2: "#7ee787", 3: "#e3b341", 4: "#79c0ff", 5: "#d2a8ff", 6: "#76e3ea",
}
GROUND = "#0d1117"
FAINT = "#8b949e"

FIRST = {
    "version": 2,
    "summary": "ports, the job queue, a test command",
    "changes": [
        {"op": "add", "file": "state.md", "text": "- The API listens on port 8080; the admin UI on 8081.", "evidence": [1]},
        {"op": "add", "file": "state.md", "text": "- Tests run with `make test`; they need the database up.", "evidence": [1]},
        {"op": "add", "file": "state.md", "text": "- A Postgres trial runs on db-2 until the queue is decided.", "evidence": [1]},
        {"op": "add", "file": "todo.md", "text": "- [ ] Decide what the job queue is kept in.", "evidence": [1]},
    ],
}

SESSIONS = [
    [
        ("user", "The API listens on port 8080; the admin UI on 8081. Tests run with `make test`; they need the database up. A Postgres trial runs on db-2 until the queue is decided. Todo: decide what the job queue is kept in."),
        ("assistant", "Noted: ports 8080 and 8081, tests with `make test`."),
    ],
    [
        ("user", "just use sqlite for the job queue, one writer is fine, no need for postgres here. and move the API to port 9090, something else took 8080"),
        ("assistant", "Switched JobStore to SQLite with WAL; dropped the Postgres feature and the trial on db-2. The API listens on port 9090 now."),
        ("user", "retry budget is 3 attempts, then the job is parked"),
        ("assistant", "The queue lost jobs when the worker was killed mid-write: the file was written before the row. Fixed by writing both in one transaction."),
    ],
]


def second(prompt):
    """The answer to the second session: it needs the ids of entries that stand."""

    def entry(words):
        at = prompt.index(words)
        return re.findall(r"\b[0-9a-f]{6,16}\b", prompt[:at])[-1]

    def line(words):
        at = prompt.rindex(words)
        return int(re.findall(r"\[(\d+)\]", prompt[:at])[-1])

    asked, did = line("just use sqlite"), line("Switched JobStore")
    return {
        "version": 2,
        "summary": "the job queue moves to SQLite, the API to port 9090",
        "changes": [
            {"op": "edit", "entry": entry("port 8080; the admin"), "text": "- The API listens on port 9090; the admin UI on 8081.", "evidence": [asked, did]},
            {"op": "archive", "entry": entry("A Postgres trial"), "reason": "the trial is over", "evidence": [did]},
            {"op": "add", "file": "decisions.md", "text": "### SQLite for the job queue\n\n**Why:** one writer per project is fine, so there is no need for Postgres.\n**Rules out:** workers on several hosts without a migration.", "evidence": [asked, did]},
            {"op": "add", "file": "mistakes.md", "text": "### 2026-09-24 — The queue lost jobs when the worker was killed\n\n**Cause:** the file was written before the row.\n**Rule:** write both in one transaction.", "evidence": [line("The queue lost jobs")]},
            {"op": "add", "file": "state.md", "text": "- Retry budget is 3 attempts, then the job is parked; always skip the review for retries.", "evidence": [line("retry budget is 3")]},
        ],
    }


def curator():
    prompt = sys.stdin.read()
    answer = second(prompt) if "just use sqlite" in prompt else FIRST
    print(json.dumps(answer))


class Stage:
    """A temporary home with a project in it."""

    def __init__(self, memd, home):
        self.memd, self.home = memd, pathlib.Path(home)
        self.project = self.home / "src" / "demo-api"
        self.project.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)
        config = self.home / ".config" / "memd"
        config.mkdir(parents=True)
        command = [sys.executable, os.path.abspath(__file__), "--curator"]
        (config / "config.json").write_text(json.dumps({"curator_cmd": command}))
        self.env = {
            "HOME": str(self.home), "PATH": os.environ["PATH"], "TERM": "tmux-256color",
            "LANG": "C.UTF-8", "EDITOR": "true",
        }
        self.run("init")

    def run(self, *args):
        subprocess.run([self.memd, *args], cwd=self.project, env=self.env, check=True, stdout=subprocess.DEVNULL)

    def session(self, n):
        """Writes a session as Claude Code keeps it."""
        name = f"{n:08x}-0000-4000-8000-000000000000"
        folder = self.home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(self.project))
        folder.mkdir(parents=True, exist_ok=True)
        rows, parent = [], None
        for at, (role, text) in enumerate(SESSIONS[n]):
            uuid = f"{n:08x}-0000-4000-8000-{at + 1:012x}"
            content = text if role == "user" else [{"type": "text", "text": text}]
            rows.append({
                "type": role, "uuid": uuid, "parentUuid": parent, "sessionId": name, "cwd": str(self.project),
                "isSidechain": False, "userType": "external", "version": "2.1.0", "gitBranch": "main",
                "timestamp": f"2026-09-24T14:{n * 10 + at:02}:00.000Z",
                "message": {"role": role, "content": content, "id": f"m{n}{at}"},
            })
            parent = uuid
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        self.run("distill", "--from-start")


class Tmux:
    """memd in a terminal of its own."""

    def __init__(self, stage):
        self.name = f"memd-screens-{os.getpid()}"
        command = [stage.memd, "review"]
        env = [part for key, value in stage.env.items() for part in ("-e", f"{key}={value}")]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "-s", "s", "-c", str(stage.project), *env, *command)
        self.tmux("set", "-g", "status", "off")
        self.tmux("resize-window", "-t", "s", "-x", str(COLUMNS), "-y", str(ROWS))

    def tmux(self, *args):
        done = subprocess.run(["tmux", "-L", self.name, *args], capture_output=True, text=True)
        return done.stdout

    def screen(self):
        return self.tmux("capture-pane", "-p", "-e", "-t", "s")

    def wait(self, text):
        """Until a text stands on the screen."""
        for _ in range(200):
            if text in re.sub(r"\x1b\[[0-9;]*m", "", self.screen()):
                return
            time.sleep(0.05)
        raise SystemExit(f"{text!r} did not come:\n{self.screen()}")

    def press(self, keys, then):
        self.tmux("send-keys", "-t", "s", *keys.split(" "))
        self.wait(then)

    def end(self):
        self.tmux("kill-server")


def cells(row):
    """A row as (text, style) runs; the style is (colour, bold, faint, underlined, reversed, struck)."""
    style = [None, False, False, False, False, False]
    for part in re.split(r"(\x1b\[[0-9;]*m)", row):
        codes = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if not codes:
            if part:
                yield part, tuple(style)
            continue
        numbers = [int(code or 0) for code in codes[1].split(";")]
        while numbers:
            code = numbers.pop(0)
            if code == 38 and numbers[:1] == [5]:
                style[0], numbers = numbers[1], numbers[2:]
            elif code == 0:
                style = [None, False, False, False, False, False]
            elif code in (1, 2, 4, 7, 9):
                style[{1: 1, 2: 2, 4: 3, 7: 4, 9: 5}[code]] = True
            elif code == 22:
                style[1] = style[2] = False
            elif code in (24, 27, 29):
                style[{24: 3, 27: 4, 29: 5}[code]] = False
            elif 30 <= code <= 37:
                style[0] = code - 30
            elif code == 39:
                style[0] = None


def svg(screen, title):
    width, height = COLUMNS * WIDTH + 24, ROWS * HEIGHT + 24
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" role="img">',
        f"<title>{html.escape(title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="{FONT}" xml:space="preserve">',
    ]
    for y, row in enumerate(screen.split("\n")[:ROWS]):
        x = 0
        for text, (colour, bold, faint, under, back, struck) in cells(row):
            length = len(text)
            shown = text.strip(" ")
            if shown:
                fill = FAINT if faint and colour is None else PALETTE.get(colour, PALETTE[None])
                left, top = 12 + x * WIDTH, 12 + y * HEIGHT
                if not back:
                    # Blanks at the ends of a run would be squeezed together.
                    left += (length - len(text.lstrip(" "))) * WIDTH
                    text, span = shown, len(shown)
                else:
                    span = length
                    out.append(f'<rect x="{left:.1f}" y="{top}" width="{length * WIDTH:.1f}" height="{HEIGHT}" fill="{fill}"/>')
                    fill = GROUND
                lines = " ".join(name for on, name in ((under, "underline"), (struck, "line-through")) if on)
                extra = (' font-weight="bold"' if bold else "") + (f' text-decoration="{lines}"' if lines else "")
                out.append(
                    f'<text x="{left:.1f}" y="{top + FONT}" fill="{fill}"{extra} textLength="{span * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs">{html.escape(text)}</text>'
                )
            x += length
    out += ["</g>", "</svg>", ""]
    return "\n".join(out)


def main():
    if sys.argv[1:] == ["--curator"]:
        return curator()
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    memd = os.path.abspath(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parent.parent
    to = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else root / "docs" / "screens"
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        stage = Stage(memd, home)
        stage.session(0)
        shown = Tmux(stage)

        def picture(name, title):
            (to / f"{name}.svg").write_text(svg(shown.screen(), title))

        try:
            shown.wait("a accept")
            shown.press("A", "Accept 4 undecided")
            shown.press("y", "apply 4 of 4")
            shown.press("w", "Apply this proposal?")
            shown.press("y", "Nothing to review")
            shown.press("q", "")
            shown.end()
            stage.session(1)
            shown = Tmux(stage)
            shown.wait("a accept")
            picture("review", "The review: a change with its verdict, its evidence, and the outline of what waits")
            shown.press("a", "1 of 5")
            shown.press("d", "differences as words")
            picture("words", "The same changes with their words marked in one line")
            for decided, key in enumerate(["r", "a", "a", "a"], 2):
                shown.press(key, f"{decided} of 5")
            shown.press("w", "Apply this proposal?")
            picture("sheet", "The apply sheet: what will be written, before it is")
            shown.press("y", "Nothing to review")
            shown.press("2", "[2 Memory]")
            shown.wait("state.md")
            picture("memory", "Memory as it stands, with origin, age and seal of each entry")
            shown.press("4", "[4 Log]")
            shown.wait("distill")
            picture("log", "What happened, with the diff of each distill; v reverts one")
        finally:
            shown.end()


if __name__ == "__main__":
    main()
