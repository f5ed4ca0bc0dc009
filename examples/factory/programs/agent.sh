#!/bin/sh
# The agent of every run of this factory: starts the program that is named after the run's agent.
# Usage: sh agent.sh FOLDER-OF-THE-PROGRAMS
set -eu
name=$(sed -n 's/^  "name": "\([a-z-]*\)",*$/\1/p' agent.json)
case $name in
  implementer | reviewer | verifier) exec sh "$1/$name.sh" "$1" ;;
  # A run of the automation has its name.
  *) exec sh "$1/foreman.sh" "$1" ;;
esac
