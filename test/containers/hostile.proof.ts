import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copiedFrom } from "../../proof/given/copied-from.ts";
import { hostileAgent } from "../../proof/given/hostile-agent.ts";
import { serverWithAgent } from "../given/agent.ts";
import { startPodman } from "../given/contained.ts";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { processesWith } from "../given/processes.ts";
import { waitFor } from "../given/server.ts";

const ROUNDS = 24;
/** In each of so many rounds the server is killed while the agent works. */
const KILLED_EVERY = 6;

test("agents in containers that attack their server read nothing of it, and do not outlive their runs", async () => {
  const podman = startPodman();
  const dataDir = join(temporaryFolder("millrace-contained"), "data");
  const mark = `30000.${process.hrtime.bigint()}`;
  const hostile = folderWith({ "agent.mjs": hostileAgent(mark, dataDir) });
  // Agents run as users of their own.
  chmodSync(hostile, 0o755);
  const shared = ["/usr", "/lib", "/lib64"].map((path) => `--volume ${path}:${path}:ro`);
  const options = [podman.settings.MILLRACE_CONTAINER_OPTIONS, ...shared, `--volume ${hostile}:/hostile:ro`];
  const env = {
    ...podman.settings,
    MILLRACE_CONTAINER_OPTIONS: options.join(" "),
    MILLRACE_AGENT_COMMAND: `${process.execPath} /hostile/agent.mjs`,
  };
  const source = folderWith(FACTORY);
  const serve = () => serverWithAgent("", { env, before: { source, server: { dataDir } } });
  let given = await serve();
  const key = readFileSync(join(dataDir, "master.key"));
  const found: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round % KILLED_EVERY > 0) {
      const { state, transcript } = await given.run();
      if (state !== "SUCCEEDED") found.push(`a run ended ${state}: ${transcript.slice(0, 500)}`);
      // The first process of a container is the agent's own: the engine ends it from outside, with all that is in it.
      found.push(...(transcript.match(/^got (?!the first process$).*$/gm) ?? []));
    } else {
      const id = await given.start();
      await waitFor(() => processesWith(mark).length > 0 || undefined);
      await given.server.kill();
      given = await serve();
      await given.story.ended(id);
    }
    found.push(
      ...processesWith(mark).map((pid) => `process ${pid} outlived its run`),
      ...copiedFrom(dataDir, key),
    );
  }
  expect(found).toEqual([]);
  expect(podman.containers()).toEqual([]);
});
