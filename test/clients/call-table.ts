import type { ClientStage } from "./stage.ts";
import { type Call, TASK_CALLS } from "./task-calls.ts";

const SCHEDULE = { name: "Daily Code Review", cron_schedule: "0 9 * * *", enabled: true, prompt: "Review." };
const CONFIG = {
  base_prompt: "You review.",
  computer_use_enabled: true,
  harness: { type: "command" },
  harness_auth_secrets: { claude_auth_secret_name: "NOT_OF_THIS_PROGRAM" },
  idle_timeout_minutes: 1,
  mcp_servers: { foo: { url: "https://example.com", headers: { foo: "string" } } },
  model_id: "model",
  name: "name",
  worker_host: "warp",
};

async function schedule({ client }: ClientStage): Promise<string> {
  return (await client.agent.schedules.create(SCHEDULE)).id;
}

async function identity({ ask }: ClientStage, more: object = {}): Promise<string> {
  return (await ask<{ uid: string }>("POST", "/agent/identities", { name: `agent ${names++}`, ...more })).uid;
}
let names = 0;

/** What the public clients declare as present in answers. */
const RUN = [
  "run_id",
  "task_id",
  "title",
  "state",
  "prompt",
  "created_at",
  "updated_at",
  "finished_at",
  "root_run_id",
];
const AGENT = [
  "uid",
  "name",
  "available",
  "created_at",
  "updated_at",
  "secrets",
  "skills",
  "memory",
  "default_runner_uid",
];
const SCHEDULED = ["id", "name", "cron_schedule", "enabled", "prompt", "created_at", "updated_at"];
const ARTIFACT = ["artifact_type", "artifact_uid", "created_at", "data"];

