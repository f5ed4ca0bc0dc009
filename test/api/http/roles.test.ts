import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listOperations } from "../../../src/api/document.ts";
import type { PlacedOperation } from "../../../src/api/http/operation.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import {
  EMPTY_WITHOUT_KEY,
  NEEDED_ROLE,
  OF_RUN_TOKENS,
  OF_RUN_TOKENS_ALONE,
  OF_THE_SERVER,
  OPEN,
} from "../../given/role-table.ts";
import { waitFor } from "../../given/server.ts";
import { AMPLE_BUDGETS, twoFactories } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

const ROLES = ["viewer", "operator", "admin"] as const;
type Role = (typeof ROLES)[number];

/** Hands the token of its run over, and stays. */
const AGENT = `
  import { writeFileSync } from "node:fs";
  writeFileSync("token", process.env.MILLRACE_RUN_TOKEN);
  setInterval(() => {}, 1000);`;

/** The roles in a description of the API. */
interface Described {
  paths: Record<
    string,
    Record<string, { operationId: string; "x-required-role"?: string; "x-run-token"?: true }>
  >;
}

const stage = sharedByFile(async () => {
  const { server, acme, other } = await twoFactories(
    {},
    { agent: AGENT, env: { ...AMPLE_BUDGETS, MILLRACE_RUN_CONCURRENCY: "4" } },
  );
  const keys = async (factories?: string[]) =>
    Object.fromEntries(
      await Promise.all(
        ROLES.map(async (role) => [role, await aKey(server, { role, ...(factories ? { factories } : {}) })]),
      ),
    ) as Record<Role, string>;
  const start = async () => {
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Stay." });
    const file = join(server.dataDir, "workspaces", run_id, "token");
    const token = await waitFor(() => (existsSync(file) && readFileSync(file, "utf8")) || undefined);
    return { id: run_id, token, session: (await storyOf(server).run(run_id)).session_id ?? "" };
  };
  return {
    server,
    acme,
    other,
    keys: await keys(),
    bound: await keys([other]),
    // Each run may make only so many writing calls in a minute.
    own: [await start(), await start()] as const,
    fresh: await start(),
    another: await start(),
  };
});

const UUID = "01a1fe22-6744-70ce-94a0-348515e54587";
const UID = "AAAAAAAAAAAAAAAAAAAAAA";

/** Where each parameter of a path leads: to something that is not there, so that nothing is done where somebody may. */
const NOWHERE: Readonly<Record<string, string>> = {
  factory: "nowhere",
  uid: UID,
  runId: UUID,
  scheduleId: UUID,
  artifactUid: UUID,
  sessionUuid: UUID,
  conversationId: UUID,
  delivery_id: UUID,
};

/** Bodies in which nothing is wrong: what is refused then is refused for who asks. Others are sent {}. */
const BODIES: Readonly<Record<string, object>> = {
  adoptWebhook: { uid: UID },
  changeFiles: { files: [{ path: "skills/a/SKILL.md", content: "x" }] },
  createApiKey: { name: "made" },
  createEnvironment: { name: "made" },
  createFactory: { name: "made" },
  createIdentity: { name: "made" },
  createIdentityToken: { audience: "vault.example.com" },
  createPause: { factory: "nowhere" },
  createWebhook: { name: "made", auth_mode: "token" },
  createTask: { title: "Made", conversation_id: UUID },
  createWorker: { name: "made" },
  dispatchRun: { prompt: "Stay." },
  explainOutbound: { event: "definition.applied" },
  explainServerOutbound: { event: "definition.applied" },
  followUp: { message: "Go on." },
  putAutomation: { content: "x" },
  putFile: { content: "x" },
  putNote: { text: "x" },
  reportAnswer: { text: "Done." },
  reportArtifact: { artifact_type: "PULL_REQUEST", data: { url: "https://example.com/1" } },
  reportArtifactFile: { name: "a.txt", data: "YQ==" },
  reportBlocked: { message: "Which one?" },
  reportStatus: { text: "Testing" },
  rollBackFactory: { revision: "0".repeat(40) },
  testFilter: { payload: { go: [true] }, body: {} },
};

/** Queries without which a request is refused whoever asks. */
const NEEDED_QUERY: Readonly<Record<string, string>> = {
  getTaskByConversation: `?conversation_id=${UUID}`,
  getTaskByRun: `?run_id=${UUID}`,
  getCostBreakdown: "?group_by=model",
  getRunBreakdown: "?group_by=model",
  makeDeliveryTest: "?automation=nothing",
  suggestSecretName: "?webhook=made",
};

/** Sends a request that is nothing but authorized. @returns its status */
async function statusOf(
  { method, path, operation: { operationId } }: PlacedOperation,
  key: string,
  places: Readonly<Record<string, string>> = {},
): Promise<number> {
  const target = path.replace(/\{(\w+)\}/g, (_, name) => places[name] ?? NOWHERE[name] ?? "nothing");
  const query = NEEDED_QUERY[operationId] ?? "";
  const stop = new AbortController();
  const answer = await stage().server.fetch(`/api/v1${target}${query}`, {
    method: method.toUpperCase(),
    headers: key === "" ? {} : { authorization: `Bearer ${key}` },
    signal: stop.signal,
    ...(method === "get" || method === "delete" ? {} : { body: JSON.stringify(BODIES[operationId] ?? {}) }),
  });
  stop.abort();
  return answer.status;
}

