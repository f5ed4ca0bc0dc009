import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { ownAuthority } from "../../given/own-authority.ts";
import { freePort } from "../../given/port.ts";
import { scriptedServer } from "../../given/scripted-server.ts";
import { run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";

interface Finding {
  check: string;
  status: string;
  message: string;
  remedy?: string;
}

const stage = sharedByFile(async () => {
  const { server } = await serving(FACTORY, {});
  const { token } = await server.api<{ token: string }>("POST", "/workers", { name: "builder" });
  return { server, token };
});

/** What the doctor says of a worker's machine. */
async function examined(
  server: string,
  token: string,
  {
    args = [],
    env = {},
    mode = 0o600,
  }: { args?: string[]; env?: Record<string, string>; mode?: number } = {},
) {
  const folder = temporaryFolder();
  const tokenFile = join(folder, "token");
  writeFileSync(tokenFile, token, { mode });
  chmodSync(tokenFile, mode);
  const { code, printed } = await run(
    [
      ...["doctor", "--worker", "--json", "--server", server, "--token-file", tokenFile],
      ...["--data-dir", join(folder, "data"), ...args],
    ],
    { MILLRACE_SANDBOX: "none", MILLRACE_AGENT_COMMAND: process.execPath, ...env },
  );
  const { findings } = JSON.parse(printed) as { findings: Finding[] };
  const of = (check: string) => findings.find((finding) => finding.check === check);
  return { code, findings, of, printed };
}

/** What it says of the server, which is a reason to end with an error. */
async function refusalOf(...asked: Parameters<typeof examined>): Promise<string> {
  const { code, of } = await examined(...asked);
  const { status, message, remedy } = of("server") ?? {};
  expect([code, status]).toEqual([1, "error"]);
  expect(remedy).toMatch(/\w+/);
  return message ?? "";
}

test("the doctor finds nothing wrong with a worker that its server accepts, and the server sees no process", async () => {
  const { server, token } = stage();
  const { code, findings, of, printed } = await examined(`${server.url}/`, token);
  expect(findings.filter(({ status }) => status === "error")).toEqual([]);
  expect(code).toBe(0);
  expect(findings.map(({ check }) => check)).toEqual(
    "git,sandbox,network,memory,harness command,data folder,token,server,clock".split(","),
  );
  expect(of("server")?.message).toContain(`${server.url} accepts the token and version 1`);
  expect(of("data folder")?.message).toContain("the first start creates it");
  expect(of("clock")).toMatchObject({ status: "ok", message: expect.stringContaining("same time") });
  expect(printed).not.toContain(token);
  const { workers } = await server.api<{ workers: { processes: unknown[]; last_seen_at?: unknown }[] }>(
    "GET",
    "/workers",
  );
  expect(workers).toMatchObject([{ processes: [] }]);
});

test("a token that is wrong and one that was revoked are refused, and neither is shown", async () => {
  const { server } = stage();
  const made = await server.api<{ id: string; token: string }>("POST", "/workers", { name: "left" });
  await server.api("DELETE", `/workers/${made.id}`);
  for (const token of [made.token, `mrw_${"x".repeat(40)}`]) {
    expect(await refusalOf(server.url, token)).toContain("does not accept the token");
    expect((await examined(server.url, token)).printed).not.toContain(token);
  }
});

describe("a server that a worker cannot use is named, with what to do:", () => {
  test("one that does not listen", async () => {
    expect(await refusalOf(`http://127.0.0.1:${await freePort()}`, "mrw_x")).toContain(
      "nothing listens there",
    );
  });

  test("one on another machine without TLS, which is not asked", async () => {
    expect(await refusalOf("http://192.0.2.1", "mrw_x")).toContain("unencrypted");
  });

  test("one whose URL is none", async () => {
    expect(await refusalOf("example.com", "mrw_x")).toContain("is not a URL");
  });

  test("one with a certificate of an unknown authority", async () => {
    const { server, token } = stage();
    const authority = ownAuthority();
    const port = await authority.endTls("localhost", Number(new URL(server.url).port));
    expect(await refusalOf(`https://localhost:${port}`, token)).toContain(
      "not signed by an authority that this machine trusts",
    );
  });

  test("one that speaks no TLS", async () => {
    const { server, token } = stage();
    expect(await refusalOf(server.url.replace("http:", "https:"), token)).toContain("no TLS is spoken there");
  });

  test("one behind a proxy that does not listen, whose password is not shown", async () => {
    const env = { HTTPS_PROXY: "http://me:hidden@127.0.0.1:1" };
    const message = await refusalOf("https://millrace.invalid", "mrw_x", { env });
    expect(message).toContain("through the proxy in HTTPS_PROXY");
    expect(message).not.toContain("hidden");
  });

  test.each([
    [
      "redirects",
      { status: 301, headers: { location: "https://there.example.com/" } },
      "redirects to https://there",
    ],
    ["is another program", { status: 409, body: "<html>" }, "Something else than this version of millrace"],
    ["is another program that says OK", { status: 200, body: "{}" }, "Something else than this version"],
    ["is too old", { status: 404, body: '{"detail":"No such path."}' }, "with status 404"],
    [
      "has another version",
      { status: 422, body: '{"detail":"This server uses version 9.","remedy":"Update."}' },
      "This server uses version 9.",
    ],
    ["cannot answer", { status: 503, body: '{"detail":"The disk is full."}' }, "The disk is full."],
  ])("one that %s", async (_, answer, message) => {
    const { url } = await scriptedServer(answer);
    expect(await refusalOf(url, "mrw_x")).toContain(message);
  });
});

test("a clock that differs from that of the server is told, and is no problem", async () => {
  const body = '{"type":"http://x/errors/conflict","detail":"The worker does not have this turn."}';
  const date = new Date(Date.now() - 3_600_000).toUTCString();
  const { url } = await scriptedServer({ status: 409, headers: { date }, body });
  const { code, of } = await examined(url, "mrw_x");
  expect(code).toBe(0);
  expect(of("clock")?.message).toMatch(/the clock of the server is 36\d\d s behind|359\d s behind/);
  expect(of("clock")?.message).toContain("leases do not depend on it");
});

test("a token that others can read is a warning, and a missing or an empty one a reason not to ask the server", async () => {
  const { server, token } = stage();
  const { code, of } = await examined(server.url, token, { mode: 0o644 });
  expect([code, of("token")]).toEqual([
    0,
    expect.objectContaining({ status: "warning", remedy: expect.stringMatching(/^chmod 600 /) }),
  ]);
  const empty = await examined(server.url, " \n");
  expect([empty.code, empty.of("token")?.message, empty.of("server")]).toEqual([
    1,
    expect.stringContaining("is empty"),
    undefined,
  ]);
  const missing = await examined(server.url, token, { args: ["--token-file", "/nowhere/token"] });
  expect(missing.of("token")).toMatchObject({
    status: "error",
    message: expect.stringContaining("cannot be read"),
  });
});

test("a data folder that cannot be made is a problem, and one that is there is examined", async () => {
  const { server, token } = stage();
  const { code, of } = await examined(server.url, token, { args: ["--data-dir", "/dev/null/data"] });
  expect([code, of("data folder")?.status]).toEqual([1, "error"]);
  const there = temporaryFolder();
  const known = await examined(server.url, token, { args: ["--data-dir", there] });
  expect(known.of("data folder")?.message).toBe(`${there} is writable`);
  expect(known.of("worker")?.message).toContain("no worker is running");
  expect(known.of("disk")?.message).toContain("are free");
});

test.each([
  [["--worker"]],
  [["--worker", "--server", "http://127.0.0.1:1"]],
  [["--server", "http://127.0.0.1:1"]],
  [["--token-file", "token"]],
])("doctor %j is refused as a wrong call", async (args) => {
  const { code, said } = await run(["doctor", ...args]);
  expect([code, said]).toEqual([2, expect.stringContaining("--worker --server URL --token-file FILE")]);
});
