import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { agentWith, serverWithFamily } from "../../given/family.ts";
import { ADMIN_KEY } from "../../given/server.ts";

const SECRET = "a-secret-value";
const AS_ADMIN = { headers: { authorization: `Bearer ${ADMIN_KEY}` } };

/** Only the foreman has the secret. */
const FILES = {
  "factory.yaml": String(FACTORY["factory.yaml"]).replace("model: none }", "model: none }, secrets: [TOKEN]"),
  "agents/coder/agent.md": agentWith("agentType: IMPLEMENT"),
};

const stage = sharedByFile(async () => {
  const given = await serverWithFamily(FILES);
  await given.story.setSecret("TOKEN", `${SECRET}\n`);
  await given.story.sync();
  return given;
});

test("an agent's secrets are masked in all that it says to a run that it starts", async () => {
  const { server, root, startWith, tokenOf } = stage();
  const { key } = await root();
  const request = {
    agent: "coder",
    prompt: `Log in with ${SECRET}.`,
    title: `Use ${SECRET}`,
    metadata: { login: SECRET },
  };
  const { run_id: id } = (await startWith(key, request)).body;
  await tokenOf(id);
  const body = { message: `It was ${SECRET}.` };
  expect((await ask(server, "POST", `/agent/runs/${id}/followups`, { key, body })).status).toBe(200);

  const run = await server.api("GET", `/agent/runs/${id}`);
  expect(run).toMatchObject({ title: "Use ********", metadata: { login: "********" } });
  const { messages } = await server.api<{ messages: { text: string }[] }>(
    "GET",
    `/agent/runs/${id}/conversation`,
  );
  expect(messages.map(({ text }) => text)).toEqual([
    expect.stringContaining("Log in with ********."),
    "It was ********.",
  ]);
  expect(JSON.stringify([run, messages])).not.toContain(SECRET);
});

test("an agent's secrets are masked in what it writes to its task", async () => {
  const { server, tokenOf } = stage();
  const { run_id: id, task_uid: task } = await server.api<{ run_id: string; task_uid: string }>(
    "POST",
    "/factory/acme/runs",
    { prompt: "Do it." },
  );
  const path = `/factory/acme/tasks/${task}`;
  const body = { title: `Use ${SECRET}`, description: `Log in with ${SECRET}.` };
  const changed = await ask(server, "PATCH", path, { key: await tokenOf(id), body });
  expect(changed.status).toBe(200);
  expect(await server.api("GET", path)).toMatchObject({
    title: "Use ********",
    description: "Log in with ********.",
  });
});

const inBase64 = (content: string | Buffer) => Buffer.from(content).toString("base64");
const aFile = (content: string | Buffer, file_name = "notes.txt", mime_type = "text/plain") => ({
  ...{ file_name, mime_type },
  data: inBase64(content),
});
/** No text in UTF-8. */
const BINARY = Buffer.from([0x89, 0x50, 0xff, 0xfe]);

describe("a file that an agent hands to a run that it starts", () => {
  test("has the agent's secrets masked if it is text, also beyond what is masked at once", async () => {
    const { server, root, startWith } = stage();
    const { key } = await root();
    const line = "One line of many, with nothing to hide.\n";
    const before = line.repeat(10_000);
    // A secret over the border between two pieces, and one in base64.
    const cut = 128 * 1024 - 5;
    const text = `${before.slice(0, cut)}${SECRET}${before.slice(cut)}Basic ${inBase64(`user:${SECRET}`)}\n`;
    const attachments = [aFile(text, "notes.bin", "application/octet-stream"), aFile("No secret.", "b.txt")];
    const { run_id: id } = (await startWith(key, { agent: "coder", attachments })).body;
    const read = async (name: string) =>
      Buffer.from(
        await (await server.fetch(`/api/v1/agent/runs/${id}/attachments/${name}`, AS_ADMIN)).arrayBuffer(),
      );
    const handed = (await read("notes.bin")).toString();
    expect(handed.slice(cut, cut + 8)).toBe("********");
    expect(handed.slice(0, cut)).toBe(before.slice(0, cut));
    expect(handed).not.toContain(SECRET);
    expect(handed).toMatch(/Basic [A-Za-z0-9+/]*\*{8}/);
    expect((await read("b.txt")).toString()).toBe("No secret.");
  });

  test("arrives byte for byte if it is not text and has no secret, and is refused if it has one", async () => {
    const { server, root, startWith } = stage();
    const { key, id: parent } = await root();
    const clean = await startWith(key, {
      agent: "coder",
      attachments: [aFile(BINARY, "a.png", "image/png")],
    });
    const path = `/api/v1/agent/runs/${clean.body.run_id}/attachments/a.png`;
    expect(Buffer.from(await (await server.fetch(path, AS_ADMIN)).arrayBuffer())).toEqual(BINARY);

    const dirty = Buffer.concat([BINARY, Buffer.from(SECRET), BINARY]);
    const refused = await startWith(key, {
      agent: "coder",
      attachments: [aFile(dirty, "a.png", "image/png")],
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      detail: expect.stringContaining("the file a.png contains a secret of the run"),
      remedy: expect.stringContaining("Remove the secret."),
    });
    const images = [{ mime_type: "image/png", data: inBase64(dirty) }];
    expect((await startWith(key, { agent: "coder", images })).status).toBe(400);
    const { runs } = await server.api<{ runs: object[] }>("GET", `/agent/runs/${parent}/tree`);
    expect(runs).toHaveLength(2);
  });

  test("is refused if its name contains a secret, which the refusal does not repeat", async () => {
    const { root, startWith } = stage();
    const { key } = await root();
    const refused = await startWith(key, { agent: "coder", attachments: [aFile("x", `${SECRET}.txt`)] });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).not.toContain(SECRET);
  });
});

test("what cannot be masked without becoming something else is refused with a secret in it, and not recorded with it", async () => {
  const { server, root, startWith } = stage();
  const { id, key } = await root();
  const file = (mime_type: string) => ({ file_name: "a.txt", mime_type, data: "eA==" });
  const refused = [
    [{ agent: "coder", checkout: { ref: SECRET } }, "checkout.ref"],
    [{ agent: "coder", checkout: { ref: "main", repository: `acme/${SECRET}` } }, "checkout.repository"],
    [{ agent: "coder", attachments: [file(`text/${SECRET}`)] }, "attachments"],
  ] as const;
  for (const [request, field] of refused) {
    const { status, body } = await startWith(key, { prompt: "x", ...request });
    expect([field, status, body]).toMatchObject([field, 400, { field }]);
  }
  expect((await startWith(key, { prompt: "x", agent: SECRET })).status).toBe(409);
  const timeline = JSON.stringify(await server.api("GET", `/agent/runs/${id}/timeline`));
  expect(timeline).toContain("start_refused");
  expect(timeline).not.toContain(SECRET);
});
