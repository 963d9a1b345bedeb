#!/bin/sh
# A curator for memd: the Claude CLI, called by yourself instead of by memd.
# memd calls `claude` without this file ("curator": "claude"); begin here to change how.
#
#   {"curator_cmd": ["/path/to/claude.sh", "{model}"], "model_small": "haiku", "model_large": "sonnet"}
#
# The prompt comes on standard input. Prints the model's answer, which holds one JSON object.
# The text leaves this machine: it goes to Anthropic, or to wherever your CLI is set to send it.
set -eu
exec claude -p --model "${1:-haiku}" --output-format text --safe-mode --tools "" \
    --no-session-persistence --strict-mcp-config --disable-slash-commands
