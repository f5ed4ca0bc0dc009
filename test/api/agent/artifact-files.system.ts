import { expect, test } from "vitest";
import { reportingAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { ADMIN_KEY } from "../../given/server.ts";

const SECRET = "a-secret-that-nobody-sees";
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a file that an agent stores can be downloaded while it works, and is one with the same in artifacts/", async () => {
  const program =
    'import { mkdirSync } from "node:fs"; mkdirSync("artifacts/out", { recursive: true }); writeFileSync("artifacts/out/a.txt", "one");';
  const { call, server, story, id, end } = await reportingAgent({ program });
  const report = (data: string) =>
    call("POST", "artifact-files", { body: { name: "out/a.txt", data: base64(data) } });
  const stored = await report("one");
  expect(stored).toMatchObject({
    status: 201,
    body: {
      artifact_type: "FILE",
      data: { filepath: "out/a.txt", filename: "a.txt", mime_type: "text/plain" },
    },
  });
  expect((await report("one")).body).toEqual(stored.body);
  const download = `/agent/artifacts/${stored.body.data.artifact_uid}/download`;
  expect((await ask(server, "GET", download)).body.text).toBe("one");
  await report("two");
  end(0);
  expect((await story.ended(id)).artifacts).toHaveLength(2);
});

test("a file that leads out of artifacts/, or is too large, is refused", async () => {
  const { call } = await reportingAgent();
  const report = (name: string, data = "YQ==") => call("POST", "artifact-files", { body: { name, data } });
  for (const name of [
    "../a",
    "/a",
    "a//b",
    "a/./b",
    "a\\b",
    "a\nb",
    "..",
    "a/",
    Array(10).fill("a").join("/"),
  ])
    expect((await report(name)).status, name).toBe(400);
  expect((await report(Array(9).fill("a").join("/"))).status).toBe(201);
  expect((await report("a", base64("x".repeat(1024 * 1024 + 1)))).status).toBe(413);
  expect((await report("a", "no base64")).status).toBe(400);
});

test("a browser saves a file of a run under its name instead of showing it, whatever it is", async () => {
  const { call, server } = await reportingAgent();
  const body = { name: 'out/größe ";x.html', data: base64("<script>1</script>"), mime_type: "text/html" };
  const { artifact_uid: uid } = (await call("POST", "artifact-files", { body })).body.data;
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const { body: found } = await ask(server, "GET", `/agent/artifacts/${uid}`);
  const { pathname, search } = new URL((found.data as { download_url: string }).download_url);
  for (const answer of [
    await server.fetch(`/api/v1/agent/artifacts/${uid}/download`, { headers }),
    await server.fetch(`${pathname}${search}`),
  ])
    expect([
      answer.status,
      ...["content-type", "content-disposition"].map((name) => answer.headers.get(name)),
    ]).toEqual([
      200,
      "text/html",
      `attachment; filename="gr??e \\";x.html"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%22%3Bx.html`,
    ]);
  const attachment = { file_name: "a.html", mime_type: "text/html", data: base64("<script>1</script>") };
  const asked = { prompt: "x", attachments: [attachment], config: { worker_host: "nobody" } };
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", asked);
  const given = await server.fetch(`/api/v1/agent/runs/${run_id}/attachments/a.html`, { headers });
  expect(given.headers.get("content-disposition")).toBe("attachment; filename=a.html");
});

test("a file with a secret says so", async () => {
  const { call } = await reportingAgent({
    files: withFactoryLines("secrets: [HIDDEN]\n"),
    secrets: { HIDDEN: SECRET },
  });
  const body = { name: "a.txt", data: base64(`key=${SECRET}`) };
  expect((await call("POST", "artifact-files", { body })).body.data.contains_secret).toBe(true);
});

test("a run leaves so many files and no more", async () => {
  const { call, story, id } = await reportingAgent();
  const store = (n: number) => call("POST", "artifact-files", { body: { name: `${n}`, data: "YQ==" } });
  const statuses = [];
  for (let n = 0; n < 62; n += 1) statuses.push((await store(n)).status);
  // The limit of writing calls comes before that of artifacts.
  expect([...new Set(statuses)]).toEqual([201, 429]);
  expect((await story.run(id)).artifacts?.length).toBeLessThan(62);
});
