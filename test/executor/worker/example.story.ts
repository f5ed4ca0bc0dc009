import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, MILLRACE, startServer, waitFor } from "../../given/server.ts";
import { bash, blocksOf, pasted } from "../../given/shell.ts";
import { storyOf } from "../../given/story.ts";

const README = "examples/workers/README.md";
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const BUILD = "examples/workers/programs/build.sh";

/** Begins only when two builds have: on a slow machine, the first one must still be at work when the second is requested. */
const BUILD_TOGETHER = `
  touch "$SIGNALS/$MILLRACE_RUN_ID"
  while [ "$(ls "$SIGNALS" | wc -l)" -lt 2 ]; do sleep 0.05; done
  exec sh "$BUILD"`;

test("the two workers of examples/workers execute a delivery each, as its README says", async () => {
  const server = await startServer({ sources: [join(ROOT, "examples", "workers")], sharesProcess: false });
  const signals = temporaryFolder("millrace-signals");
  const program = BUILD_TOGETHER.replaceAll("$SIGNALS", signals).replace("$BUILD", join(ROOT, BUILD));
  const build = join(folderWith({ "build.sh": program }), "build.sh");
  const folder = temporaryFolder("millrace-example");
  mkdirSync(join(folder, ".millrace"));
  symlinkSync(join(ROOT, "examples"), join(folder, "examples"));

  const blocks = (kind: string) => [
    `millrace() { ${MILLRACE.join(" ")} "$@"; }`,
    ...blocksOf(README, `sh ${kind}`).map((block) =>
      block
        .replace("mr_…", ADMIN_KEY)
        .replace("http://127.0.0.1:8787", server.url)
        .replace(`$PWD/${BUILD}`, build),
    ),
  ];
  const env = { MILLRACE_SERVER: server.url, MILLRACE_SANDBOX: "none" };
  const { code, output } = await pasted(blocks("create"), folder, env);
  expect(code, output).toBe(0);
  for (const kind of ["first", "second"]) void bash(folder, blocks(kind).join("\n"), env);
  await waitFor(async () => {
    const { workers } = await server.api<{ workers: { state: string }[] }>("GET", "/workers");
    return workers.filter(({ state }) => state !== "offline").length === 2;
  });

  const delivered = await pasted(blocks("deliver"), folder, env);
  expect(delivered.code, delivered.output).toBe(0);
  expect(delivered.output.match(/answered 202: delivery/g)).toHaveLength(2);
  expect(delivered.output.match(/ builders +\S+/g)).toHaveLength(2);

  const story = storyOf(server);
  const runs = await Promise.all((await story.runs()).map(({ run_id }) => story.ended(run_id)));
  expect(runs.map(({ state, title }) => [state, title])).toEqual([
    ["SUCCEEDED", "Build the release"],
    ["SUCCEEDED", "Build the release"],
  ]);
  const places = [".millrace-first", ".millrace-second"].map((name) => join(folder, name, "workspaces"));
  const used = await Promise.all(
    runs.map(async ({ run_id }) => {
      const transcript = await story.transcript(run_id);
      return places.find(
        (place) => transcript.includes(`Building the release on`) && transcript.includes(place),
      );
    }),
  );
  expect(used.sort()).toEqual(places);
  expect(readdirSync(signals)).toHaveLength(2);
});
