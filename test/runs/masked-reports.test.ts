import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { FACTORY } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";

/** Says what a real one says, a thousand times, and its secret at last. */
const PROGRAM = `
for (let n = 0; n < 1000; n += 1) console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "s" + n }));
console.log(JSON.stringify({ type: "result", subtype: "success", result: "It is " + process.env.TOKEN }));`;

test("what an agent says at last is masked like its transcript, and the last that it tells counts", async () => {
  const folder = folderWith({ "agent.mjs": PROGRAM });
  const command = [process.execPath, join(folder, "agent.mjs")];
  const config = join(
    folderWith({ "m.yaml": JSON.stringify({ harnesses: { teller: { command, output: "claude" } } }) }),
    "m.yaml",
  );
  const files = {
    "factory.yaml": String(FACTORY["factory.yaml"]).replace(
      "model: none }",
      "model: none }, secrets: [TOKEN]",
    ),
  };
  const { run, story } = await serverWithAgent("", { files, args: ["--config", config] });
  await story.setSecret("TOKEN", "a-secret-value\n");
  await story.sync();
  const ended = await run({ config: { harness: { type: "teller" } } });
  expect(ended).toMatchObject({ state: "SUCCEEDED", answer: "It is ********" });
  expect(ended.transcript).not.toContain("a-secret-value");
});