/** The methods of the clients, each as the suites call it: with what is required, and with everything there is. */
export const CALLS: readonly Call[] = [
  ["agent.list", ["agents"], ({ client }) => client.agent.list()],
  [
    "agent.list, everything",
    ["agents"],
    ({ ask }) => ask("GET", "/agent?include_malformed_skills=true&refresh=true&repo=acme/shop&sort_by=name"),
  ],
  ["agent.run", ["run_id", "task_id", "state"], ({ client }) => client.agent.run({ prompt: "Do it." })],
  [
    "agent.run, everything",
    ["run_id", "task_id", "state"],
    async (each) =>
      each.ask("POST", "/agent/runs", {
        agent_identity_uid: await identity(each),
        attachments: [{ data: "U3RhaW5sZXNz", file_name: "file_name", mime_type: "image/png" }],
        config: CONFIG,
        interactive: false,
        metadata: { foo: "string" },
        mode: "normal",
        parent_run_id: each.left.run_id,
        prompt: "Fix the bug in auth.go",
        team: true,
        title: "title",
      }),
  ],
  [
    "agent.run, in a conversation",
    ["run_id", "task_id", "state"],
    async ({ client, ask }) => {
      const { run_id } = await client.agent.run({ prompt: "Do it." });
      return ask("POST", "/agent/runs", { conversation_id: run_id, prompt: "Go on." });
    },
  ],
  [
    "agent.getArtifact (FILE)",
    ARTIFACT,
    (each) => each.ask("GET", `/agent/artifacts/${each.artifact("FILE")}`),
  ],
  [
    "agent.getArtifact (PLAN)",
    ARTIFACT,
    (each) => each.ask("GET", `/agent/artifacts/${each.artifact("PLAN")}`),
  ],
  ["agent.listEnvironments", ["environments"], ({ ask }) => ask("GET", "/agent/environments?sort_by=name")],
  ["runs.retrieve", RUN, ({ client, left }) => client.agent.runs.retrieve(left.run_id)],
  ["runs.list", ["runs", "page_info"], ({ client }) => client.agent.runs.list()],
  [
    "runs.list, everything",
    ["runs", "page_info"],
    async (each) => {
      const uid = await each.environment({ name: `environment ${names++}` });
      const query = new URLSearchParams({
        ancestor_run_id: each.left.run_id,
        artifact_type: "PLAN",
        created_after: "2019-12-27T18:11:19.117Z",
        created_before: "2099-12-27T18:11:19.117Z",
        creator: "creator",
        environment_id: uid,
        execution_location: "LOCAL",
        executor: "executor",
        limit: "1",
        "metadata[foo]": "string",
        model_id: "model_id",
        name: "name",
        q: "q",
        schedule_id: "schedule_id",
        skill: "skill",
        skill_spec: "skill",
        sort_by: "updated_at",
        sort_order: "asc",
        source: "LINEAR",
        state: "QUEUED",
        updated_after: "2019-12-27T18:11:19.117Z",
      });
      return each.ask("GET", `/agent/runs?${query}`);
    },
  ],
  ["runs.cancel", [], async ({ client, working }) => client.agent.runs.cancel((await working()).run_id)],
  ["runs.getTimeline", ["events"], ({ ask, left }) => ask("GET", `/agent/runs/${left.run_id}/timeline`)],
  [
    "runs.listHandoffAttachments",
    ["attachments"],
    ({ ask, left }) => ask("GET", `/agent/runs/${left.run_id}/handoff/attachments`),
  ],
  [
    "runs.submitFollowup",
    ["followup_id", "outcome"],
    ({ ask, left }) =>
      ask("POST", `/agent/runs/${left.run_id}/followups`, { message: "Go on.", mode: "normal" }),
  ],
  ["schedules.create", SCHEDULED, ({ client }) => client.agent.schedules.create(SCHEDULE)],
  [
    "schedules.create, everything",
    [...SCHEDULED, "agent_uid", "metadata"],
    async (each) =>
      each.ask("POST", "/agent/schedules", {
        ...SCHEDULE,
        agent_config: CONFIG,
        agent_uid: await identity(each),
        metadata: { foo: "string" },
        mode: "normal",
        team: true,
      }),
  ],
  [
    "schedules.retrieve",
    SCHEDULED,
    async (each) => each.client.agent.schedules.retrieve(await schedule(each)),
  ],
  [
    "schedules.update",
    SCHEDULED,
    async (each) => each.client.agent.schedules.update(await schedule(each), SCHEDULE),
  ],
  [
    "schedules.update, everything",
    [...SCHEDULED, "agent_uid", "metadata"],
    async (each) =>
      each.ask("PUT", `/agent/schedules/${await schedule(each)}`, {
        ...SCHEDULE,
        agent_config: CONFIG,
        agent_uid: await identity(each),
        metadata: { foo: "string" },
        mode: "normal",
      }),
  ],
  ["schedules.list", ["schedules"], ({ client }) => client.agent.schedules.list()],
  ["schedules.delete", ["success"], async (each) => each.client.agent.schedules.delete(await schedule(each))],
  ["schedules.pause", SCHEDULED, async (each) => each.client.agent.schedules.pause(await schedule(each))],
  ["schedules.resume", SCHEDULED, async (each) => each.client.agent.schedules.resume(await schedule(each))],
  ["agent.agent.create", AGENT, ({ ask }) => ask("POST", "/agent/identities", { name: `agent ${names++}` })],
  [
    "agent.agent.create, everything",
    [
      ...AGENT,
      "base_model",
      "description",
      "harness",
      "mcp_servers",
      "prompt",
      "worker_host",
      "environment_id",
    ],
    async (each) =>
      each.ask("POST", "/agent/identities", {
        name: `agent ${names++}`,
        agent_type: "CUSTOM",
        base_harness: "command",
        base_model: "base_model",
        credential_strategy: "EXECUTOR",
        default_runner_uid: null,
        description: "description",
        environment_id: await each.environment({ name: `environment ${names++}` }),
        factory_uid: null,
        harness: { type: "command", model_id: "model_id", reasoning_level: "high" },
        harness_auth_secrets: { claude_auth_secret_name: "KEY", codex_auth_secret_name: "KEY" },
        inference_providers: {},
        mcp_servers: { foo: { command: "command", args: ["string"], env: { foo: "string" } } },
        memory: { attached_stores: [], auto_memory: { enabled: false } },
        on_behalf_of_enabled: false,
        prompt: "prompt",
        secrets: [{ name: "name" }],
        skills: ["acme/shop:deploy"],
        worker_host: "warp",
      }),
  ],
  [
    "agent.agent.update, everything",
    [...AGENT, "base_model", "prompt"],
    async (each) =>
      each.ask("PUT", `/agent/identities/${await identity(each)}`, {
        base_model: "base_model",
        description: "description",
        name: `agent ${names++}`,
        prompt: "prompt",
        secrets: [{ name: "name" }],
        skills: ["acme/shop:deploy"],
      }),
  ],
  [
    "agent.agent.update",
    AGENT,
    async (each) => each.ask("PUT", `/agent/identities/${await identity(each)}`, {}),
  ],
  ["agent.agent.list", ["agents"], ({ ask }) => ask("GET", "/agent/identities?factory_uid=acme")],
  ["agent.listModels", ["models"], ({ ask }) => ask("GET", "/agent/models")],
  ["agent.agent.get", AGENT, async (each) => each.ask("GET", `/agent/identities/${await identity(each)}`)],
  ["agent.agent.delete", [], async (each) => each.ask("DELETE", `/agent/identities/${await identity(each)}`)],
  [
    "sessions.checkRedirect",
    ["conversation_id"],
    async ({ ask, left, story }) => {
      // Another call may have sent it a message.
      await story.ended(left.run_id);
      return ask("GET", `/agent/sessions/${left.session_id}/redirect`);
    },
  ],
  [
    "conversations.retrieve",
    ["conversation_id", "steps"],
    ({ ask, left }) => ask("GET", `/agent/conversations/${left.conversation_id}`),
  ],
  [
    "conversations.checkRedirect",
    [],
    ({ ask, left }) => ask("GET", `/agent/conversations/${left.conversation_id}/redirect`),
  ],
  [
    "conversations.submitFollowup",
    ["followup_id", "outcome", "run_id"],
    ({ ask, left }) =>
      ask("POST", `/agent/conversations/${left.conversation_id}/followups`, { message: "Go on." }),
  ],
  ["factories.list", ["factories", "page_info"], ({ ask }) => ask("GET", "/factory")],
  ["factories.retrieve", ["uid", "name"], ({ ask }) => ask("GET", "/factory/acme")],
  [
    "factories.runs.create",
    ["run_id", "factory_uid", "foreman_agent", "state"],
    ({ ask }) => ask("POST", "/factory/acme/runs", { prompt: "Do it.", ticket_ref: "linear:T-1" }),
  ],
  [
    "agent.listConnectedSelfHostedWorkers",
    ["workers"],
    ({ ask }) => ask("GET", "/agent/connected-self-hosted-workers"),
  ],
  ...TASK_CALLS,
  ["factories.files.schemas.list", ["versions"], ({ ask }) => ask("GET", "/factory-files/schemas")],
  [
    "factories.files.schemas.retrieve",
    ["documents"],
    ({ ask }) => ask("GET", "/factory-files/schemas/v1alpha1"),
  ],
  [
    "factories.files.validate",
    ["valid", "diagnostics"],
    ({ ask }) => ask("POST", "/factory-files/validate", { files: [] }),
  ],
];
