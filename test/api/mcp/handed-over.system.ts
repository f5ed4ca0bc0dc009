import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, makeKey } from "../../given/ask.ts";
import { preparingServer } from "../../given/executing.ts";
import { agentWith, mcpClient, serverWithFactoryTools } from "../../given/family.ts";
import { waitFor } from "../../given/server.ts";

/** The foreman hands its token over and stays; whoever it starts shows what it got, and ends. */
const AGENT = `
  import { execFileSync } from "node:child_process";
  import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
  if (readFileSync("prompt.md", "utf8").includes("Help.")) {
    for (const name of ["given.md", "kept.txt"]) console.log(name, readFileSync(name, "utf8"));
    console.log(execFileSync("git", ["branch", "--show-current"], { cwd: "shop", encoding: "utf8" }));
    mkdirSync("artifacts");
    writeFileSync("artifacts/fix.diff", "diff --git a/x b/x");
  } else {
    writeFileSync("token.new", process.env.MILLRACE_RUN_TOKEN);
    renameSync("token.new", "token");
    setInterval(() => {}, 1_000);
  }`;

async function foreman() {
  const files = { "agents/helper/agent.md": agentWith("agentType: IMPLEMENT") };
  const given = await preparingServer(AGENT, { files });
  given.repository.push({ "work.txt": "1" }, { branch: "topic" });
  const id = await given.start();
  const file = join(given.workspaceOf(id), "token");
  const token = await waitFor(() => (existsSync(file) ? readFileSync(file, "utf8") : undefined));
  return { ...given, id, ...(await mcpClient(given.server, token)) };
}

const startedRun = ({ text }: { text: string }) => /Started run (\S+) of helper/.exec(text)?.[1] ?? "";

test("an agent hands texts, its artifacts and a branch to another one, and reads what that leaves", async () => {
  const { use, story } = await foreman();
  await use("report", { kind: "file", name: "kept/kept.txt", text: "kept" });
  const given = {
    ...{ agent: "helper", prompt: "Help.", ref: "topic" },
    files: [{ name: "given.md", text: "given" }],
    artifacts: ["kept/kept.txt"],
  };
  const run = startedRun(await use("start_agent", given));
  expect(startedRun(await use("start_agent", given))).toBe(run);
  const elsewhere = await use("start_agent", { ...given, ref: "main" });
  expect(startedRun(elsewhere)).not.toBe(run);
  const waited = await use("wait_for", { run_ids: [run] });
  expect(waited.text).toContain("FILE: fix.diff (patch) (artifact ");
  expect(await story.transcript(run)).toMatch(/given\.md given\nkept\.txt kept\ntopic\n/);
  const listed = await use("fetch", { run_id: run });
  expect(listed.text).toMatch(/^- FILE \S+ fix\.diff \(patch\)$/);
  const patch = await use("fetch", { run_id: run, artifact: "fix.diff" });
  expect(patch.text).toBe("diff --git a/x b/x");
});

test("an agent is told what is wrong with what it hands over", async () => {
  const { use } = await foreman();
  const start = async (given: object) => {
    const { isError, text } = await use("start_agent", { agent: "helper", prompt: "Help.", ...given });
    return [isError, text];
  };
  const wrong = (text: string) => [true, expect.stringContaining(text)];
  expect(await start({ artifacts: ["x.txt"] })).toEqual(wrong('no file artifact "x.txt"'));
  expect(await start({ ref: "../.." })).toEqual(wrong('"../.." cannot be the name of a branch'));
  expect(await start({ repository: "acme/shop" })).toEqual(wrong("only valid with ref"));
  expect(await start({ files: [{ name: "../x", text: "x" }] })).toEqual(wrong("contains a path"));
  expect(await start({ files: [{ name: "prompt.md", text: "x" }] })).toEqual(wrong("is reserved"));
});

test("an agent reports a branch once, and a patch under a name that says so", async () => {
  const { use, story, id } = await foreman();
  const branch = { kind: "branch", repository: "acme/shop", branch: "fix/total", commit: "0123456789abcdef" };
  const first = await use("report", branch);
  expect((await use("report", branch)).text).toBe(first.text);
  await use("report", { kind: "patch", name: "fix", text: "diff --git a/x b/x" });
  const lacking = await use("report", { kind: "branch", branch: "fix/total" });
  expect([lacking.isError, lacking.text]).toEqual([
    true,
    expect.stringContaining('missing key "repository"'),
  ]);
  for (const name of ["--upload-pack=x", "+main", "#x"]) {
    const unsafe = await use("report", { ...branch, branch: name });
    expect([name, unsafe.isError, unsafe.text]).toEqual([name, true, expect.stringContaining("data.branch")]);
  }
  expect((await story.run(id)).artifacts).toMatchObject([
    {
      artifact_type: "EXTERNAL_REFERENCE",
      data: { reference_type: "branch", repository: "acme/shop", branch: "fix/total" },
    },
    { artifact_type: "FILE", data: { filepath: "fix.patch", kind: "patch" } },
  ]);
  const artifact = /artifact (\S+?)\.?$/m.exec(first.text)?.[1];
  expect((await use("fetch", { artifact })).text).toContain("git fetch origin 'fix/total'");
});

test("a ticket is that of the task, whatever metadata an agent gives to the runs that it starts", async () => {
  const { client, dispatched, startWith } = await serverWithFactoryTools();
  const victim = await dispatched({ title: "Victim", ticket_ref: "linear:V-1" });
  const other = await dispatched({ title: "Other" });
  const metadata = { ticket_source: "linear", ticket_id: "V-1" };
  expect((await startWith(other.token, { agent: "helper", metadata })).status).toBe(200);
  const { use } = await client();
  expect((await use("get_task", { factory_task_uid: "linear:V-1" })).data.title).toBe("Victim");
  const sent = await use("send_task", { factory_task_uid: "linear:V-1", note: "For the victim." });
  expect(sent.data.factory_task_uid).toBe(victim.task);
});

test("a ticket that two factories have is only found in one that is named, and nobody else reads what is sent", async () => {
  const { client, dispatched, server } = await serverWithFactoryTools();
  await ask(server, "POST", "/factories", { body: { name: "apart" } });
  const { key } = await makeKey(server, { name: "apart", role: "operator", factories: ["apart"] });
  const ticket = { ticket_ref: "linear:V-1" };
  const victim = await dispatched({ title: "Victim", ...ticket });
  const body = { prompt: "x", title: "Thief", ...ticket };
  expect((await ask(server, "POST", "/factory/apart/runs", { key, body })).status).toBe(200);
  const { use } = await client();
  for (const name of ["get_task", "complete_task"]) {
    const answer = await use(name, { factory_task_uid: "linear:V-1" });
    expect([answer.isError, answer.text]).toEqual([
      true,
      expect.stringMatching(/^2 tasks have the ticket .*"Thief".*"Victim"|^2 tasks .*"Victim".*"Thief"/),
    ]);
  }
  const sent = await use("send_task", {
    factory_uid: "acme",
    factory_task_uid: "linear:V-1",
    note: "Go on.",
  });
  expect(sent.data.factory_task_uid).toBe(victim.task);
});

test("a message of very many values is refused before its schema is looked at", async () => {
  const { server } = await serverWithFactoryTools();
  const values = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
  const params = { name: "list_tasks", arguments: {}, _meta: values };
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  for (const path of ["/mcp", "/mcp/factory"]) {
    const { status, body: problem } = await ask(server, "POST", path, { headers, body });
    expect([path, status, problem.detail]).toEqual([path, 400, expect.stringContaining("10000 values")]);
  }
});
