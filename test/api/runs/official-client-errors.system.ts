import OzAPI, { type ClientOptions } from "oz-agent-sdk";
import { expect, test } from "vitest";
import { acmeServer, aKey } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { ozClient } from "../../given/other-clients.ts";
import { type RecordedAnswer, record } from "../../given/recorded-answer.ts";
import { refuseRunsTitled } from "../../given/refuse-runs.ts";
import { scriptedServer } from "../../given/scripted-server.ts";
import { ADMIN_KEY, type Server } from "../../given/server.ts";

const UNKNOWN = "01a1fe22-6744-70ce-94a0-348515e54587";
const TASK = { prompt: "Do it." };

const shared = sharedByFile(() => acmeServer());
const once = (server: Server, options: ClientOptions = {}) => ozClient(server, { maxRetries: 0, ...options });

/** Uses a key of idempotency for another request. */
async function reuseKey(client: OzAPI): Promise<unknown> {
  const headers = { "idempotency-key": "the-same" };
  await client.agent.run(TASK, { headers });
  return client.agent.run({ prompt: "Do something else." }, { headers });
}

/** A server whose budget of wrong keys is used up, and whose database refuses runs that are called "poison". */
async function troubledServer(): Promise<Server> {
  const server = await acmeServer({ env: { MILLRACE_FAILED_AUTH_PER_MINUTE: "1" } });
  await refuseRunsTitled("poison", server);
  await server.fetch("/api/v1/agent/runs", wrongKey);
  return server;
}

const wrongKey = { headers: { authorization: "Bearer mr_wrong" } };
const asAdmin = { authorization: `Bearer ${ADMIN_KEY}` };
const poison = { method: "POST", headers: asAdmin, body: JSON.stringify({ ...TASK, title: "poison" }) };

test.each<[string, number, new (...args: never[]) => Error, string, (server: Server) => Promise<unknown>]>([
  [
    "a request that is wrong",
    400,
    OzAPI.BadRequestError,
    "invalid_request",
    (server) => once(server).agent.runs.list({ limit: 0 }),
  ],
  [
    "a wrong key",
    401,
    OzAPI.AuthenticationError,
    "authentication_required",
    (server) => once(server, { apiKey: "mr_wrong" }).agent.runs.list(),
  ],
  [
    "a role that is not enough",
    403,
    OzAPI.PermissionDeniedError,
    "not_authorized",
    async (server) => once(server, { apiKey: await aKey(server, { role: "viewer" }) }).agent.run(TASK),
  ],
  [
    "an unknown run",
    404,
    OzAPI.NotFoundError,
    "resource_not_found",
    (server) => once(server).agent.runs.retrieve(UNKNOWN),
  ],
  ["a conflict", 409, OzAPI.ConflictError, "conflict", (server) => reuseKey(once(server))],
  [
    "what is not supported",
    422,
    OzAPI.UnprocessableEntityError,
    "operation_not_supported",
    (server) => once(server).agent.run({ ...TASK, config: { experimental: { fast: true } } as never }),
  ],
])("the official client has a class for %s: %i", async (_, status, type, code, call) => {
  const server = shared();
  const error = await call(server).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({
    status,
    error: { type: `${server.url}/errors/${code}`, status, detail: expect.any(String) },
    message: expect.stringContaining(`"status":${status}`),
  });
});

test("the official client has classes for a used up budget and for a failure of the server", async () => {
  const server = await troubledServer();
  const limited = once(server, { apiKey: "mr_wrong" }).agent.runs.list();
  await expect(limited).rejects.toThrow(OzAPI.RateLimitError);
  const failed = once(server).agent.run({ ...TASK, title: "poison" });
  await expect(failed).rejects.toThrow(OzAPI.InternalServerError);
  await expect(failed).rejects.toMatchObject({ status: 500, error: { retryable: true } });
});

/** How often the official client asks a server that gives these answers, and what comes of it. */
async function attempts(...answers: RecordedAnswer[]) {
  const { url, received } = await scriptedServer(...answers);
  const outcome = await new OzAPI({ apiKey: ADMIN_KEY, baseURL: `${url}/api/v1` }).agent.runs
    .cancel(UNKNOWN)
    .catch((error: { status: number }) => error.status);
  return { outcome, retryCounts: received.map(({ headers }) => headers["x-stainless-retry-count"]) };
}

/** The same answer, but for the time that the client is asked to wait. */
function hurried({ headers: { "retry-after": _, ...headers }, ...answer }: RecordedAnswer): RecordedAnswer {
  return { ...answer, headers: { ...headers, "retry-after-ms": "1" } };
}

async function recordedConflict(): Promise<RecordedAnswer> {
  const headers = { ...asAdmin, "idempotency-key": "recorded" };
  const send = (prompt: string) =>
    shared().fetch("/api/v1/agent/runs", { method: "POST", headers, body: JSON.stringify({ prompt }) });
  await send("Do it.");
  return record(await send("Do something else."));
}

test("a conflict that stays one is asked for once, as the server says by x-should-retry", async () => {
  const conflict = await recordedConflict();
  expect([conflict.status, conflict.headers["x-should-retry"]]).toEqual([409, "false"]);
  expect(await attempts(conflict)).toEqual({ outcome: 409, retryCounts: ["0"] });
});

test("a conflict of which the server does not say so is asked for three times", async () => {
  const { headers, ...conflict } = await recordedConflict();
  const { "x-should-retry": _, ...silent } = headers;
  const answer = hurried({ ...conflict, headers: silent });
  expect(await attempts(answer)).toEqual({ outcome: 409, retryCounts: ["0", "1", "2"] });
});

test("a used up budget and a failure are asked for three times, no longer than a minute apart", async () => {
  const server = await troubledServer();
  const limited = await record(await server.fetch("/api/v1/agent/runs", wrongKey));
  const failed = await record(await server.fetch("/api/v1/agent/runs", poison));
  expect([limited.status, failed.status]).toEqual([429, 500]);
  expect(Number(limited.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect(Number(limited.headers["retry-after"])).toBeLessThanOrEqual(60);
  for (const answer of [limited, failed]) {
    const expected = { outcome: answer.status, retryCounts: ["0", "1", "2"] };
    expect(await attempts(hurried(answer))).toEqual(expected);
  }
});

test("what succeeds in the end is what the caller gets", async () => {
  const server = await troubledServer();
  const failed = hurried(await record(await server.fetch("/api/v1/agent/runs", poison)));
  const stays = await acmeServer({ agent: "setInterval(() => {}, 1000);" });
  const { run_id } = await ozClient(stays).agent.run(TASK);
  const path = `/api/v1/agent/runs/${run_id}/cancel`;
  const cancelled = await record(await stays.fetch(path, { method: "POST", headers: asAdmin }));
  expect(await attempts(failed, failed, cancelled)).toEqual({
    outcome: run_id,
    retryCounts: ["0", "1", "2"],
  });
});

test.each([
  ["/api/v1/agent/runs?limit=0", asAdmin, 400],
  ["/api/v1/agent/runs", {}, 401],
  [`/api/v1/agent/runs/${UNKNOWN}`, asAdmin, 404],
])("a refusal that stays one is asked for once: %s", async (path, headers, status) => {
  const refused = await record(await shared().fetch(path, { headers: headers as Record<string, string> }));
  expect(await attempts(refused)).toEqual({ outcome: status, retryCounts: ["0"] });
});
