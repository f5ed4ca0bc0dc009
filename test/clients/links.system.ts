import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { askAsPython } from "../given/other-clients.ts";
import { clientStage } from "./stage.ts";

const stage = sharedByFile(clientStage);

interface ArtifactDetails {
  artifact_uid: string;
  data: Record<string, string>;
}

const details = (type: string) =>
  stage().ask<ArtifactDetails>("GET", `/agent/artifacts/${stage().artifact(type)}`);

describe("what an answer names is found there", () => {
  test("a file by its download_url, without a key, until it expires", async () => {
    const { artifact_uid, data } = await details("FILE");
    expect(artifact_uid).toBe(stage().artifact("FILE"));
    expect(data.content_type).toMatch(/^text\/plain/);
    expect(Date.parse(data.expires_at ?? "")).toBeGreaterThan(Date.now());
    const answer = await stage().follow(data.download_url ?? "");
    expect([answer.status, await answer.text()]).toEqual([200, "the report"]);
  });

  test("no other file by that link, and none by a link that was changed", async () => {
    const { data } = await details("FILE");
    const good = new URL(data.download_url ?? "");
    const changed = (change: (url: URL) => void) => {
      const url = new URL(good);
      change(url);
      return stage().follow(url.href);
    };
    const plan = stage().artifact("PLAN");
    const statuses = await Promise.all([
      changed((url) => url.searchParams.set("expires", String(Number(url.searchParams.get("expires")) + 60))),
      changed((url) => url.searchParams.set("signature", "A".repeat(43))),
      changed((url) => {
        url.pathname = url.pathname.replace(stage().artifact("FILE"), plan);
      }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test("a file by the attachment of a handoff", async () => {
    const { attachments } = await stage().ask<{ attachments: Record<string, string>[] }>(
      "GET",
      `/agent/runs/${stage().left.run_id}/handoff/attachments`,
    );
    expect(attachments).toEqual([
      {
        attachment_id: stage().artifact("FILE"),
        filename: "report.txt",
        mime_type: expect.stringMatching(/^text\/plain/),
        download_url: expect.any(String),
      },
    ]);
    expect(await (await stage().follow(attachments[0]?.download_url ?? "")).text()).toBe("the report");
  });

  test("a plan by its document_uid, with its text", async () => {
    const listed = stage().left.artifacts?.find(({ artifact_type }) => artifact_type === "PLAN");
    const uid = listed?.data.document_uid;
    expect(await stage().ask("GET", `/agent/artifacts/${uid}`)).toMatchObject({
      artifact_uid: uid,
      data: { document_uid: uid, content: "First this.", content_type: "text/markdown" },
    });
  });

  test("links that agents report have every member that clients expect", async () => {
    expect((await details("PULL_REQUEST")).data).toMatchObject({ branch: "", status: "unknown" });
    expect((await details("EXTERNAL_REFERENCE")).data).toMatchObject({ reference_type: "link" });
  });

  test("a conversation by the session of a run that has ended, and the session by a conversation that goes on", async () => {
    const { ask, left, working } = stage();
    expect(await ask("GET", `/agent/sessions/${left.session_id}/redirect`)).toEqual({
      conversation_id: left.conversation_id,
    });
    expect(await ask("GET", `/agent/conversations/${left.conversation_id}/redirect`)).toEqual({});
    const { run_id, session_id, conversation_id } = await working();
    expect(await ask("GET", `/agent/sessions/${session_id}/redirect`)).toEqual({});
    expect(await ask("GET", `/agent/conversations/${conversation_id}/redirect`)).toEqual({ session_id });
    await ask("POST", `/agent/runs/${run_id}/cancel`);
  });

  test("a conversation by its id", async () => {
    const { ask, left, server } = stage();
    const conversation = await ask("GET", `/agent/conversations/${left.conversation_id}`);
    expect(conversation).toEqual(await ask("GET", `/agent/runs/${left.run_id}/conversation`));
    expect(conversation).toMatchObject({ conversation_id: left.conversation_id });
    const url = `${server.url}/api/v1/agent/conversations/${left.conversation_id}`;
    expect((await stage().follow(url)).status).toBe(401);
  });

  test("nothing of any session or conversation without a key, and the same for every id", async () => {
    const { left, server, working, ask } = stage();
    const { run_id, session_id, conversation_id } = await working();
    const unknown = "01a1fe22-6744-70ce-94a0-348515e54587";
    const answers = new Set<string>();
    for (const path of [
      ...[left.session_id, session_id, unknown].map((id) => `sessions/${id}`),
      ...[left.conversation_id, conversation_id, unknown].map((id) => `conversations/${id}`),
    ]) {
      const answer = await stage().follow(`${server.url}/api/v1/agent/${path}/redirect`);
      answers.add(`${answer.status} ${await answer.text()}`);
    }
    expect([...answers]).toEqual(["200 {}"]);
    for (const path of ["sessions/x", "conversations/x"])
      expect((await stage().follow(`${server.url}/api/v1/agent/${path}/redirect`)).status, path).toBe(400);
    await ask("POST", `/agent/runs/${run_id}/cancel`);
  });

  test("the transcript and the next turn of a run by its conversation", async () => {
    const { ask, left, asAdmin, story, server } = stage();
    const url = `${server.url}/api/v1/agent/conversations/${left.conversation_id}/transcript`;
    expect(await (await asAdmin(url)).text()).toContain("KEY is not there");
    const body = { conversation_id: left.conversation_id, prompt: "And once more." };
    expect(await ask("POST", "/agent/runs", body)).toMatchObject({ run_id: left.run_id });
    await story.ended(left.run_id);
    expect(await story.transcript(left.run_id)).toMatch(/KEY is(.|\n)+KEY is/);
  });

  test("nothing for an unknown session or conversation", async () => {
    const unknown = "01a1fe22-6744-70ce-94a0-348515e54587";
    for (const path of [`sessions/${unknown}`, `conversations/${unknown}`, "conversations/x"]) {
      const { status } = await askAsPython(stage().server, "GET", `/agent/${path}/redirect`);
      expect(status, path).toBe(404);
    }
  });

  test("a conversation is continued as it is: what would make another run is refused by name", async () => {
    const { status, text } = await askAsPython(stage().server, "POST", "/agent/runs", {
      conversation_id: stage().left.run_id,
      prompt: "Go on.",
      title: "another",
      config: {},
    });
    expect(status).toBe(422);
    expect(JSON.parse(text).detail).toContain("title, config");
  });

  test("a run by the skill that the list of agents names", async () => {
    const { agents } = await stage().ask<{ agents: { name: string; variants: Record<string, unknown>[] }[] }>(
      "GET",
      "/agent?repo=acme/shop",
    );
    expect(agents).toMatchObject([{ name: "deploy", variants: [{ description: "Deploys the shop." }] }]);
    const id = agents[0]?.variants[0]?.id as string;
    expect(id).toBe("acme/shop:.claude/skills/deploy/SKILL.md");
    const { run_id } = await stage().ask<{ run_id: string }>("POST", "/agent/runs", { skill: id });
    expect(await stage().story.ended(run_id)).toMatchObject({
      state: "SUCCEEDED",
      agent_skill: { name: "deploy" },
    });
    const all = await stage().ask<typeof answer>(
      "GET",
      "/agent?include_malformed_skills=true&sort_by=last_run",
    );
    const answer = { agents };
    expect(all.agents.map(({ name }) => name)).toEqual(["deploy", "broken"]);
    expect(all.agents[1]?.variants[0]?.error).toEqual(expect.any(String));
    expect(all.agents[0]?.variants[0]?.last_run_timestamp).toEqual(expect.any(String));
  });

  test("the environments that have the repository of a skill", async () => {
    const uid = await stage().environment({ name: "shop", github_repos: [{ owner: "acme", repo: "shop" }] });
    expect(await stage().ask("GET", "/agent?repo=acme/shop")).toMatchObject({
      agents: [{ variants: [{ environments: [{ uid, name: "shop" }] }] }],
    });
  });

  test("a repository that nothing lists is not looked into", async () => {
    const { status } = await askAsPython(stage().server, "GET", "/agent?repo=acme/other");
    expect(status).toBe(404);
  });

  test("the ticket of a run by its trigger_url, when it is a web address", async () => {
    const of = async (ticket_url: string) => {
      const { run_id } = await stage().ask<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        metadata: { ticket_url },
      });
      return (await stage().story.run(run_id)).trigger_url;
    };
    expect(await of("https://tickets.example.com/1")).toBe("https://tickets.example.com/1");
    expect(await of("javascript:alert(1)")).toBeUndefined();
  });
});
