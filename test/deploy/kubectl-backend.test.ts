import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../given/folder.ts";
import { type Manifest, misspelt, REPOSITORY, violations } from "../given/kubernetes.ts";

/** The Job that the example backend for kubectl makes. */
function jobOfBackend(request: object): { status: number | null; job: Manifest; args: string } {
  const folder = temporaryFolder();
  const kubectl = `#!/bin/sh\necho "$@" > ${folder}/args\ncat > ${folder}/input\n`;
  writeFileSync(join(folder, "kubectl"), kubectl);
  chmodSync(join(folder, "kubectl"), 0o755);
  const backend = join(REPOSITORY, "examples/workers/backends/kubectl.mjs");
  const { status } = spawnSync(process.execPath, [backend, "agents", "registry/agents:1", "start"], {
    input: JSON.stringify(request),
    env: { PATH: [folder, process.env.PATH].join(delimiter) },
  });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { status, job: JSON.parse(read("input")), args: read("args").trim() };
}

const REQUEST = {
  ...{ version: 1, id: "01a20c2e-34d6-7136-97c1-d271b0eef4e4-12-3", turn: 12, attempt: 3 },
  ...{ run_id: "01a20c2e-34d6-7136-97c1-d271b0eef4e4", shape: { vcpus: 2, memory_gb: 8 } },
  command: ["millrace", "worker", "--once", "--run", "01a20c2e-34d6-7136-97c1-d271b0eef4e4"],
};

describe("the example backend for kubectl", () => {
  test("makes a Job by the schema of the API, of the size that the run asks for", () => {
    const { status, job, args } = jobOfBackend(REQUEST);
    expect(status).toBe(0);
    expect(args).toBe("--namespace agents apply --filename -");
    expect(violations(job)).toBeUndefined();
    expect(misspelt([job])).toEqual([]);
    expect(job.metadata.name.length).toBeLessThanOrEqual(63);
    const [container] = job.spec.template.spec.containers;
    const size = { cpu: "2", memory: "8Gi" };
    expect(container).toMatchObject({
      image: "registry/agents:1",
      resources: { requests: size, limits: size },
    });
    expect(container.command.slice(0, 5)).toEqual(REQUEST.command);
  });

  test("makes one without a size for a run that asks for none", () => {
    const { job } = jobOfBackend({ ...REQUEST, shape: null });
    expect(misspelt([job])).toEqual([]);
    expect(job.spec.template.spec.containers[0].resources).toBeUndefined();
  });
});
