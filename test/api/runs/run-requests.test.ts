import { describe, expect, test } from "vitest";
import { acmeServer, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { serving } from "../../given/serving.ts";
import { type Run, storyOf } from "../../given/story.ts";

const files = {
  ...FACTORY,
  "agents/helper/agent.md":
    "---\nharness: { type: claude-code, model: large }\nsecrets: [A, B]\n---\nYou help.\n",
  "agents/sweeper/agent.md": "---\nmillrace: { priority: batch }\n---\nYou sweep.\n",
};
const stage = sharedByFile(async () => {
  const { server, story } = await serving(files, { A: "1", B: "2" });
  const { agents } = await server.api<{ agents: { name: string; uid: string }[] }>(
    "GET",
    "/agent/identities",
  );
  return { server, story, helper: agents.find(({ name }) => name === "helper")?.uid ?? "" };
});

const create = async (body: object): Promise<Run> => {
  const { server, story } = stage();
  return story.run((await server.api<{ run_id: string }>("POST", "/agent/runs", body)).run_id);
};

describe("a run request", () => {
  test("is answered the same at both of its paths", async () => {
    const { server } = stage();
    for (const path of ["/agent/run", "/agent/runs"]) {
      const { status, body } = await ask(server, "POST", path, { body: { prompt: "p" } });
      expect([status, body]).toEqual([
        200,
        { run_id: body.task_id, task_id: body.run_id, state: "QUEUED", at_capacity: expect.any(Boolean) },
      ]);
    }
  });

  test("inherits how the agent executes, and what it says itself wins", async () => {
    const { helper } = stage();
    const plain = await create({ prompt: "p", agent_identity_uid: helper });
    expect(plain.agent_config).toEqual({
      name: "helper",
      model_id: "large",
      base_prompt: "You help.",
      harness: { type: "claude", model_id: "large" },
    });
    expect(plain.executor).toEqual({ type: "service_account", uid: helper, display_name: "helper" });
    expect(plain.creator.type).toBe("user");
    const own = await create({
      prompt: "p",
      agent_identity_uid: helper,
      config: { model_id: "small", base_prompt: "You wait.", idle_timeout_minutes: 5 },
    });
    expect(own.agent_config).toEqual({
      name: "helper",
      model_id: "small",
      base_prompt: "You wait.",
      idle_timeout_minutes: 5,
      harness: { type: "claude", model_id: "small" },
    });
    const other = await create({
      prompt: "p",
      agent_identity_uid: helper,
      config: { harness: { type: "codex" } },
    });
    expect(other.agent_config.harness).toEqual({ type: "codex" });
    expect(other.agent_config.model_id).toBeUndefined();
  });

  test("has the priority that it asks for, else that of its agent, else that with which its family began", async () => {
    const priorityOf = async (body: object) => (await create({ prompt: "p", ...body })).agent_config.priority;
    expect(await priorityOf({ agent: "sweeper" })).toBe("batch");
    expect(await priorityOf({ agent: "sweeper", config: { priority: "interactive" } })).toBe("interactive");
    expect(await priorityOf({})).toBeUndefined();
    const { run_id: parent_run_id } = await create({ prompt: "p", config: { priority: "interactive" } });
    expect(await priorityOf({ parent_run_id })).toBe("interactive");
    expect(await priorityOf({ parent_run_id, agent: "sweeper" })).toBe("batch");
  });

  test("without an agent goes to the foreman of the only factory that the key reaches", async () => {
    const run = await create({ prompt: "p" });
    expect([run.executor.display_name, run.factory_uid]).toEqual([
      "boss",
      (await stage().story.factory()).uid,
    ]);
  });

  test("is named after its skill, unless it has a name", async () => {
    const skill = "acme/tools:.skills/deploy/SKILL.md";
    const named = await create({ skill });
    expect([named.agent_config.name, named.agent_skill?.name, named.title, named.prompt]).toEqual([
      "deploy",
      "deploy",
      "deploy",
      "",
    ]);
    expect(named.agent_config).toMatchObject({ skill_spec: skill, skills: [skill] });
    const both = await create({
      prompt: "p",
      skill,
      config: { name: "mine", skill_spec: "acme/tools:other" },
    });
    expect([both.agent_config.name, both.agent_config.skill_spec]).toEqual(["mine", skill]);
    const several = await create({ config: { skills: ["acme/tools:one", "acme/tools:two"] } });
    expect(several.agent_config).toMatchObject({ skill_spec: "acme/tools:one", name: "one" });
  });

  test("for something that does not exist ends with an error that names it, and does not run without it", async () => {
    const { story } = stage();
    const { run_id } = await create({
      prompt: "p",
      skill: "acme/tools:deploy",
    });
    expect(await story.ended(run_id)).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining("acme/tools"),
      },
    });
  });

  test("is titled by the first line of its prompt, cut between characters", async () => {
    expect((await create({ prompt: "\n\n  First line  \nsecond" })).title).toBe("First line");
    const cut = await create({ prompt: "😀".repeat(100) });
    expect(cut.title).toBe(`${"😀".repeat(79)}…`);
    expect((await create({ prompt: "p", title: "Mine" })).title).toBe("Mine");
  });

  test("may leave secrets of its agent out, and ask for no others", async () => {
    const { server, helper } = stage();
    const body = { prompt: "p", agent_identity_uid: helper };
    await create({ ...body, config: { secrets: [{ name: "A" }] } });
    const { status, body: problem } = await ask(server, "POST", "/agent/runs", {
      body: { ...body, config: { secrets: [{ name: "A" }, { name: "C" }] } },
    });
    expect([status, problem.field]).toEqual([403, "config.secrets[1].name"]);
  });

  test("of a parent takes over its metadata, key by key, and its place in the tree", async () => {
    const root = await create({ prompt: "p", metadata: { team: "core", ticket: "1" } });
    const child = await create({ prompt: "p", parent_run_id: root.run_id, metadata: { ticket: "2" } });
    const grandchild = await create({ prompt: "p", parent_run_id: child.run_id });
    expect(child.metadata).toEqual({ team: "core", ticket: "2" });
    expect([grandchild.root_run_id, grandchild.parent_run_id]).toEqual([root.run_id, child.run_id]);
    expect(root.root_run_id).toBe(root.run_id);
  });

  test("is refused when its ancestors are as many as a run may have", async () => {
    let parent = await create({ prompt: "p" });
    for (let n = 0; n < 10; n += 1) parent = await create({ prompt: "p", parent_run_id: parent.run_id });
    const body = { prompt: "p", parent_run_id: parent.run_id };
    const { status, body: problem } = await ask(stage().server, "POST", "/agent/runs", { body });
    expect([status, problem.field]).toEqual([400, "parent_run_id"]);
  });

  test("brings files, and images as older clients send them", async () => {
    const { story } = stage();
    const data = Buffer.from("picture").toString("base64");
    const { run_id } = await create({
      prompt: "p",
      attachments: [{ file_name: "a.txt", mime_type: "text/plain", data: "" }],
      images: [{ mime_type: "image/png", data }],
    });
    expect((await story.attachment(run_id, "image-1.png")).toString()).toBe("picture");
    expect(await story.attachment(run_id, "a.txt")).toHaveLength(0);
  });

  test("keeps what the clients of any version send, and takes what asks for nothing", async () => {
    const taken = { mode: "normal", team: true, interactive: false, conversation_id: "", on_behalf_of: "" };
    const config = {
      computer_use_enabled: true,
      worker_host: "",
      memory_stores: [],
      credential_strategy: null,
    };
    const { agent_config } = await create({ prompt: "p", ...taken, config });
    expect(agent_config).toMatchObject({ computer_use_enabled: true });
  });
});

