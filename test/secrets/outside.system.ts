import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOutside } from "../../src/secrets/outside.ts";
import { FACTORY } from "../given/definition.ts";
import { temporaryFolder } from "../given/folder.ts";
import { actAsNobody } from "../given/processes.ts";
import { repositoryWith } from "../given/repository.ts";
import { startServer } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

test.each([
  ["as it is", "value", "value"],
  ["without the line end that an editor puts behind it", "value\n", "value"],
  ["without one of Windows", "value\r\n", "value"],
  ["with all others", "\n one\ntwo \n\n", "\n one\ntwo \n"],
  ["with a byte order mark, which may be a part of it", "\ufeffvalue", "\ufeffvalue"],
  ["as nothing when it is empty", "", undefined],
  ["as nothing when it is a line end only", "\n", undefined],
])("a file is taken %s", async (_, content, value) => {
  const file = join(temporaryFolder(), "secret");
  writeFileSync(file, content);
  expect(await readOutside({ file }, {})).toBe(value);
});

test("a variable is used as it is; an empty one, and a missing file, hold no value", async () => {
  const env = { FULL: " x\n", EMPTY: "" };
  expect(await readOutside({ env: "FULL" }, env)).toBe(" x\n");
  expect(await readOutside({ env: "EMPTY" }, env)).toBeUndefined();
  expect(await readOutside({ env: "MISSING" }, env)).toBeUndefined();
  expect(await readOutside({ file: join(temporaryFolder(), "none") }, env)).toBeUndefined();
});

test("a file that cannot be a value is refused, and nothing of it is shown", async () => {
  const file = join(temporaryFolder(), "secret");
  const refused = async (pattern: RegExp) => {
    const error = await readOutside({ file }, {}).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "conflict", message: expect.stringMatching(pattern) });
    expect(error.message).not.toContain("hidden");
  };
  mkdirSync(file);
  await refused(/is not a regular file/);
  rmSync(file, { recursive: true });
  writeFileSync(file, "hidden".repeat(2e6));
  await refused(/is larger than 131071 bytes/);
  writeFileSync(file, Buffer.from("hidden\xff", "latin1"));
  await refused(/is not UTF-8/);
  writeFileSync(file, "hidden\0");
  await refused(/contains a NUL/);
  writeFileSync(file, "hidden");
  chmodSync(file, 0o600);
  chmodSync(join(file, ".."), 0o755);
  actAsNobody();
  await refused(/cannot be read: EACCES/);
});

test("a webhook with an external secret reports where the secret is missing, and a value that exists is taken with a commit", async () => {
  const folder = temporaryFolder();
  const [file, settings] = [join(folder, "secret"), join(folder, "millrace.yaml")];
  const secrets = { IN_FILE: { file }, IN_ENV: { env: "OUTSIDE" } };
  writeFileSync(settings, JSON.stringify({ secrets }));
  const repository = repositoryWith({
    ...FACTORY,
    "webhooks/file.yaml": "secretName: IN_FILE\n",
    "webhooks/env.yaml": "secretName: IN_ENV\n",
  });
  const server = await startServer({
    sources: [repository.url],
    args: ["--config", settings],
    env: { OUTSIDE: "" },
  });
  const story = storyOf(server);
  const said = async () => (await story.sync()).sync.problems.map(({ message }) => message);
  expect(await said()).toEqual(
    expect.arrayContaining([
      expect.stringContaining("the variable OUTSIDE of the server, which is missing or empty"),
      expect.stringContaining(`the file ${file}, which is missing or empty`),
    ]),
  );
  repository.push({}, { remove: ["webhooks/env.yaml"] });
  mkdirSync(file);
  expect(await said()).toEqual([expect.stringMatching(/The secret file .* is not a regular file/)]);
  rmSync(file, { recursive: true });
  writeFileSync(file, "value\n");
  expect((await story.sync()).sync.status).toBe("synced");
  expect((await story.deliver(await story.urlOf("file"), "value", "1")).status).toBe(202);
  writeFileSync(file, "hidden".repeat(2e6));
  expect((await story.webhook("file")).has_newer_secret).toBe(false);
  writeFileSync(file, "other");
  expect((await story.webhook("file")).has_newer_secret).toBe(true);
  repository.push({});
  await story.sync();
  expect((await story.deliver(await story.urlOf("file"), "other", "2")).status).toBe(202);
  expect(server.log()).not.toContain("hidden");
});
