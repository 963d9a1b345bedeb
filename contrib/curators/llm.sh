#!/bin/sh
# A curator for memd: any model of the `llm` tool.
#
#   {"curator_cmd": ["/path/to/llm.sh", "{model}"], "model_small": "gpt-4o-mini", "model_large": "gpt-4o"}
#
# The prompt comes on standard input. Prints the model's answer, which holds one JSON object. Nothing
# is written to llm's log.
# Whether the text leaves this machine depends on the model: those of a plugin such as llm-gguf or
# llm-mlx run here, all others send it to their maker.
set -eu
exec llm -m "${1:?name a model}" --no-stream --no-log