describe("an option of a request that the server does not support", () => {
  test.each<[string, object]>([
    ["team", { team: false }],
    ["on_behalf_of", { on_behalf_of: "ann@example.com" }],
    ["interactive", { interactive: true }],
    ["config.session_sharing", { config: { session_sharing: { public_access: "VIEWER" } } }],
    [
      "config.memory_stores",
      { config: { memory_stores: [{ uid: "u", access: "read_only", instructions: "i" }] } },
    ],
    ["config.inference_providers", { config: { inference_providers: { aws: {} } } }],
    ["config.credential_strategy", { config: { credential_strategy: "CREATOR" } }],
    ["config.experimental", { config: { experimental: { fast: true } } }],
  ])("%s is distinguished from a mistake", async (field, changes) => {
    const { status, body } = await ask(stage().server, "POST", "/agent/runs", {
      body: { prompt: "p", ...changes },
    });
    expect([status, body.field, body.remedy]).toEqual([422, field, expect.stringContaining(field)]);
  });

  test("is named together with all the others", async () => {
    const body = { prompt: "p", team: false, interactive: true, config: { experimental: { fast: true } } };
    const answer = await ask<{ errors: { field: string }[] }>(stage().server, "POST", "/agent/runs", {
      body,
    });
    expect(answer.body.errors.map(({ field }) => field)).toEqual([
      "team",
      "interactive",
      "config.experimental",
    ]);
  });
});

describe("a list", () => {
  test("is walked page by page, each item once, with a cursor of this list only", async () => {
    const server = await acmeServer();
    const story = storyOf(server);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.unshift((await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: `p${n}` })).run_id);
    for (const id of ids) await story.ended(id);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await server.api<{
        runs: { run_id: string }[];
        page_info: { has_next_page: boolean; next_cursor?: string };
      }>("GET", `/agent/runs?limit=2${cursor}`);
      seen.push(...page.runs.map(({ run_id }) => run_id));
      expect(page.page_info.has_next_page).toBe(page.page_info.next_cursor !== undefined);
      cursor = page.page_info.next_cursor ? `&cursor=${page.page_info.next_cursor}` : "";
    } while (cursor !== "");
    expect(seen.sort()).toEqual(ids.sort());
    const { page_info } = await server.api<{ page_info: { next_cursor: string } }>(
      "GET",
      "/agent/runs?limit=2",
    );
    expect(
      (await ask(server, "GET", `/agent/runs?limit=2&state=FAILED&cursor=${page_info.next_cursor}`)).status,
    ).toBe(400);
    expect(
      (await ask(server, "GET", `/agent/runs?cursor=${page_info.next_cursor.replace(/^./, "x")}`)).status,
    ).toBe(400);
  });
});
