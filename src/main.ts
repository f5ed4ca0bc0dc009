#!/usr/bin/env node
import { runProgram } from "./cli/program.ts";

void runProgram(process.argv).then((code) => {
  process.exitCode = code;
});
