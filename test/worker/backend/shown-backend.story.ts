import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { aProgram, jobsIn } from "../../given/backend.ts";
import { folderWith } from "../../given/folder.ts";
import { filesShownIn } from "../../given/pages.ts";
import { remoteRuns } from "../../given/remote-runs.ts";
import { MILLRACE, waitFor } from "../../given/server.ts";
import { aWorker } from "../../given/worker.ts";

test("the backend that the guide shows executes a run", async () => {
  const mill = await remoteRuns();
  const { token } = await mill.server.api<{ token: string }>("POST", "/workers", { name: "builder" });
  const shown = filesShownIn("docs/how-to/worker-backends.md");
  const folder = folderWith({ ...shown, "worker.token": token, "agent.mjs": mill.agents.program });
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const words = MILLRACE.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "millrace"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, "millrace"), 0o755);
  const agent = `${process.execPath} ${join(folder, "agent.mjs")}`;
  const program = aProgram(
    `cd ${folder} && MILLRACE_SANDBOX=none exec node backend.mjs worker.token "${agent}" "$@"`,
    "/bin/sh",
  );
  const { dataDir } = await aWorker(mill.server, {
    token,
    env: {
      PATH: [bin, process.env.PATH].join(delimiter),
      MILLRACE_SANDBOX: "command",
      MILLRACE_SANDBOX_COMMAND: program,
    },
  });
  const id = await mill.start();
  expect(await mill.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(mill.starts(id)).toBe(1);
  await waitFor(() => jobsIn(dataDir).length === 0);
});
