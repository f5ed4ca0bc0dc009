import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { type Created, listeningTo, type Rotated, serveManaged, type Webhook } from "../../given/managed.ts";

const kept = sharedByFile(() => serveManaged({ env: { MILLRACE_FAILED_AUTH_PER_MINUTE: "1000" } }));

const signed = (body: string, secret: string) => ({
  "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
});

const stripeSigned = (body: string, secret: string) => {
  const t = Math.floor(Date.now() / 1000);
  return {
    "stripe-signature": `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`,
  };
};

async function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(url, { method: "POST", body, headers })).status;
}

describe("a webhook that is created", () => {
  test("with a token accepts the secret that the answer shows, and no other answer shows it", async () => {
    const { create, deliver, call } = kept();
    const made = await create({ name: "token" });
    expect(made).toMatchObject({ auth_mode: "token", status: "active", secret_name: "TOKEN_WEBHOOK_SECRET" });
    expect(made.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await deliver(made.url, made.secret)).toBe(202);
    expect(await deliver(made.url, "another")).toBe(401);
    const read = await call("GET", `/webhooks/${made.uid}`);
    expect(read.body).not.toHaveProperty("secret");
    expect(JSON.stringify(read.body)).not.toContain(made.secret);
  });

  test("with a token in its URL shows that URL once, and {token} in it from then on", async () => {
    const { create, deliver, call } = kept();
    const made = await create({ name: "in-the-url", auth_mode: "url_token" });
    expect(made.url).toBe(`${kept().server.url}/webhooks/w/${made.uid}/${made.secret}`);
    expect(await deliver(made.url)).toBe(202);
    const { body } = await call<Webhook>("GET", `/webhooks/${made.uid}`);
    expect(body.url).toBe(`${kept().server.url}/webhooks/w/${made.uid}/{token}`);
  });

  test("for Standard Webhooks has a secret of their form", async () => {
    const made = await kept().create({
      name: "standard",
      auth_mode: "signature",
      signature_scheme: "standard_webhooks",
    });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.status).toBe("active");
    const sent = await kept().server.api(
      "POST",
      `/factories/default/webhooks/${made.uid}/test-deliveries`,
      {},
    );
    expect(sent.status).toBe(202);
  });

  test.each(["github", "gitlab"])("for %s has a secret to enter there", async (signature_scheme) => {
    const { server, create } = kept();
    const made = await create({ name: signature_scheme, auth_mode: "signature", signature_scheme });
    expect(made.secret).toMatch(/^[0-9a-f]{64}$/);
    const sent = await server.api("POST", `/factories/default/webhooks/${made.uid}/test-deliveries`, {});
    expect(sent.status).toBe(202);
  });

  test("for a custom scheme describes how senders sign, and gets a secret", async () => {
    const { create } = kept();
    const made = await create({
      name: "own",
      auth_mode: "signature",
      signature_scheme: "custom",
      custom_scheme: { header: "X-Own-Signature" },
    });
    const headers = {
      "x-own-signature": createHmac("sha256", made.secret ?? "")
        .update("{}")
        .digest("hex"),
    };
    expect(await post(made.url, "{}", headers)).toBe(202);
  });

  test("takes the provider's signing secret, and does not show it", async () => {
    const secret = "given-by-the-provider";
    const body = { auth_mode: "signature", signature_scheme: "github", secret } as const;
    const made = await kept().create({ name: "given", ...body });
    expect(JSON.stringify(made)).not.toContain(secret);
    expect(await post(made.url, "{}", signed("{}", secret))).toBe(202);
  });

  test("waits for a secret that its provider issues later: 404 until a rotation brings it", async () => {
    const { create, server } = kept();
    const body = { auth_mode: "signature", signature_scheme: "stripe" } as const;
    const made = await create({ name: "payments", ...body });
    expect(made).toMatchObject({ status: "awaiting_secret", url: expect.stringContaining("/webhooks/w/") });
    expect(made).not.toHaveProperty("secret");
    expect(await post(made.url, "{}", stripeSigned("{}", ""))).toBe(404);

    const path = `/factories/default/webhooks/${made.uid}/rotate-secret`;
    const without = await kept().call("POST", `/webhooks/${made.uid}/rotate-secret`);
    expect([without.status, without.body.detail]).toEqual([
      400,
      "secret: required, because stripe issues its own signing secrets.",
    ]);
    expect(without.body.remedy).toContain("`millrace webhooks rotate-secret payments --secret-file FILE`");
    const finished = await server.api<Rotated>("POST", path, { secret: "whsec_of-stripe" });
    expect(finished).toMatchObject({ status: "active", enabled: true, also_rotated: [] });
    expect(finished).not.toHaveProperty("secret");
    expect(await post(made.url, '{"id":"evt_1"}', stripeSigned('{"id":"evt_1"}', "whsec_of-stripe"))).toBe(
      202,
    );
  });

  test("uses an existing secret of the team by its name, and does not show it", async () => {
    const { create, server, deliver } = kept();
    await server.api("PUT", "/secrets/TEAM_SECRET", { value: "of-the-team" });
    const made = await create({ name: "shared", auth_mode: "url_token", secret_name: "TEAM_SECRET" });
    expect(made).not.toHaveProperty("secret");
    expect(made.url.endsWith("/{token}")).toBe(true);
    expect(await deliver(made.url.replace("{token}", "of-the-team"))).toBe(202);
  });

  test("has a unique name for its secret", async () => {
    const { create, server } = kept();
    await server.api("PUT", "/secrets/NIGHTLY_BUILD_WEBHOOK_SECRET", { value: "of-somebody-else" });
    const made = await create({ name: "Nightly-build" });
    expect(made.secret_name).toBe("NIGHTLY_BUILD_WEBHOOK_SECRET_2");
  });
});

