import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY } from "../../given/definition.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

test("environments update does not undo concurrent changes of someone else", async () => {
  const { server } = await serving(FACTORY, {});
  const config = { name: "tests", description: "before" };
  const { uid } = await server.api<{ uid: string }>("POST", "/agent/environments", config);
  const place = join(temporaryFolder("millrace-pipe"), "config.json");
  execFileSync("mkfifo", [place]);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const updating = run(["environments", "update", "tests", "--file", place], env);
  const pipe = createWriteStream(place);
  // A pipe opens when its reader does: by then the command has read the environment.
  await once(pipe, "open");
  await server.api("PUT", `/agent/environments/${uid}`, { ...config, description: "of somebody else" });
  pipe.end(JSON.stringify({ setup_commands: ["npm ci"] }));

  expect(await updating).toMatchObject({ code: 6, said: expect.stringContaining("Get the resource again") });
  const { config: present } = await server.api<{ config: object }>("GET", `/agent/environments/${uid}`);
  expect(present).toMatchObject({ description: "of somebody else", setup_commands: [] });
});
