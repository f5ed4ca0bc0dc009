import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openLocalEndpoints } from "../../../src/executor/network/proxy/local-endpoints.ts";
import { onFinished } from "../../given/cleanup.ts";
import { listening } from "../../given/port.ts";
import { waitFor } from "../../given/server.ts";

type Answer = (response: ServerResponse, asked: { url: string; body: string }) => void;

/** A program's way to a service, which answers as it is told to. */
async function wayTo(answer: Answer) {
  const got: string[] = [];
  const service = createServer(async (asked: IncomingMessage, response) => {
    let body = "";
    for await (const part of asked) body += part;
    got.push(asked.url ?? "");
    answer(response, { url: asked.url ?? "", body });
  });
  const port = await listening(service);
  const url = `http://127.0.0.1:${port}`;
  const injections = [
    {
      name: "KEY",
      placeholder: `millrace-placeholder-${"0".repeat(40)}`,
      value: "key",
      hosts: [`127.0.0.1:${port}`],
    },
  ];
  const proxy = await openLocalEndpoints({ endpoints: [{ name: "model", url }], injections }, () => {});
  onFinished(() => {
    proxy.close();
    service.closeAllConnections();
    service.close();
  });
  const send = (path: string, body?: string | Buffer, headers: Record<string, string> = {}) => {
    const asking = request(`${proxy.origin}/endpoints/model${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": `millrace-placeholder-${"0".repeat(40)}`, ...headers },
    });
    asking.on("error", () => {});
    return asking.end(body);
  };
  /** The status and the whole body. */
  const ask = (...asked: Parameters<typeof send>) =>
    new Promise<string>((resolve, reject) => {
      send(...asked)
        .on("error", reject)
        .on("response", (answered) => {
          let text = `${answered.statusCode} `;
          answered.on("data", (part) => {
            text += part;
          });
          answered.on("error", reject);
          answered.on("end", () => resolve(text));
        });
    });
  return { proxy, send, ask, got };
}

const PROMPT = JSON.stringify({ model: "m", max_tokens: 900, stream: true, messages: ["x".repeat(300)] });
const JSON_TYPE = { "content-type": "application/json" };
const EVENTS = { "content-type": "text/event-stream" };
const USAGE = '{"model":"m","usage":{"input_tokens":100,"output_tokens":20}}';
const IN_PROMPT = Math.ceil(PROMPT.length / 3);

test("an answer that a program does not wait for is read to its end", async () => {
  let finish = () => {};
  const { proxy, send, got } = await wayTo((response) => {
    response.writeHead(200, EVENTS).write('data: {"type":"message_start"}\n\n');
    finish = () => response.end(`data: ${USAGE}\n\n`);
  });
  const asking = send("/v1/messages", PROMPT);
  await new Promise((begun) => asking.once("response", (answer) => answer.once("data", begun)));
  asking.destroy();
  await waitFor(async () => got.length === 1);
  finish();
  await waitFor(async () => proxy.usage().length > 0);
  expect(proxy.usage()).toEqual([
    { model: "m", inputTokens: 100, outputTokens: 20, cachedTokens: 0, costUsd: null },
  ]);
});

test("a request that a program has left before its answer began is counted", async () => {
  let finish = () => {};
  const { proxy, send, got } = await wayTo((response) => {
    finish = () => response.writeHead(200, JSON_TYPE).end(USAGE);
  });
  const asking = send("/v1/messages", PROMPT);
  await waitFor(async () => got.length === 1);
  asking.destroy();
  finish();
  await waitFor(async () => proxy.usage().length > 0);
  expect(proxy.usage()).toMatchObject([{ inputTokens: 100, outputTokens: 20 }]);
});

test("no more than 32 requests wait for their answers at once, and another one can be sent when one has ended", async () => {
  const waiting: ServerResponse[] = [];
  const { proxy, send, ask } = await wayTo((response) => void waiting.push(response));
  for (let call = 0; call < 32; call += 1) send("/v1/messages", PROMPT);
  await waitFor(async () => waiting.length === 32);
  expect(await ask("/v1/messages", PROMPT)).toMatch(/^429 millrace: 32 requests/);
  waiting.shift()?.writeHead(200, JSON_TYPE).end(USAGE);
  await waitFor(async () => proxy.usage().length > 0);
  const another = ask("/v1/messages", PROMPT);
  await waitFor(async () => waiting.length === 32);
  for (const response of waiting) response.writeHead(200, JSON_TYPE).end(USAGE);
  expect(await another).toMatch(/^200 /);
  await waitFor(async () => proxy.usage()[0]?.inputTokens === 3300);
});

test("what is in progress when the program ends is counted as what the model was allowed to write", async () => {
  const { proxy, send, got } = await wayTo(() => {});
  send("/v1/messages", PROMPT);
  await waitFor(async () => got.length === 1);
  proxy.close();
  expect(proxy.usage()).toMatchObject([
    { model: "m", inputTokens: IN_PROMPT, outputTokens: 900, isEstimate: true },
  ]);
});

test.each([
  [
    "a stream of events that tells no usage",
    EVENTS,
    `data: {"delta":{"content":"${"y".repeat(60)}"}}\n\n`,
    20,
  ],
  ["lines that tell no usage", { "content-type": "application/jsonl" }, `{"text":"${"y".repeat(60)}"}\n`, 20],
  ["an answer of an unknown type", { "content-type": "audio/mpeg" }, "y".repeat(60), 20],
])("%s is estimated by its size", async (_, headers, body, outputTokens) => {
  const { proxy, ask } = await wayTo((response) => void response.writeHead(200, headers).end(body));
  await ask("/v1/chat/completions", PROMPT);
  await waitFor(async () => proxy.usage().length > 0);
  expect(proxy.usage()).toEqual([
    { model: "m", inputTokens: IN_PROMPT, outputTokens, cachedTokens: 0, costUsd: null, isEstimate: true },
  ]);
});

test("a stream that the service cuts off keeps the input that it told, and its output is estimated", async () => {
  const start = '{"message":{"model":"m","usage":{"input_tokens":50,"output_tokens":1}}}';
  const { proxy, ask } = await wayTo((response) => {
    response
      .writeHead(200, EVENTS)
      .write(`data: ${start}\n\ndata: {"delta":{"text":"${"y".repeat(60)}"}}\n\n`);
    setImmediate(() => response.destroy());
  });
  await ask("/v1/messages", PROMPT).catch(() => {});
  await waitFor(async () => proxy.usage().length > 0);
  expect(proxy.usage()).toMatchObject([{ inputTokens: 50, outputTokens: 20, isEstimate: true }]);
});

test("an answer that is compressed although nobody asked for that is counted", async () => {
  const { proxy, ask } = await wayTo((response) => {
    response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" }).end(gzipSync(USAGE));
  });
  await ask("/v1/messages", PROMPT);
  await waitFor(async () => proxy.usage().length > 0);
  expect(proxy.usage()).toMatchObject([{ inputTokens: 100, outputTokens: 20 }]);
});

test("a request to a model that is compressed is refused", async () => {
  const { ask, got } = await wayTo((response) => void response.end());
  expect(await ask("/v1/messages", gzipSync(PROMPT), { "content-encoding": "gzip" })).toMatch(
    /^415 millrace: /,
  );
  expect(got).toEqual([]);
});

test.each(["/v1/messages", "//v1//%6dessages/", "/my/own/gateway"])(
  "a request to a model is recognized at %s",
  async (path) => {
    const { proxy, ask } = await wayTo((response) => void response.writeHead(200, EVENTS).end());
    await ask(path, PROMPT);
    await waitFor(async () => proxy.usage().length > 0);
    expect(proxy.usage()).toMatchObject([{ model: "m", inputTokens: IN_PROMPT }]);
  },
);

test("a batch is estimated when it is asked for, and its results count only beyond that", async () => {
  const batch = JSON.stringify({
    requests: Array.from({ length: 5 }, (_, index) => ({
      custom_id: String(index),
      params: { model: "m", max_tokens: 1000, messages: ["x".repeat(300)] },
    })),
  });
  const line = `{"custom_id":"0","result":{"message":{"model":"m","usage":{"input_tokens":80,"output_tokens":1200}}}}\n`;
  const { proxy, ask } = await wayTo((response, { url }) => {
    if (url.endsWith("/results"))
      response.writeHead(200, { "content-type": "application/x-jsonl" }).end(line.repeat(5));
    else response.writeHead(200, JSON_TYPE).end('{"id":"batch","processing_status":"in_progress"}');
  });
  await ask("/v1/messages/batches", batch);
  await waitFor(async () => proxy.usage().length > 0);
  const inputTokens = Math.ceil(batch.length / 3);
  expect(proxy.usage()).toMatchObject([{ inputTokens, outputTokens: 5000, isEstimate: true }]);
  for (let time = 0; time < 2; time += 1) await ask("/v1/messages/batches/batch/results");
  await waitFor(async () => proxy.usage()[0]?.outputTokens === 6000);
  expect(proxy.usage()).toMatchObject([{ inputTokens, outputTokens: 6000 }]);
});

test("a file counts when it is for a batch, and a background response when it is asked for", async () => {
  const form = (purpose: string) =>
    `--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\n${purpose}\r\n--b\r\n` +
    `Content-Disposition: form-data; name="file"; filename="f"\r\n\r\n${'{"max_tokens": 500}\n'.repeat(4)}\r\n--b--\r\n`;
  const { proxy, ask } = await wayTo((response) => void response.writeHead(200, JSON_TYPE).end('{"id":"x"}'));
  await ask("/v1/files", form("assistants"));
  await ask("/v1/files", form("batch"));
  await waitFor(async () => proxy.usage().length > 0);
  expect(proxy.usage()).toMatchObject([{ model: null, outputTokens: 2000 }]);
  const later = JSON.stringify({ model: "m", background: true, max_output_tokens: 70, input: "hello" });
  await ask("/v1/responses", later);
  await waitFor(async () => proxy.usage().length > 1);
  expect(proxy.usage()[1]).toMatchObject({ model: "m", outputTokens: 70, isEstimate: true });
});

test("what is no use of a model is not counted", async () => {
  const { proxy, ask, got } = await wayTo((response, { url }) => {
    response.writeHead(url === "/v1/messages" ? 529 : 200, JSON_TYPE).end('{"id":"x"}');
  });
  await ask("/v1/messages", PROMPT);
  await ask("/v1/messages/count_tokens", PROMPT);
  await ask("/v1/messages", JSON.stringify({ to: "somebody", text: "hello" }));
  await ask("/graphql", JSON.stringify({ query: "{ viewer { login } }" }));
  await ask("/v1/models");
  proxy.close();
  expect([got.length, proxy.usage()]).toEqual([5, []]);
});