describe("a webhook that exists", () => {
  test("is disabled and enabled: senders get 404 while it is disabled, and comments in its file stay", async () => {
    const { create, call, change, deliver, git } = kept();
    const { uid, url, secret } = await create({ name: "toggled" });
    const file = "/files/webhooks%2Ftoggled.yaml";
    const { body } = await call<{ content: string }>("GET", file);
    await change("PUT", file, { content: `# Owned by the build team.\n${body.content}` });

    const off = await change<Webhook>("PATCH", `/webhooks/${uid}`, { enabled: false });
    expect([off.status, off.body.status, off.body.enabled]).toEqual([200, "disabled", false]);
    expect(await deliver(url, secret)).toBe(404);
    const on = await change<Webhook>("PATCH", `/webhooks/${uid}`, {
      enabled: true,
      delivery_id_header: "X-Build-Id",
    });
    expect(on.body).toMatchObject({ status: "active", delivery_id_header: "X-Build-Id" });
    expect(await deliver(url, secret)).toBe(202);
    expect(await git("show", "main:webhooks/toggled.yaml")).toMatch(
      /^# Owned by the build team\.\n[\s\S]*enabled: true[\s\S]*deliveryIdHeader: X-Build-Id/,
    );
    const cleared = await change<Webhook>("PATCH", `/webhooks/${uid}`, { delivery_id_header: null });
    expect(cleared.body.delivery_id_header).toBeNull();
  });

  test("that already has the requested values is left without a commit", async () => {
    const { create, change, git } = kept();
    const { uid } = await create({ name: "settled" });
    const before = await git("rev-parse", "main");
    expect((await change("PATCH", `/webhooks/${uid}`, { enabled: true, name: "settled" })).status).toBe(200);
    expect(await git("rev-parse", "main")).toBe(before);
  });

  test("keeps its name, and a request for another is refused with the reason", async () => {
    const { uid } = await kept().create({ name: "named" });
    const { status, body } = await kept().change("PATCH", `/webhooks/${uid}`, { name: "renamed" });
    expect([status, body.detail]).toEqual([
      422,
      'The webhook "named" cannot be renamed: its name is the name of its file, and its URL depends on it.',
    ]);
  });

  test("gets another secret, with all webhooks that share it: the old one stops working immediately", async () => {
    const { create, server, deliver } = kept();
    const first = await create({ name: "first", secret_name: "SHARED_BY_TWO" });
    const second = await create({ name: "second", auth_mode: "url_token", secret_name: "SHARED_BY_TWO" });
    const rotated = await server.api<Rotated>(
      "POST",
      `/factories/default/webhooks/${second.uid}/rotate-secret`,
    );
    expect(rotated.also_rotated).toEqual(["first"]);
    expect(rotated.secret).not.toBe(first.secret);
    expect(rotated.url.endsWith(`/${rotated.secret}`)).toBe(true);
    expect(await deliver(rotated.url)).toBe(202);
    expect(await deliver(first.url, rotated.secret)).toBe(202);
    expect(await deliver(first.url, first.secret)).toBe(401);
  });

  test("that shares a secret is not rotated to a value that another webhook could not use", async () => {
    const { create, server, call, deliver } = kept();
    const one = await create({ name: "in-url", auth_mode: "url_token", secret_name: "SHARED_UNSAFE" });
    const body = {
      auth_mode: "signature",
      signature_scheme: "github",
      secret_name: "SHARED_UNSAFE",
    } as const;
    const two = await create({ name: "by-hub", ...body });
    const refused = await call("POST", `/webhooks/${two.uid}/rotate-secret`, {
      body: { secret: "not/safe in a URL" },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toContain('of the webhook "in-url", which shares the secret');
    expect(refused.body.problems).toMatchObject([
      { code: "FF_SECRET_UNUSABLE", path: "webhooks/in-url.yaml", severity: "error" },
    ]);
    expect(await deliver(`${one.url.replace("{token}", one.secret ?? "")}`)).toBe(202);
    expect(
      (await server.api<Webhook>("GET", `/factories/default/webhooks/${two.uid}`)).has_newer_secret,
    ).toBe(false);
  });

  test("is deleted: senders get 404 immediately, automations that select it stay, and a new webhook of its name gets its URL", async () => {
    const { create, change, call, server, deliver } = kept();
    const made = await create({ name: "gone" });
    await call("PUT", "/automations/listener", { body: { content: listeningTo("gone") } });
    expect((await change("DELETE", `/webhooks/${made.uid}`)).status).toBe(204);
    expect(await deliver(made.url, made.secret)).toBe(404);
    const { body } = await call<{ triggers: unknown[] }>("GET", "/automations/listener");
    expect(body.triggers).toMatchObject([{ webhooks: [{ uid: null, name: "gone" }] }]);
    expect((await call<Webhook>("GET", `/webhooks/${made.uid}`)).body.status).toBe("deleted");
    for (const [method, rest] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/rotate-secret"],
    ] as const) {
      const again = await call(method, `/webhooks/${made.uid}${rest}`, {
        headers: { "if-match": "*" },
        body: {},
      });
      expect([method, again.status]).toEqual([method, 404]);
    }

    const back = await server.api<Created>("POST", "/factories/default/webhooks", { name: "gone" });
    expect(back.uid).toBe(made.uid);
    expect(back.url).toBe(made.url);
    expect(await deliver(back.url, back.secret)).toBe(202);
  });
});
