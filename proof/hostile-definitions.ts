import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "../test/given/processes.ts";
import { waitFor } from "../test/given/server.ts";
import { storyOf } from "../test/given/story.ts";
import { hostileFile } from "./given/hostile-definitions.ts";
import type { HarmPart } from "./given/part.ts";
import { ADMIN_KEY } from "./given/sent.ts";
import type { Stage } from "./given/stage.ts";

const MAX_PEACE_MS = 500;

/** Writes definitions that are made to be slow or wrong where the server reads them, and has them validated and planned. */
export const hostileDefinitions: HarmPart = {
  name: "hostile definitions",
  share: 0.05,
  prepare: () => ({ options: {} }),
  async harm({ stage, chance, isOver }) {
    const broken: string[] = [];
    const whole = readFileSync(join(stage.source, "factory.yaml"), "utf8");
    let faults = 0;
    while (!isOver()) {
      const { path, content, says } = hostileFile(chance);
      const file = join(stage.source, path);
      faults += 1;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      const [answered, , planned] = await Promise.all([
        ask(stage, "/factory-files/validate", { files: [{ path, content }] }),
        sleep(chance.next() * MAX_PEACE_MS),
        ask(stage, "/factories/acme/plan", { changes: [{ path, content }] }),
      ]);
      for (const status of [answered, planned])
        if (status >= 500 && status !== 503) broken.push(`${status}: ${says}`);
      if (path === "factory.yaml") writeFileSync(file, whole);
      else rmSync(file);
    }
    if (!isRunning(stage.server.pid)) broken.push("the server has ended");
    const recovered = async () => {
      const { sync } = await storyOf(stage.server).sync();
      return sync.status === "synced" || undefined;
    };
    await waitFor(recovered, 60).catch(() =>
      broken.push("the definition is whole again, and is not in force"),
    );
    return { faults, mostCutOff: 0, broken };
  },
};

async function ask({ server }: Stage, path: string, body: object): Promise<number> {
  const { status, body: answer } = await fetch(`${server.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await answer?.cancel();
  return status;
}
