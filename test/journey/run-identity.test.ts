import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AUDIENCE, agentWithIdentity } from "../given/identity.ts";

test("an agent proves to a service who it is, with the token that its command prints", async () => {
  const { id, server, verify } = await agentWithIdentity({
    program: `
      import { execFileSync } from "node:child_process";
      const words = ["agent", "oidc-token", "--audience", ${JSON.stringify(AUDIENCE)}];
      writeFileSync("printed", execFileSync("millrace", words));`,
  });
  const printed = readFileSync(join(server.dataDir, "workspaces", id, "printed"), "utf8");
  expect((await verify(printed.trimEnd())).payload.run).toBe(id);
});
