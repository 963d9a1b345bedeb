#!/bin/sh
# A curator for memd: a model on this machine, by Ollama.
#
#   {"curator_cmd": ["/path/to/ollama.sh", "{model}"], "model_small": "qwen3:8b", "model_large": "qwen3:32b"}
#
# The prompt comes on standard input. Prints the model's answer: one JSON object.
# The text stays on this machine, unless OLLAMA_HOST names another one or the model is a cloud model.
#
# Ollama cuts a prompt that is longer than the model's context without a word. A digest of 60,000
# characters needs about 20,000 tokens: start the server with OLLAMA_CONTEXT_LENGTH=32768, or set
# "digest_cap_chars" to about twice the tokens that you have.
set -eu
exec ollama run "${1:?name a model}" --format json
