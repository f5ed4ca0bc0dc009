import { hostname } from "node:os";
import { expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { programVersion } from "../../../src/platform/version.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { twoFactories } from "../../given/serving.ts";

const stage = sharedByFile(() => twoFactories({}, { env: { MILLRACE_RUN_CONCURRENCY: "3" } }));

test("a server lists itself, which leads when it is the only one", async () => {
  const { server } = stage();
  const { status, body } = await ask<Models["ServerList"]>(server, "GET", "/servers", {
    key: await aKey(server, { role: "viewer" }),
  });
  expect([status, body]).toEqual([
    200,
    {
      servers: [
        {
          uid: expect.any(String),
          name: hostname(),
          version: programVersion(),
          status: "connected",
          is_leader: true,
          is_this: true,
          executing: 0,
          concurrency: 3,
          started_at: expect.any(String),
          last_seen_at: expect.any(String),
        },
      ],
      page_info: { has_next_page: false },
    },
  ]);
});

test("a key of some factories gets no servers", async () => {
  const { server } = stage();
  const key = await aKey(server, { role: "admin", factories: ["acme"] });
  expect((await ask(server, "GET", "/servers", { key })).status).toBe(403);
});
