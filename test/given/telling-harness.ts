import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { HarnessSetting } from "../../src/config/harness-setting.ts";
import { folderWith } from "./folder.ts";

/** Says what claude says of a model that it has used. */
export const TELLS_USAGE = `
const modelUsage = { opus: { inputTokens: 5, outputTokens: 2, cacheReadInputTokens: 10, costUSD: 0.25 } };
console.log(JSON.stringify({ type: "result", subtype: "success", result: "Done.", total_cost_usd: 0.25, modelUsage }));`;

/** Arguments of a server that has the harness `told`: a program that writes the events of another. */
export function tellingHarness(
  output: HarnessSetting["output"],
  program: string,
  row: Partial<HarnessSetting> = {},
  settings: object = {},
): string[] {
  const folder = folderWith({ "agent.mjs": program });
  // An agent may run as another user than the tests.
  chmodSync(folder, 0o755);
  chmodSync(join(folder, "agent.mjs"), 0o644);
  const told = { command: [process.execPath, join(folder, "agent.mjs")], output, ...row };
  return [
    "--config",
    join(folderWith({ "m.yaml": JSON.stringify({ harnesses: { told }, ...settings }) }), "m.yaml"),
  ];
}
