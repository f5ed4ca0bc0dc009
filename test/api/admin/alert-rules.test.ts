import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ask, makeKey } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving, twoFactories } from "../../given/serving.ts";

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary?: string; remedy?: string };
}

const RULES = new URL("../../../deploy/prometheus/millrace.rules.yml", import.meta.url);
const { groups } = parse(readFileSync(RULES, "utf8")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const METRIC = /\b(?:millrace|process|nodejs)_\w+/g;

test("the alert rules ask for nothing but what /metrics serves, and say what to do", async () => {
  const { server } = await serving(FACTORY, {});
  const served = await (await server.metrics()).text();
  const families = new Set([...served.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name));
  expect(rules.length).toBeGreaterThan(0);
  for (const { alert, expr, annotations } of rules) {
    for (const [metric] of expr.matchAll(METRIC)) {
      expect(families.has(metric.replace(/_bucket$/, "")), `${alert}: ${metric}`).toBe(true);
    }
    for (const [, label = "", values = ""] of expr.matchAll(/(state|status)=~?"([^"]+)"/g)) {
      for (const value of values.split("|"))
        expect(served, `${alert}: ${label}`).toContain(`${label}="${value}"`);
    }
    expect(annotations.summary && annotations.remedy, alert).toBeTruthy();
  }
});

interface AuditLog {
  audit_log: { action: string; subject: string; factory_uid?: string }[];
}

const stage = sharedByFile(async () => {
  const { server } = await twoFactories();
  const ann = await makeKey(server, { name: "ann", role: "admin" });
  for (const factory of ["acme", "other"]) await server.api("POST", `/factories/${factory}/suspend`);
  await ask(server, "POST", "/agent/runs", { key: ann.key, body: { prompt: "x", factory: "other" } });
  await ask(server, "POST", "/pauses", { key: ann.key, body: { factory: "acme" } });
  const { factories } = await server.api<{ factories: { name: string; uid: string }[] }>("GET", "/factories");
  const uid = factories.find(({ name }) => name === "acme")?.uid ?? "";
  const found = async (query: string) => {
    const { audit_log } = await server.api<AuditLog>("GET", `/audit-log?limit=500&${query}`);
    return audit_log.map(({ action, subject }) => [action, subject].join(" ").trim());
  };
  return { server, uid, found, ann };
});

test("the audit log is filtered by actor, by action and by factory, which a path or a body may name", async () => {
  const { found, uid } = stage();
  expect(await found("actor=ann")).toEqual(["createPause acme", "createRun"]);
  expect(await found("action=suspendFactory")).toEqual(["suspendFactory other", "suspendFactory acme"]);
  expect(await found("factory=acme")).toEqual([
    "createPause acme",
    "suspendFactory acme",
    `syncFactory ${uid}`,
  ]);
  expect(await found(`factory=${uid}&actor=ann`)).toEqual(["createPause acme"]);
  expect((await found("factory=other")).slice(0, 2)).toEqual(["createRun", "suspendFactory other"]);
  expect(await found("since=2100-01-01")).toEqual([]);
  expect((await found("until=2100-01-01&since=2020-01-01")).length).toBeGreaterThan(4);
});

test("a factory that is not there, a cursor of other filters and a wrong time are refused", async () => {
  const { server } = stage();
  const unknown = await ask(server, "GET", "/audit-log?factory=nobody");
  expect(unknown.body).toMatchObject({ status: 404, detail: expect.stringContaining('"nobody"') });
  expect((await ask(server, "GET", "/audit-log?since=yesterday")).status).toBe(400);
  const page = await server.api<{ page_info: { next_cursor: string } }>("GET", "/audit-log?limit=1");
  const cursor = encodeURIComponent(page.page_info.next_cursor);
  expect((await ask(server, "GET", `/audit-log?actor=ann&cursor=${cursor}`)).status).toBe(400);
});

test("the command takes the same filters", async () => {
  const { server } = stage();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed } = await run(["audit", "--actor", "ann", "--factory", "acme", "--since", "1h"], env);
  expect(printed).toMatch(/^WHEN.*\n\d+s ago +ann +createPause +acme +201\n$/);
  const none = await run(["audit", "--action", "nothing"], env);
  expect(none.printed).toBe("No entries match.\n");
});
