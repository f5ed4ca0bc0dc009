import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { serveManaged } from "../../given/managed.ts";

test("no secret is in a log, in the repository, in the audit log or in the database as it is", async () => {
  const { server, create, call } = await serveManaged({
    env: { MILLRACE_LOG_LEVEL: "trace" },
    sharesProcess: false,
  });
  const given = "a-secret-that-a-provider-has-issued";
  const made = await create({ name: "token" });
  const inUrl = await create({ name: "url", auth_mode: "url_token" });
  const signature = { auth_mode: "signature", signature_scheme: "stripe", secret: given } as const;
  const hook = await create({ name: "stripe", ...signature });
  const rotated = await call<{ secret: string }>("POST", `/webhooks/${made.uid}/rotate-secret`);
  await call("POST", `/webhooks/${hook.uid}/rotate-secret`, { body: { secret: `${given}-2` } });
  await call("POST", "/webhooks", {
    body: { name: "bad", ...signature, secret: `${given}-3`, delivery_id_header: "Cookie" },
  });
  const seen = JSON.stringify(await server.api("GET", "/audit-log"));
  await server.stop();
  const objects = execFileSync(
    "sh",
    [
      "-c",
      'for r in "$1"/factories/*; do git --git-dir "$r" cat-file --batch-all-objects --batch; done',
      "-",
      server.dataDir,
    ],
    { encoding: "latin1" },
  );
  expect(objects).toContain("secretName: STRIPE_WEBHOOK_SECRET");
  const secrets = [given, made.secret, inUrl.secret, rotated.body.secret];
  for (const secret of secrets) {
    expect(secret).toBeTruthy();
    for (const place of [seen, server.log(), server.printed(), objects]) expect(place).not.toContain(secret);
    const found = execFileSync("sh", [
      "-c",
      'grep -rlaF -e "$1" "$2" || true',
      "-",
      String(secret),
      server.dataDir,
    ]);
    expect(found.toString()).toBe("");
  }
});