const operations = listOperations().map((placed) => [placed.operation.operationId, placed] as const);
const closed = operations.filter(([id]) => !OPEN.includes(id));
/** How many roles are not enough: all of them where only the token of a run is. */
const neededBy = (id: string) =>
  OF_RUN_TOKENS_ALONE.includes(id)
    ? ROLES.length
    : ROLES.findIndex((role) => NEEDED_ROLE[role]?.includes(id));

describe("of every operation", () => {
  test("the table says which role it needs, once, or that no key is enough or needed", () => {
    const inTable = [...Object.values(NEEDED_ROLE).flat(), ...OF_RUN_TOKENS_ALONE, ...OPEN].sort();
    expect(inTable).toEqual(operations.map(([id]) => id).sort());
  });

  test("the description that a server gives out says the same", async () => {
    const { body } = await ask<Described>(stage().server, "GET", "/openapi.json", { key: "" });
    const told = Object.values(body.paths).flatMap((item) =>
      Object.values(item).map((each) => [each.operationId, each["x-required-role"], each["x-run-token"]]),
    );
    const needed = (id: string) => (id === "validateFactoryFiles" ? "viewer" : ROLES[neededBy(id)]);
    const forToken = (id: string) => OF_RUN_TOKENS.includes(id) || undefined;
    expect(told).toEqual(operations.map(([id]) => [id, needed(id), forToken(id)]));
  });

  test.each(closed)("%s is refused without a key and with a wrong one", async (id, placed) => {
    const without = EMPTY_WITHOUT_KEY.includes(id) ? 200 : 401;
    expect([await statusOf(placed, ""), await statusOf(placed, "mr_wrong")]).toEqual([without, 401]);
  });

  test.each(closed)("%s is for its role and those above, and for no lower one", async (id, placed) => {
    const outcomes = await Promise.all(
      ROLES.map(async (role) => [role, (await statusOf(placed, stage().keys[role])) === 403]),
    );
    expect(outcomes).toEqual(ROLES.map((role, index) => [role, index < neededBy(id)]));
  });

  test.each(closed)(
    "%s is for a key bound to a factory by the same roles, unless it is the server's",
    async (id, placed) => {
      const outcomes = await Promise.all(
        ROLES.map(async (role) => [role, (await statusOf(placed, stage().bound[role])) === 403]),
      );
      const isOfServer = OF_THE_SERVER.includes(id);
      if (/Secrets?$/.test(id) && !id.startsWith("rotate") && id !== "suggestSecretName") {
        // Whose a secret is, its own tests hold; a role below is refused here as everywhere.
        expect(outcomes.slice(0, neededBy(id)).every(([, isRefused]) => isRefused)).toBe(true);
      } else {
        expect(outcomes).toEqual(ROLES.map((role, index) => [role, isOfServer || index < neededBy(id)]));
      }
    },
  );

  const inFactory = closed.filter(
    ([, { path }]) => path.includes("{factory}") || path.startsWith("/factory/"),
  );

  test.each(inFactory)(
    "%s of a factory does not exist for a key that is bound to another",
    async (_, placed) => {
      const { bound, acme } = stage();
      expect(
        await statusOf(placed, bound.admin, {
          factory: acme,
          ...(placed.path.startsWith("/factory/") ? { uid: acme } : {}),
        }),
      ).toBe(404);
    },
  );

  test.each(closed)("%s is for the token of a run only where the table says so", async (id, placed) => {
    const [first, second] = stage().own;
    const { token } = closed.findIndex(([other]) => other === id) % 2 === 0 ? first : second;
    const isRefused = (await statusOf(placed, token)) === 403;
    expect(isRefused).toBe(!OF_RUN_TOKENS.includes(id));
  });

  const ofRuns = closed.filter(
    ([id, { path }]) =>
      // Which tasks it shows, their own tests hold.
      OF_RUN_TOKENS.includes(id) &&
      path.includes("{") &&
      !path.includes("artifacts/{") &&
      !path.startsWith("/factory/"),
  );

  test.each(ofRuns)("%s shows the token of a run its own and no other", async (_, placed) => {
    const { fresh: own, another } = stage();
    const places = ({ id, session }: typeof own) => ({ runId: id, conversationId: id, sessionUuid: session });
    // What such a run does not have.
    const isMissing = placed.path.endsWith("attachments/{name}") || placed.path.endsWith("/delivery");
    expect(await statusOf(placed, own.token, places(another))).toBe(404);
    if (!isMissing) expect(await statusOf(placed, own.token, places(own))).not.toBe(404);
  });
});

test("what needs no key answers without one", async () => {
  const answers = await Promise.all(
    operations
      .filter(([id]) => OPEN.includes(id) && id !== "validateFactoryFiles")
      .map(async ([id, placed]) => [id, (await statusOf(placed, "")) === 401]),
  );
  expect(answers.filter(([, isRefused]) => isRefused)).toEqual([]);
  expect((await ask(stage().server, "GET", "/openapi.json", { key: "" })).status).toBe(200);
});
