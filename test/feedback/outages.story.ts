import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../given/folder.ts";
import { PRIVATE_KEY, TOKEN } from "../given/github-stand-in.ts";
import { pullRequestStage, WITH_TOKEN } from "../given/pull-requests.ts";
import { scriptedServer } from "../given/scripted-server.ts";
import { waitFor } from "../given/server.ts";

const AN_AGENT = { "agents/helper/agent.md": "---\nagentType: CUSTOM\n---\nYou help.\n" };

describe("while GitHub", () => {
  test("is down, everything else continues, and GitHub gets all reports afterwards", async () => {
    const { host, server, story, pull, push, tellOfPull, tellOfPush, checked, status, synced } =
      await pullRequestStage();
    await synced();
    host.instead = (response) => response.writeHead(502).end("<html>Bad gateway</html>");
    const head = pull(1, AN_AGENT);
    expect(await tellOfPull(1)).toMatchObject({ code: 202 });
    const commit = push({ "agents/second/agent.md": AN_AGENT["agents/helper/agent.md"] });
    await tellOfPush();
    await waitFor(async () => (await story.factory()).sync.applied_revision === commit);
    const notice = await waitFor(async () =>
      (await story.factory()).sync.problems.find(({ code }) => code === "FEEDBACK_FAILED"),
    );
    expect(notice).toMatchObject({ severity: "notice", message: expect.stringContaining("502") });
    expect(await (await server.metrics()).text()).toMatch(
      /millrace_feedback_total\{outcome="postponed"\} [1-9]/,
    );
    expect(server.log()).toContain("reporting to the forge failed; retrying");

    host.instead = (response) => response.socket?.destroy();
    await waitFor(() => /other side closed|ECONNRESET/.test(server.log()));
    host.instead = undefined;
    expect(await checked(head)).toMatchObject({ conclusion: "success" });
    await status(commit, "success");
    await waitFor(async () => !JSON.stringify(await story.factory()).includes("FEEDBACK_FAILED"));
  });

  test("limits requests, it gets none for as long as it asks", async () => {
    const { host, pull, tellOfPull, checked, synced, quiet } = await pullRequestStage();
    await synced();
    await quiet();
    let refusedAt = 0;
    host.instead = (response) => {
      refusedAt = Date.now();
      host.instead = undefined;
      response.writeHead(403, { "retry-after": "2", "content-type": "application/json" });
      response.end(JSON.stringify({ message: "You have exceeded a secondary rate limit." }));
    };
    const before = host.requests.length;
    const head = pull(1, AN_AGENT);
    await tellOfPull(1);
    await tellOfPull(1, "synchronize");
    await checked(head);
    expect(host.requests.slice(before + 1).every(({ at }) => at >= refusedAt + 2_000)).toBe(true);
  });

  test("does not answer at all, the server can be stopped", async () => {
    const { host, server, pull, tellOfPull, synced, quiet } = await pullRequestStage();
    await synced();
    await quiet();
    let asked = false;
    host.instead = () => {
      asked = true;
    };
    pull(1, AN_AGENT);
    await tellOfPull(1);
    await waitFor(() => asked);
    // Without an end to the request this would take the half minute that it may.
    expect(await Promise.race([server.stop(), new Promise((end) => setTimeout(end, 15_000, "hangs"))])).toBe(
      0,
    );
  });
});

describe("a check is not lost", () => {
  test("by a server that ends between the hook and the check, nor by one that ends within it", async () => {
    const first = await pullRequestStage();
    const { host, repository, server, synced, quiet } = first;
    await synced();
    await quiet();
    const [one, two] = [first.pull(1, AN_AGENT), first.pull(2, { ...AN_AGENT, "agents/x/agent.md": "X.\n" })];
    let hangs = false;
    host.before = (route) => {
      if (!route.startsWith("PATCH")) return undefined;
      hangs = true;
      return new Promise(() => {});
    };
    await first.tellOfPull(1);
    await first.tellOfPull(2);
    await waitFor(() => hangs);
    await server.kill();
    host.before = () => {};
    expect(host.checkRuns.map(({ status }) => status)).toEqual(["in_progress"]);
    const again = await pullRequestStage({ host, repository, dataDir: server.dataDir });
    expect((await again.checked(one)).conclusion).toBe("success");
    expect((await again.checked(two)).conclusion).toBe("failure");
    // What was begun was gone on with.
    expect(host.checkRuns).toHaveLength(2);
  });

  test("when its hook came while no server was there", async () => {
    const first = await pullRequestStage();
    const { host, repository, server, pull, synced, quiet } = first;
    await synced();
    await quiet();
    await server.stop();
    const head = pull(1, AN_AGENT);
    pull(2, AN_AGENT, { base: "next" });
    const again = await pullRequestStage({ host, repository, dataDir: server.dataDir });
    expect((await again.checked(head)).conclusion).toBe("success");
    await again.quiet();
    expect(host.checkRuns).toHaveLength(1);
  });
});

describe("a credential", () => {
  test("is sent only to the API that the settings name, wherever that redirects", async () => {
    const elsewhere = await scriptedServer({ body: "{}" });
    const { host, server, story, pull, tellOfPull, synced } = await pullRequestStage({ github: WITH_TOKEN });
    await synced();
    host.instead = (response, request) =>
      response.writeHead(307, { location: `${elsewhere.url}${request.url}` }).end();
    pull(1, AN_AGENT);
    await tellOfPull(1);
    const notice = await waitFor(async () =>
      (await story.factory()).sync.problems.find(({ code }) => code === "FEEDBACK_FAILED"),
    );
    expect(notice.message).toContain(`redirects to ${elsewhere.url}`);
    expect(elsewhere.received).toEqual([]);
    expect(server.log() + JSON.stringify(notice)).not.toContain(TOKEN);
  });

  test("that is refused, or repeated in an answer, is not shown; a new one needs no restart", async () => {
    const file = join(temporaryFolder(), "token");
    writeFileSync(file, "an-old-token-of-ann\n");
    const { host, server, story, pull, tellOfPull, status, synced } = await pullRequestStage({
      github: { token: { file } },
    });
    await synced();
    const failing = () =>
      waitFor(async () =>
        (await story.factory()).sync.problems.find(({ code }) => code === "FEEDBACK_FAILED"),
      );
    expect((await failing()).message).toContain("Check the token or the app under github: in millrace.yaml");
    host.instead = (response, request) =>
      response
        .writeHead(403, { "content-type": "application/json" })
        .end(JSON.stringify({ message: `Who is ${request.headers.authorization}?` }));
    const head = pull(1, AN_AGENT);
    await tellOfPull(1);
    await waitFor(() => server.log().includes("Who is Bearer ********"));
    expect(server.log()).not.toContain("an-old-token-of-ann");
    host.instead = undefined;
    writeFileSync(file, TOKEN);
    await status(head, "success");
    expect(server.log()).not.toContain(TOKEN);
  });

  test("that is not a key is reported without being quoted, and one that is missing is named", async () => {
    const file = join(temporaryFolder(), "key");
    const spoilt = PRIVATE_KEY.replaceAll("\n", " ").slice(0, 400);
    writeFileSync(file, spoilt);
    const { server } = await pullRequestStage({ github: { app: { id: 1, privateKey: { file } } } });
    await waitFor(() => server.log().includes("private key of the GitHub app cannot be used"));
    expect(server.log()).not.toContain(spoilt.slice(40, 80));
    writeFileSync(file, "");
    await waitFor(() => server.log().includes(`The credential for GitHub was not found: file ${file}`));
  });
});
