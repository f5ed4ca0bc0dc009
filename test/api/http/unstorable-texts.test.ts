import { describe, expect, test } from "vitest";
import { listOperations } from "../../../src/api/document.ts";
import { reportingAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { describedTexts } from "../../given/described-texts.ts";
import { mcpClient } from "../../given/family.ts";
import { sendRaw } from "../../given/raw-http.ts";
import { ADMIN_KEY } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { doorClient, someFacts } from "../../given/workers.ts";

const TEXT = "a\0b";
const stage = sharedByFile(() => serving(FACTORY, {}));
const reporting = sharedByFile(() => reportingAgent());

const operations = listOperations();
/** The paths with every parameter filled in. */
const pathOf = (path: string, value = "x") => path.replace(/\{\w+\}/g, value);

/** Nothing of what is wrong may be found out by the store. */
function expectRefused(answer: { status: number; body: Record<string, unknown> }, field: string): void {
  expect(answer).toMatchObject({ status: 400, body: { title: "The request is not valid", field } });
  expect(answer.body.detail).toContain("NUL character (U+0000)");
  expect(answer.body.remedy).toBe("Remove these characters from the text.");
}

describe("U+0000 is refused with an error that names the place:", () => {
  const withPath = operations.filter(({ path }) => path.includes("{"));
  test.each(withPath.map((each) => [each.operation.operationId, each] as const))(
    "in the path of %s",
    async (_, { method, path }) => {
      const { server } = await stage();
      expectRefused(await ask(server, method.toUpperCase(), pathOf(path, "a%00b")), "path");
    },
  );

  const inQuery = operations.flatMap(({ method, path, operation }) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === "query")
      .map(({ name, style }) => {
        const written = style === "deepObject" ? `${name}[k]` : name;
        return [operation.operationId, written, method, path] as const;
      }),
  );
  test.each(inQuery)("in the query of %s, as %s", async (_, name, method, path) => {
    const { server } = await stage();
    const query = `${encodeURIComponent(name)}=a%00b`;
    expectRefused(await ask(server, method.toUpperCase(), `${pathOf(path)}?${query}`), name);
  });

  const inBody = operations.flatMap(({ method, path, operation }) => {
    const { requestBody } = operation;
    if (!requestBody) return [];
    const texts = describedTexts(requestBody.content["application/json"].schema, TEXT);
    return texts.map((text) => ({ method, path, operation, text, bytes: requestBody["x-bytes"] ?? [] }));
  });
  const isBytes = ({ text, bytes }: (typeof inBody)[number]) =>
    bytes.some((field) => `${text.field.replaceAll(/\[\d+\]/g, "")}.`.startsWith(`${field}.`));

  test.each(
    inBody
      .filter((each) => !isBytes(each))
      .map((each) => [each.operation.operationId, each.text.field, each] as const),
  )("in the body of %s, as %s", async (_, field, { method, path, operation, text }) => {
    const ofRun = operation["x-required-role"] === undefined && operation["x-run-token"] === true;
    const { server, id, token } = ofRun
      ? await reporting()
      : { ...(await stage()), id: "x", token: ADMIN_KEY };
    const answer = await ask(server, method.toUpperCase(), pathOf(path, id), {
      body: text.value,
      key: token,
    });
    expectRefused(answer, field);
  });

  test.each(
    inBody.filter(isBytes).map((each) => [each.operation.operationId, each.text.field, each] as const),
  )("what %s takes as bytes may have it, as %s", async (_, __, { method, path, text }) => {
    const { server } = await stage();
    const answer = await ask(server, method.toUpperCase(), pathOf(path), { body: text.value });
    expect(answer.status).toBeLessThan(500);
    expect(String(answer.body.detail)).not.toContain("cannot be stored");
  });

  test("there are operations of each kind, or nothing was tested", () => {
    const counts = [withPath, inQuery, inBody, inBody.filter(isBytes)].map(({ length }) => length);
    for (const [index, least] of [50, 50, 100, 5].entries()) expect(counts[index]).toBeGreaterThan(least);
  });

  test("in a key of a body", async () => {
    const { server } = await stage();
    const body = { prompt: "Do it.", metadata: { "k\0": "v" } };
    expectRefused(await ask(server, "POST", "/agent/runs", { body }), "metadata.k\\u0000");
  });

  test("also for a caller without a key, before anything is looked up", async () => {
    const { server } = await stage();
    expectRefused(await ask(server, "GET", "/agent/runs/a%00b", { key: "" }), "path");
  });

  test("in the arguments of a tool", async () => {
    const { server } = await stage();
    const { use } = await mcpClient(server, ADMIN_KEY);
    const told = await use("start_agent", { prompt: TEXT });
    expect(told).toMatchObject({ isError: true });
    expect(told.text).toContain('"prompt": expected a string without a NUL character (U+0000)');
  });

  test("in what a worker says of itself and in the paths that it asks for", async () => {
    const { server } = await stage();
    const worker = await doorClient(server);
    const facts = someFacts({ labels: ["a\0"] });
    const claimed = await worker.post("claim", { claim: "c", free: 0, waitMs: 0, facts });
    expectRefused(claimed, "facts.labels[0]");
    const uploaded = await fetch(`${server.url}/api/v1/workers/door/files/a%00b/1/f?process=p`, {
      method: "PUT",
      headers: { authorization: `Bearer ${worker.token}` },
      body: "x",
    });
    expect(uploaded.status).toBe(400);
  });

  test("in a header, where Node itself refuses it", async () => {
    const { server } = await stage();
    const raw = "GET /api/v1/whoami HTTP/1.1\r\nhost: x\r\nx-any: a\0b\r\n\r\n";
    expect((await sendRaw(server.url, [raw], { answers: 1, waitMs: 3_000 })).statuses).toEqual([400]);
  });
});

test("half of a surrogate pair is refused too: SQLite would read it as three characters, and PostgreSQL as one", async () => {
  const { server } = await stage();
  const answer = await ask(server, "POST", "/pauses", { raw: '{"reason":"half \\ud800 of it"}' });
  expect(answer).toMatchObject({ status: 400, body: { field: "reason" } });
  expect(answer.body.detail).toContain("found half of a surrogate pair");
});
