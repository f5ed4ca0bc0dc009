import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { askAsPython } from "../../given/other-clients.ts";
import { waitFor } from "../../given/server.ts";
import type { Run } from "../../given/story.ts";

/** Stays when it is asked to. */
const AGENT = `
  import { readFileSync } from "node:fs";
  if (readFileSync("prompt.md", "utf8").includes("Stay.")) setInterval(() => {}, 1000);`;
const UNKNOWN = "01a1fe22-6744-70ce-94a0-348515e54587";

const stage = sharedByFile(async () => {
  const { server, story } = await serverWithAgent(AGENT);
  const start = async (body: object): Promise<Run> => {
    const answer = await askAsPython(server, "POST", "/agent/runs", { prompt: "Do it.", ...body });
    const { run_id } = JSON.parse(answer.text);
    return story.ended(run_id);
  };
  const marked = await start({ title: "marked", metadata: { "ticket.id": "T 1&2=é", kind: "fix" } });
  const plain = await start({ title: "plain" });
  return { server, story, marked, plain };
});

async function titles(query: string): Promise<string[]> {
  const { status, contentType, text } = await askAsPython(stage().server, "GET", `/agent/runs?${query}`);
  expect([status, contentType], text).toEqual([200, "application/json; charset=utf-8"]);
  return JSON.parse(text).runs.map(({ title }: Run) => title);
}

describe("the Python client", () => {
  test("starts a run, in the bytes that it sends", async () => {
    const { server, story } = stage();
    const prompt = "Résumé – naïve 🚀\nand more";
    const { status, contentType, text } = await askAsPython(server, "POST", "/agent/runs", { prompt });
    expect([status, contentType]).toEqual([200, "application/json; charset=utf-8"]);
    const { run_id, state } = JSON.parse(text);
    expect(state).toBe("QUEUED");
    expect((await story.ended(run_id)).prompt).toBe(prompt);
  });

  test("gets a run, and lists runs", async () => {
    const { server, marked } = stage();
    const { status, contentType, text } = await askAsPython(server, "GET", `/agent/runs/${marked.run_id}`);
    expect([status, contentType]).toEqual([200, "application/json; charset=utf-8"]);
    expect(JSON.parse(text)).toEqual(marked);
    expect(await titles("")).toContain("marked");
  });

  test("cancels with a media type and no body, and keeps the quotes of the id", async () => {
    const { server, story } = stage();
    const started = await askAsPython(server, "POST", "/agent/runs", { prompt: "Stay." });
    const { run_id } = JSON.parse(started.text);
    await waitFor(async () => (await story.run(run_id)).state === "INPROGRESS");
    const path = `/agent/runs/${run_id}/cancel`;
    expect(await askAsPython(server, "POST", path)).toEqual({
      status: 200,
      contentType: "application/json; charset=utf-8",
      text: `"${run_id}"`,
    });
    expect((await story.ended(run_id)).state).toBe("CANCELLED");
  });

  test("pauses, resumes and deletes a schedule without a body", async () => {
    const { server } = stage();
    const body = { name: "daily", cron_schedule: "@daily", prompt: "Look.", enabled: true };
    const { id } = JSON.parse((await askAsPython(server, "POST", "/agent/schedules", body)).text);
    const path = `/agent/schedules/${id}`;
    expect(JSON.parse((await askAsPython(server, "POST", `${path}/pause`)).text).enabled).toBe(false);
    expect(JSON.parse((await askAsPython(server, "POST", `${path}/resume`)).text).enabled).toBe(true);
    expect((await askAsPython(server, "DELETE", path)).text).toBe('{"success":true}');
  });

  test("reads what went wrong as JSON", async () => {
    const refused = await askAsPython(stage().server, "GET", `/agent/runs/${UNKNOWN}`);
    expect([refused.status, refused.contentType]).toEqual([404, "application/problem+json; charset=utf-8"]);
    expect(JSON.parse(refused.text)).toMatchObject({ status: 404, retryable: false });
    const empty = await askAsPython(stage().server, "POST", "/agent/runs");
    expect(empty.status).toBe(400);
  });
});

