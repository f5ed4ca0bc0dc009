import { describe, expect, test } from "vitest";
import type { Created, Rotated, Webhook } from "../../given/managed.ts";
import { managedBy, serveManaged } from "../../given/managed.ts";

type Kept = Awaited<ReturnType<typeof serveManaged>>;

const rotate = (kept: Kept, uid: string, body: object = {}) =>
  kept.call<Rotated>("POST", `/webhooks/${uid}/rotate-secret`, { body });
const show = async (kept: Kept, uid: string) => (await kept.call<Webhook>("GET", `/webhooks/${uid}`)).body;
const tried = async (kept: Kept, { url }: Pick<Created, "url">, ...secrets: (string | undefined)[]) =>
  Promise.all(secrets.map((secret) => kept.deliver(url, secret)));
const bearing = (name: string, more = "") => `secretName: ${name}\n${more}`;

describe("a rotation", () => {
  test("without an overlap ends one that goes on, also where the value is already the new one", async () => {
    const kept = await serveManaged();
    const signed = { auth_mode: "signature", signature_scheme: "github" } as const;
    const { uid } = await kept.create({ name: "ci", ...signed, secret: "the-first-secret" });
    await rotate(kept, uid, { secret: "the-second-secret", overlap: "24h" });
    expect((await show(kept, uid)).previous_secret).not.toBeNull();
    const { body } = await rotate(kept, uid, { secret: "the-second-secret" });
    expect(body.previous_secret).toBeNull();
  });

  test("with an overlap leaves other secrets alone that take a new value with it", async () => {
    const kept = await serveManaged();
    const one = await kept.create({ name: "one" });
    const other = await kept.create({ name: "other" });
    // Set after a leak: the next change of the factory takes it.
    await kept.server.api("PUT", `/secrets/${other.secret_name}`, { value: "the-value-after-the-leak" });
    await rotate(kept, one.uid, { overlap: "24h" });
    expect(await tried(kept, other, other.secret, "the-value-after-the-leak")).toEqual([401, 202]);
    expect((await show(kept, other.uid)).previous_secret).toBeNull();
  });

  test("is refused where the file names a previous secret, which it could not end", async () => {
    const kept = await serveManaged();
    for (const name of ["OLD", "NEW"])
      await kept.server.api("PUT", `/secrets/${name}`, { value: `the-value-of-${name}`, shared: true });
    const files = [
      {
        path: "webhooks/ci.yaml",
        content: bearing("NEW", "millrace: { previousSecretName: OLD, until: 2126-01-01T00:00:00Z }\n"),
      },
    ];
    await kept.call("POST", "/files", { body: { files } });
    const [webhook] = await kept.webhooks();
    for (const body of [{}, { overlap: "24h" }]) {
      const { status, body: problem } = await rotate(kept, webhook?.uid ?? "", body);
      expect([status, JSON.stringify(problem)]).toEqual([
        422,
        expect.stringContaining("millrace.previousSecretName"),
      ]);
    }
    expect(await tried(kept, { url: webhook?.url ?? "" }, "the-value-of-OLD", "the-value-of-NEW")).toEqual([
      202, 202,
    ]);
  });

  test("ends what a rotated secret is the previous one of, in other factories too", async () => {
    const kept = await serveManaged();
    await kept.server.api("POST", "/factories", { name: "other" });
    const other = managedBy(kept.server, "other");
    for (const name of ["SHARED", "OWN"])
      await kept.server.api("PUT", `/secrets/${name}`, { value: `the-value-of-${name}`, shared: true });
    const { uid } = await kept.create({ name: "ci", secret_name: "SHARED" });
    const files = [
      {
        path: "webhooks/b.yaml",
        content: bearing("OWN", "millrace: { previousSecretName: SHARED, until: 2126-01-01T00:00:00Z }\n"),
      },
    ];
    await other.call("POST", "/files", { body: { files } });
    const [named] = await other.webhooks();
    const url = { url: named?.url ?? "" };
    expect(await tried(kept, url, "the-value-of-SHARED", "the-value-of-OWN")).toEqual([202, 202]);
    const { body } = await rotate(kept, uid);
    expect(body.also_rotated).toEqual(["other/b"]);
    expect(await tried(kept, url, "the-value-of-SHARED", "the-value-of-OWN")).toEqual([401, 202]);
  });

  test("tells of senders since it began alone", async () => {
    const kept = await serveManaged();
    const { uid, url, secret: first } = await kept.create({ name: "ci" });
    await rotate(kept, uid, { overlap: "1h" });
    expect(await kept.deliver(url, first)).toBe(202);
    expect((await show(kept, uid)).previous_secret?.senders).toHaveLength(1);
    await rotate(kept, uid, { overlap: "1h" });
    expect((await show(kept, uid)).previous_secret).toMatchObject({ last_used_at: null, senders: [] });
  });

  test("does not leave the old secret in force in another mode", async () => {
    const kept = await serveManaged();
    const { uid, url, secret: first } = await kept.create({ name: "ci" });
    const { body } = await rotate(kept, uid, { overlap: "1h" });
    const content = bearing(body.secret_name, "authMode: signature\nsignatureScheme: gitlab\n");
    const changed = await kept.change("PUT", "/files/webhooks%2Fci.yaml", { content });
    expect(changed.status).toBe(200);
    expect((await show(kept, uid)).previous_secret).toBeNull();
    const answer = await fetch(url, {
      method: "POST",
      body: "{}",
      headers: { "x-gitlab-token": first ?? "" },
    });
    expect(answer.status).toBe(401);
  });
});
