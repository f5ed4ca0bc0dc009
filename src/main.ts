#!/usr/bin/env node
import { runProgram } from "./cli/program.ts";

process.exitCode = await runProgram(process.argv);
