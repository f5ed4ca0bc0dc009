import { describe, expect, test } from "vitest";
import { FACTORY, load } from "../given/definition.ts";
import { serving } from "../given/serving.ts";

const toldOf = async (text: string) =>
  (await load({ ...FACTORY, "runners/r.yaml": text })).problems
    .filter(({ path }) => path === "runners/r.yaml")
    .map(({ severity, code }) => `${severity} ${code}`);

describe("a runner on another system is warned of:", () => {
  test.each([
    "platform: { os: macos }\n",
    "platform: { os: macos, mac: { version: '26' } }\n",
    "platform: { arch: aarch64 }\n",
  ])("%j", async (text) => {
    expect(await toldOf(text)).toEqual(["warning FF_RUNNER_IGNORED"]);
  });

  test.each(["platform: { os: linux }\n", "platform: { os: linux, arch: x86_64 }\n", "description: x\n"])(
    "but not %j",
    async (text) => {
      expect(await toldOf(text)).toEqual([]);
    },
  );
});

test("an image and a size that the server's sandbox ignores are warnings at their lines, when it is applied", async () => {
  const { story } = await serving(
    {
      ...FACTORY,
      "runners/r.yaml":
        "instanceShape: { vcpus: 2, memoryGb: 4 }\nplatform: { linux: { dockerImage: debian } }\n",
    },
    {},
  );
  const { sync } = await story.factory();
  expect(sync.status).toBe("synced");
  expect(sync.problems.filter(({ code }) => code === "FF_RUNNER_IGNORED")).toMatchObject([
    { severity: "warning", line: 1, message: expect.stringContaining("instanceShape") },
    { severity: "warning", line: 2, message: expect.stringContaining("dockerImage") },
  ]);
});

test("the timeline of a run says what of its runner is ignored", async () => {
  const runner = "instanceShape: { vcpus: 2, memoryGb: 4 }\nplatform: { linux: { dockerImage: debian } }\n";
  const { server, story } = await serving(
    {
      ...FACTORY,
      "runners/r.yaml": runner,
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nrunner: r\n---\nWork.\n",
    },
    {},
  );
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Go." });
  await story.ended(run_id);
  const timeline = JSON.stringify(await story.timeline(run_id));
  expect(timeline).toContain("the image debian is ignored");
  expect(timeline).toContain("instanceShape is ignored");
});
