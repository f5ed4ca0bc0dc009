import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { refusal, type Step, scriptedServer } from "../given/scripted-server.ts";
import { ADMIN_KEY, run } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const stage = sharedByFile(async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"], { go: [true] }),
  };
  const agent = "console.log('hello'); console.error('oops')";
  const { server, story } = await serving(files, { CI_SECRET: "x" }, { agent });
  const webhook = await story.webhook("ci");
  const delivery = await story.accept(webhook.url, "x", '{"go":true}');
  const ended = await story.endedRunOf(delivery);
  await story.deliver(webhook.url, "wrong", "{}");
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return { webhook, delivery, ended, server, story, millrace: (...args: string[]) => run(args, env) };
});

describe("a reading command", () => {
  test("shows a table to a person, and the API's own shapes to a program", async () => {
    const { millrace, webhook, delivery, ended } = stage();
    const table = await millrace("webhooks", "list");
    expect(table.printed).toMatch(/^NAME +STATUS +MODE +LAST DELIVERY +LAST RUN +SUCCESS +URL$/m);
    expect(table.printed).toMatch(/^ci +active +token +\d+s ago +SUCCEEDED \d+s ago +100% +http/m);
    const { activity, ...shown } = JSON.parse((await millrace("webhooks", "show", "ci", "--json")).printed);
    expect(shown).toEqual(webhook);
    expect(activity).toMatchObject({ uid: webhook.uid, last_run: { run_id: ended.run_id } });
    const page = (await millrace("webhooks", "show", webhook.uid)).printed;
    expect(page).toMatch(/^secret: +CI_SECRET$/m);
    expect(page).toMatch(/^last delivery: Rejected \(auth\) \d+s ago$/m);
    expect(page).toContain(ended.run_id);
    expect((await millrace("automations", "list")).printed).toMatch(
      /^a +yes +boss +SUCCEEDED \d+s ago +100% +webhook ci$/m,
    );
    const automation = (await millrace("automations", "show", "a")).printed;
    expect(automation).toMatch(/^filters: +\{"go":\[true\]\}$/m);
    expect(automation).toMatch(/^success: +100% of the last 1$/m);
    expect(automation).toContain(ended.run_id);
    expect((await millrace("deliveries", "list")).printed).toMatch(
      /^Rejected \(auth\) +ci .*the bearer token does not match$/m,
    );
    expect((await millrace("deliveries", "show", delivery)).printed).toContain(ended.run_id);
    expect((await millrace("runs", "list")).printed).toMatch(/^SUCCEEDED .* CUSTOM_WEBHOOK .* a$/m);
    expect((await millrace("runs", "get", ended.run_id)).printed).toContain("state:      SUCCEEDED");
    expect(JSON.parse((await millrace("runs", "get", ended.run_id, "--json")).printed)).toEqual(ended);
    expect(JSON.parse((await millrace("runs", "show", ended.run_id, "--json")).printed)).toEqual(ended);
    expect((await millrace("status")).printed).toMatch(/^status: +synced$/m);
    expect((await millrace("sync", "acme")).code).toBe(0);
    expect((await millrace("keys", "list")).printed).toMatch(/admin +personal +admin +all/);
    expect((await millrace("secrets", "list")).printed).toMatch(/^CI_SECRET .* webhook acme\/ci$/m);
    expect((await millrace("version")).printed).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse((await millrace("version", "--json")).printed)).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      commit: null,
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
      built_at: null,
    });
  });

  test("takes the factory as an argument or as an option, and states in letters of any case", async () => {
    const { millrace, ended } = stage();
    expect((await millrace("status", "--factory", "acme")).printed).toMatch(/^factory: +acme$/m);
    expect((await millrace("sync", "--factory", "acme")).printed).toMatch(/^status: +synced$/m);
    const { printed } = await millrace("runs", "list", "--state", "failed", "Succeeded");
    expect(printed).toContain(ended.run_id);
    expect((await millrace("runs", "get", ended.run_id)).printed).toMatch(/^took: +(\d+ ms|\d+\.\d s)$/m);
  });

  test("prints an agent's output, after its end or while it runs", async () => {
    const { millrace, ended, story } = stage();
    expect((await millrace("runs", "logs", ended.run_id)).printed.split("\n").sort()).toEqual([
      "",
      "hello",
      "oops",
    ]);
    const followed = await millrace("runs", "logs", "-f", ended.run_id);
    expect(followed).toEqual({ code: 0, printed: "hello\n", said: "oops\n" });
    expect(JSON.parse((await millrace("runs", "logs", ended.run_id, "--json")).printed)).toEqual({
      run_id: ended.run_id,
      transcript: expect.stringContaining("hello\n"),
    });
    // Another test of this file may have started one since.
    const [newest = ended] = await story.runs();
    await story.ended(newest.run_id);
    const latest = await millrace("runs", "logs");
    expect(latest.printed).toContain("hello\n");
    expect(latest.said).toContain(`Run ${newest.run_id}`);
  });
});

