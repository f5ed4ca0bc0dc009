import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY, load } from "../../given/definition.ts";
import type { Files } from "../../given/folder.ts";
import { serving } from "../../given/serving.ts";

/** The processor that this machine has, and one that it has not. */
const [OWN, STRANGE] = process.arch === "arm64" ? ["aarch64", "x86_64"] : ["x86_64", "aarch64"];

interface Told {
  severity: string;
  code: string;
  path: string;
  line: number;
  message: string;
}

const server = sharedByFile(async () => (await serving(FACTORY, {})).server);

/** What a server says of a runner that is sent to it, when it is validated and when it is planned. */
async function toldOf(text: string): Promise<Told[][]> {
  const files = Object.entries({ ...FACTORY, "runners/r.yaml": text } satisfies Files).map(
    ([path, content]) => ({ path, content }),
  );
  const validation = await ask<{ diagnostics: Told[] }>(server(), "POST", "/factory-files/validate", {
    body: { files },
  });
  const plan = await ask<{ warnings: Told[] }>(server(), "POST", "/factories/acme/plan", { body: { files } });
  return [validation.body.diagnostics, plan.body.warnings].map((all) =>
    all.filter(({ code }) => ["FF_RUNNER_IGNORED", "runner_ignored"].includes(code)),
  );
}

describe("a runner on another system is warned of, when it is validated by the server and when it is planned:", () => {
  test.each<[string, string, RegExp]>([
    ["macOS", "platform: { os: macos }\n", /runner on macOS is ignored.*Linux/],
    ["a version of macOS", "platform: { os: macos, mac: { version: '26' } }\n", /macOS/],
    ["another processor", `platform: { arch: ${STRANGE} }\n`, /arm64|x86-64/],
    ["an image", "platform: { linux: { dockerImage: debian } }\n", /dockerImage.*MILLRACE_SANDBOX=container/],
    ["a size", "instanceShape: { vcpus: 2, memoryGb: 4 }\n", /instanceShape/],
  ])("%s", async (_, text, message) => {
    for (const told of await toldOf(text))
      expect(told).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
  });

  test.each(["platform: { os: linux }\n", `platform: { os: linux, arch: ${OWN} }\n`, "description: x\n"])(
    "but not %j",
    async (text) => {
      expect(await toldOf(text)).toEqual([[], []]);
    },
  );

  test("but not without a server, which may be any", async () => {
    const { problems } = await load({ ...FACTORY, "runners/r.yaml": "platform: { os: macos }\n" });
    expect(problems.filter(({ path }) => path === "runners/r.yaml")).toEqual([]);
  });
});

const RUNNER = "instanceShape: { vcpus: 2, memoryGb: 4 }\nplatform:\n  linux: { dockerImage: debian }\n";

test("what the server ignores are warnings at their lines, when it is applied", async () => {
  const { story } = await serving({ ...FACTORY, "runners/r.yaml": `${RUNNER}  arch: ${STRANGE}\n` }, {});
  const { sync } = await story.factory();
  expect(sync.status).toBe("synced");
  expect(sync.problems.filter(({ code }) => code === "FF_RUNNER_IGNORED")).toMatchObject([
    { severity: "warning", line: 1, message: expect.stringContaining("instanceShape") },
    { severity: "warning", line: 3, message: expect.stringContaining("dockerImage") },
    { severity: "warning", line: 4, message: expect.stringContaining("is ignored") },
  ]);
});

test.each<[string, string, string[]]>([
  ["an image and a size", RUNNER, ["the image debian is ignored", "instanceShape is ignored"]],
  ["a system", "platform: { os: macos }\n", ["a runner on macOS is ignored"]],
  ["a processor", `platform: { arch: ${STRANGE} }\n`, ["is ignored, because runs execute on this server"]],
])("the timeline of a run says what of its runner is ignored: %s", async (_, runner, said) => {
  const { server: running, story } = await serving(
    {
      ...FACTORY,
      "runners/r.yaml": runner,
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nrunner: r\n---\nWork.\n",
    },
    {},
  );
  const { run_id } = await running.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Go." });
  await story.ended(run_id);
  const timeline = JSON.stringify(await story.timeline(run_id));
  for (const words of said) expect(timeline).toContain(words);
});

test("what several runners ask for in vain is one warning, which names them all", async () => {
  const size = "instanceShape: { vcpus: 2, memoryGb: 4 }\n";
  const files = {
    ...FACTORY,
    "runners/a.yaml": size,
    "runners/b.yaml": size,
    "runners/c.yaml": "description: x\n",
  };
  const body = { files: Object.entries(files).map(([path, content]) => ({ path, content })) };
  const plan = await ask<{ warnings: Told[] }>(server(), "POST", "/factories/acme/plan", { body });
  expect(plan.body.warnings.filter(({ code }) => code === "runner_ignored")).toEqual([
    expect.objectContaining({
      path: "runners/a.yaml",
      message: expect.stringMatching(/instanceShape.*The same applies to runners\/b\.yaml$/),
    }),
  ]);
});
