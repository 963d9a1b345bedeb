#!/bin/sh
# A curator for memd: the Codex CLI.
#
#   {"curator_cmd": ["/path/to/codex.sh", "{model}"], "model_small": "gpt-5-mini", "model_large": "gpt-5"}
#
# The prompt comes on standard input. Prints the model's last message, which holds one JSON object;
# what Codex says meanwhile goes to standard error. It saves no session and may write nothing.
# The text leaves this machine: it goes to OpenAI, or to wherever your CLI is set to send it.
set -eu
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
codex exec - --model "${1:?name a model}" --ephemeral --sandbox read-only --skip-git-repo-check \
    --ignore-user-config --output-last-message "$answer" >&2
cat "$answer"