describe("a command", () => {
  test("starts runs, makes and revokes keys", async () => {
    const { millrace, story } = stage();
    const id = (await millrace("runs", "create", "--prompt", "Do it.", "--title", "By hand")).printed.trim();
    expect(await story.run(id)).toMatchObject({ title: "By hand" });
    const created = await millrace("keys", "create", "--name", "ci", "--role", "operator", "--kind", "agent");
    expect([created.code, created.printed]).toEqual([0, expect.stringMatching(/^mr_\w{40}\n$/)]);
    const list = JSON.parse((await millrace("keys", "list", "--json")).printed) as {
      id: string;
      name: string;
    }[];
    const key = list.find(({ name }) => name === "ci");
    expect(key).toMatchObject({ kind: "agent", role: "operator" });
    expect((await millrace("keys", "revoke", key?.id ?? "")).code).toBe(0);
  });

  test.each<[string, string[], Record<string, string>, number, string]>([
    [
      "without a key",
      ["runs", "list"],
      { MILLRACE_API_KEY: "" },
      4,
      "The server prints one at its first start",
    ],
    [
      "with a wrong key",
      ["runs", "list"],
      { MILLRACE_API_KEY: "wrong" },
      4,
      "The API key is unknown, expired or revoked.",
    ],
    [
      "without a server",
      ["runs", "list"],
      { MILLRACE_SERVER: "http://127.0.0.1:1" },
      3,
      "The server cannot be reached.",
    ],
    ["for what is not there", ["webhooks", "show", "nobody"], {}, 5, 'has no webhook "nobody"'],
    ["for a run id that is none", ["runs", "get", "nobody"], {}, 2, "at least its first 4 characters"],
    ["for the log of a run id that is none", ["runs", "logs", "RUN_ID"], {}, 2, "`millrace runs list`"],
    [
      "for a run that is not there",
      ["runs", "get", "00000000-0000-7000-8000-000000000000"],
      {},
      5,
      "`millrace runs list`",
    ],
    ["for a factory that is not there", ["status", "nobody"], {}, 5, "`millrace status` shows the factories"],
    [
      "for an automation that is not there",
      ["automations", "show", "x"],
      {},
      5,
      "`millrace automations list`",
    ],
    ["for a key that is not there", ["keys", "revoke", "x"], {}, 5, "`millrace keys list`"],
    ["with a limit that is no number", ["deliveries", "list", "--limit", "abc"], {}, 2, "at least 1"],
    ["with a limit of nothing", ["deliveries", "list", "--limit", "0"], {}, 2, "at least 1"],
    ["with an unknown state", ["runs", "list", "--state", "NOPE"], {}, 2, "Expected one of QUEUED, "],
    [
      "for a secret whose file is not there",
      ["secrets", "set", "A", "--value-file", "/nonexistent"],
      {},
      2,
      "Specify an existing file that you have permission to read.",
    ],
    ["with a missing option", ["keys", "create"], {}, 2, "required option '--name <name>' not specified"],
    ["with an unknown command", ["walk"], {}, 2, "unknown command 'walk'"],
    [
      "with an unknown role",
      ["keys", "create", "--name", "x", "--role", "king"],
      {},
      2,
      "Allowed choices are viewer, operator, admin",
    ],
    ["for a secret without a value", ["secrets", "set", "A"], {}, 2, "The value on standard input is empty."],
  ])("%s reports what happened and what to do", async (_, args, env, code, said) => {
    const { server } = stage();
    const result = await run(args, { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY, ...env });
    expect(result.said).toContain(said);
    expect([result.code, result.printed]).toEqual([code, ""]);
  });
});

describe("what others have written", () => {
  test("is shown where it would move the cursor of a terminal, and not sent there", async () => {
    const { millrace, server } = stage();
    const title = "red \u001b[31m and \u009bmore";
    await server.api("POST", "/agent/runs", { prompt: "p", title });
    const { printed } = await millrace("runs", "list");
    expect(printed).toContain("red \\x1b[31m and \\x9bmore");
    expect(printed).not.toContain("\u001b");
  });
});

const WROTE = "\x1b[31mred\x1b[0m \x1b]0;owned\x07 \x1b]52;c;eA==\x07 \x1b[2J\r\x9b6n\n";

test("only the colours of what an agent writes reach a terminal, and its bytes with --raw", async () => {
  const { server, run: runToEnd } = await serverWithAgent(`process.stdout.write(${JSON.stringify(WROTE)})`);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { run_id } = await runToEnd();
  for (const follow of [[], ["--follow"]]) {
    const { printed } = await run(["runs", "logs", ...follow, run_id], env);
    expect(printed).toBe(
      "\x1b[31mred\x1b[0m \\x1b]0;owned\\x07 \\x1b]52;c;eA==\\x07 \\x1b[2J\\x0d\\x9b6n\n\x1b[0m",
    );
    expect((await run(["runs", "logs", ...follow, "--raw", run_id], env)).printed).toBe(WROTE);
  }
});

const OURS = { "millrace-api": "v1" };

async function listRuns(...steps: Step[]) {
  const { url, received } = await scriptedServer(...steps);
  const result = await run(["runs", "list"], { MILLRACE_SERVER: url, MILLRACE_API_KEY: "x" });
  return { ...result, asked: received.length };
}

test("a command asks again when the server could not answer now", async () => {
  const body = JSON.stringify({ runs: [], page_info: { has_next_page: false } });
  const busy = refusal(503, "service_unavailable", OURS);
  const { code, printed, said, asked } = await listRuns(busy, busy, { headers: OURS, body });
  expect([code, printed, said, asked]).toEqual([0, "No runs yet.\n", "", 3]);
  const never = await listRuns(busy);
  expect([never.code, never.said, never.asked]).toEqual([1, "No.\nNo.\ntrace id t1\n", 3]);
});

test("a command does not retry with something other than a millrace server", async () => {
  const { code, said, asked } = await listRuns(refusal(503, "service_unavailable"));
  expect([code, said, asked]).toEqual([3, expect.stringContaining("Not a millrace server."), 1]);
});
