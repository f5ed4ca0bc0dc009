import { describe, expect, test } from "vitest";
import { outboundFile, receiver, serverThatPosts, verified } from "../given/outbound.ts";

describe("the secret of an outbound webhook", () => {
  test("is generated and shown once, and the next request is signed with it", async () => {
    const target = await receiver();
    const { server, factory } = await serverThatPosts({
      ops: outboundFile(target.url, ["definition.applied"]).replace("OUTBOUND", "NOT_SET_YET"),
    });
    const path = `/factories/${factory}/outbound/ops`;
    const missing = await server.api<{ state: string; last_error: string }>("POST", `${path}/test`);
    expect(missing).toMatchObject({
      state: "failed",
      last_error:
        "the secret NOT_SET_YET has no value that the factory may use; set it with `millrace secrets set`",
    });
    const explain = () => server.api<object>("POST", `${path}/explain`, { event: "definition.applied" });
    expect(await explain()).toMatchObject({
      sends: true,
      reason: `It would wait for its secret: ${missing.last_error}.`,
    });
    const { secret, secret_name } = await server.api<Record<string, string>>("POST", `${path}/rotate-secret`);
    expect([secret_name, secret]).toEqual(["NOT_SET_YET", expect.stringMatching(/^whsec_/)]);
    await server.api("POST", `${path}/test`);
    const sent = target.requests.find(({ json }) => json.type === "test");
    expect(verified(sent ?? expect.fail(), secret)).toMatchObject({ type: "test" });
    expect(server.log()).not.toContain(secret);
    expect(JSON.stringify(await server.api("GET", path))).not.toContain(secret);
  });

  test("is in no run, also when the definition grants it to agents", async () => {
    const target = await receiver();
    const { story, server, run } = await serverThatPosts(
      { ops: outboundFile(target.url, ["run.ended"]) },
      {
        agent:
          "console.log(['agents have', process.env.OUTBOUND ?? 'nothing', process.env.CI_OTHER].join(' '));",
        files: {
          "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [OUTBOUND, CI_OTHER]\n---\nDo it.\n",
        },
      },
    );
    await story.setSecret("CI_OTHER", "OTHER");
    const { sync } = await story.sync();
    expect(sync.problems).toContainEqual(
      expect.objectContaining({ code: "FF_SECRET_WITHHELD", path: "outbound/ops.yaml" }),
    );
    expect((await run({ prompt: "Do it.", factory: "acme" })).transcript).toContain(
      "agents have nothing ********",
    );
    const { secrets } = await server.api<{ secrets: { name: string; used_by: { kind: string }[] }[] }>(
      "GET",
      "/secrets",
    );
    expect(secrets.find(({ name }) => name === "OUTBOUND")?.used_by).toContainEqual(
      expect.objectContaining({ kind: "outbound", name: "ops", factory: "acme" }),
    );
  });

  test("of another factory, or of the server, cannot be named by a definition", async () => {
    const target = await receiver();
    const { story, server, factory } = await serverThatPosts({
      ops: outboundFile(target.url, ["run.ended"]).replace("OUTBOUND", "THEIRS"),
    });
    await server.api("PUT", "/secrets/THEIRS", { value: "of-nobody-here", factories: [] });
    await story.sync();
    const sent = await server.api<{ last_error: string }>("POST", `/factories/${factory}/outbound/ops/test`);
    expect(sent.last_error).toContain("the secret THEIRS has no value that the factory may use");
    expect(target.requests).toEqual([]);
  });
});
