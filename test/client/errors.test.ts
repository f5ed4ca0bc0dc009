import { describe, expect, test } from "vitest";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  Millrace,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  PreconditionFailedError,
  RateLimitError,
  UnprocessableEntityError,
} from "../../src/client/client.ts";
import { refusal, type Step, scriptedServer } from "../given/scripted-server.ts";

async function failureOf(step: Step): Promise<unknown> {
  const { url } = await scriptedServer(step);
  const client = new Millrace({ baseUrl: url, apiKey: "k", maxRetries: 0 });
  return client.runs.get("x").catch((error: unknown) => error);
}

describe("a refusal is an error of its status:", () => {
  test.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionDeniedError],
    [404, NotFoundError],
    [405, ApiError],
    [409, ConflictError],
    [412, PreconditionFailedError],
    [413, PayloadTooLargeError],
    [422, UnprocessableEntityError],
    [429, RateLimitError],
    [500, InternalServerError],
    [503, InternalServerError],
  ])("%d", async (status, Class) => {
    const error = await failureOf(refusal(status, "some_code", { "x-more": "yes" }));
    expect(error).toBeInstanceOf(Class);
    expect(error).toBeInstanceOf(ApiError);
    const { name, message, code, traceId, headers, problem, ...rest } = error as ApiError;
    expect({ name, message, code, traceId, status: rest.status }).toEqual({
      name: Class.name,
      message: "No.",
      code: "some_code",
      traceId: "t1",
      status,
    });
    expect([headers.get("x-more"), problem.title]).toEqual(["yes", "No"]);
  });
});

test.each([
  ["a page of a proxy", "<h1>Bad Gateway</h1>"],
  ["nothing", ""],
  ["JSON that is no problem", "[1]"],
])("a refusal of something else than the server (%s) is an error without a code", async (_, body) => {
  const error = await failureOf({ status: 502, headers: { "content-type": "text/html" }, body });
  expect(error).toBeInstanceOf(InternalServerError);
  expect(error).toMatchObject({ message: "The server returned 502", code: undefined, remedy: undefined });
});

test.each(["", ".", ".."])("an id that would lead to another path (%j) is not asked for", async (id) => {
  const { url, received } = await scriptedServer({});
  const client = new Millrace({ baseUrl: url });
  await expect(client.runs.get(id)).rejects.toThrow(TypeError);
  await client.runs.get("a/b?c");
  expect(received.map((request) => request.url)).toEqual(["/api/v1/agent/runs/a%2Fb%3Fc"]);
});

test.each(["localhost:8787", "ftp://x", "http://"])(
  "a server that is not a URL (%s) is refused",
  (baseUrl) => {
    expect(() => new Millrace({ baseUrl })).toThrow("is not a valid server URL");
  },
);