describe("a query in the Python client's encoding", () => {
  test.each([
    ["metadata in brackets that are encoded", "metadata%5Bkind%5D=fix", ["marked"]],
    ["a value with a plus for a space", "metadata%5Bticket.id%5D=T+1%262%3D%C3%A9", ["marked"]],
    ["a value with an encoded space", "metadata%5Bticket.id%5D=T%201%262%3D%C3%A9", ["marked"]],
    ["two pairs of metadata", "metadata%5Bkind%5D=fix&metadata%5Bticket.id%5D=other", []],
    ["a key again and again", "state=FAILED&state=SUCCEEDED&q=marked", ["marked"]],
    ["an encoded phrase", "q=marked+do", ["marked"]],
    ["a truth value", "factory_only=false&q=marked", ["marked"]],
  ])("may have %s", async (_, query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test("asks for a page as often as it likes", async () => {
    const { server } = stage();
    const first = JSON.parse((await askAsPython(server, "GET", "/agent/runs?limit=1&sort_by=title")).text);
    const cursor = encodeURIComponent(first.page_info.next_cursor);
    const next = `/agent/runs?limit=1&sort_by=title&cursor=${cursor}`;
    const [once, again] = [await askAsPython(server, "GET", next), await askAsPython(server, "GET", next)];
    expect(JSON.parse(once.text).runs).toEqual(JSON.parse(again.text).runs);
    expect(JSON.parse(once.text).runs).not.toEqual(first.runs);
  });
});

describe("an instant in the Python client's query", () => {
  /** How Python writes an instant by itself: microseconds, and the offset if it has one. */
  const withMicroseconds = (iso: string) => iso.replace("Z", "000");
  /** The same instant, as a clock that is ahead shows it. */
  const ahead = (iso: string, hours: number) =>
    new Date(Date.parse(iso) + hours * 3_600_000).toISOString().replace("Z", "000");

  const FORMS: [string, (iso: string) => string][] = [
    ["an encoded offset", (iso) => `${withMicroseconds(iso)}%2B00:00`],
    ["everything encoded", (iso) => encodeURIComponent(`${withMicroseconds(iso)}+00:00`)],
    ["a bare plus", (iso) => `${withMicroseconds(iso)}+00:00`],
    ["an offset that is not zero", (iso) => `${ahead(iso, 2)}%2B02:00`],
    ["a bare plus that is not zero", (iso) => `${ahead(iso, 5)}+05:00`],
    ["an offset behind", (iso) => `${ahead(iso, -3)}-03:00`],
    ["no offset, which is UTC", withMicroseconds],
    ["milliseconds", (iso) => iso.replace("Z", "+00:00")],
    ["a Z", (iso) => iso],
  ];

  test.each(FORMS)("may have %s", async (_, write) => {
    const { created_at, updated_at } = stage().marked;
    expect(await titles(`q=marked&created_after=${write(created_at)}`)).toEqual(["marked"]);
    expect(await titles(`q=marked&created_before=${write(created_at)}`)).toEqual([]);
    expect(await titles(`q=marked&updated_after=${write(updated_at)}`)).toEqual(["marked"]);
    const later = new Date(Date.parse(created_at) + 1).toISOString();
    expect(await titles(`q=marked&created_after=${write(later)}`)).toEqual([]);
    expect(await titles(`q=marked&created_before=${write(later)}`)).toEqual(["marked"]);
  });

  test("may be a microsecond behind a run", async () => {
    const behind = stage().marked.created_at.replace("Z", "001%2B00:00");
    expect(await titles(`q=marked&created_after=${behind}`)).toEqual([]);
    expect(await titles(`q=marked&created_before=${behind}`)).toEqual(["marked"]);
  });

  test.each(["2026-01-01T00:00:00+00:00", "2026-01-01T00:00:00%2B00:00", "2026-01-01T00%3A00%3A00"])(
    "may be a whole second: %s",
    async (instant) => {
      expect(await titles(`q=marked&created_after=${instant}`)).toEqual(["marked"]);
      expect(await titles(`q=marked&created_before=${instant}`)).toEqual([]);
    },
  );
});
