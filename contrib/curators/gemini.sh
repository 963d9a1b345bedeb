#!/bin/sh
# A curator for memd: the Gemini CLI.
#
#   {"curator_cmd": ["/path/to/gemini.sh", "{model}"], "model_small": "gemini-2.5-flash", "model_large": "gemini-2.5-pro"}
#
# The prompt comes on standard input; what stands after -p is put behind it. Prints the model's
# answer, which holds one JSON object. Gemini CLI keeps a session of it; memd reads none that ran in
# its own folder.
# The text leaves this machine: it goes to Google, or to wherever your CLI is set to send it.
set -eu
exec gemini -m "${1:?name a model}" -p "Answer with the JSON object only."
