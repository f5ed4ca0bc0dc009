import { killLeftovers } from "./process-tree.ts";
import type { Sandbox } from "./sandbox.ts";

/** Programs run as the server does and see what it sees. What they leave behind is found by the mark in its environment. */
export function unconfined(): Sandbox {
  return {
    mode: "none",
    launch({ command: [command = "", ...args], workspace, environment }) {
      return { command, args, cwd: workspace, environment };
    },
    endLeftBehind: killLeftovers,
  };
}
