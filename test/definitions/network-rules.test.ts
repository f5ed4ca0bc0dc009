import { expect, test } from "vitest";
import { FACTORY, load, withFactoryLines } from "../given/definition.ts";

const runner = (network: string) => ({ "runners/r.yaml": `millrace: { network: ${network} }\n` });
const boss = (lines: string) => ({
  "agents/boss/agent.md": `---\nagentType: FOREMAN\n${lines}\n---\nYou do the work.\n`,
});
const nightly = (network: string) => ({
  "automations/nightly.md": `---
triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: "0 3 * * *" } }]
millrace: { network: ${network} }
---
Do it.
`,
});

async function problemsOf(files: Record<string, string>) {
  const { problems } = await load({ ...FACTORY, ...files });
  return problems.map(({ path, line, message }) => `${path}:${line} ${message}`);
}

test.each([
  ["https://api.example.com", /without a scheme or a path/],
  ["api.example.com:99999", /"99999" is not a number from 1 to 65535/],
  ["*", /network: all/],
  ["a.*.example.com", /can only stand for everything before a domain/],
  ["bücher.example", /ASCII form/],
  ["10.0.0.0/33", /without a scheme or a path/],
  ["2130706433", /a host name, an address or a network is expected/],
  ["0x7f.1", /a host name, an address or a network is expected/],
  ["@nmp", /expected one of @models, @npm/],
  ["host name", /a host name, an address or a network is expected/],
])("the entry %s is refused, with what is expected", async (entry, expected) => {
  const [problem, ...others] = await problemsOf(nightly(`{ allow: [${JSON.stringify(entry)}] }`));
  expect(problem).toMatch(/^automations\/nightly.md:3 network: /);
  expect(problem).toMatch(expected);
  expect(others).toEqual([]);
});

test("entries of every form are accepted", async () => {
  const allow = [
    "api.example.com",
    "*.example.com:8443",
    "localhost:80",
    "10.1.2.3",
    "10.0.0.0/8:5432",
    "[::1]:443",
  ];
  const all = JSON.stringify([...allow, "2001:db8::/32", "_srv.example.com", "@models", "@github"]);
  expect(await problemsOf(nightly(`{ allow: ${all} }`))).toEqual([]);
  expect(await problemsOf(nightly("none"))).toEqual([]);
  expect(await problemsOf(runner("{ allow: [], locked: true }"))).toEqual([]);
});

test("below a locked list, an entry that it does not allow is an error at its place", async () => {
  const factory = withFactoryLines(
    'millrace: { repositories: optional, network: { allow: ["@npm", "*.example.com", "10.0.0.0/8:5432"], locked: true } }\n',
  );
  const refused = (entry: string) =>
    expect.stringContaining(`network: ${entry} is not allowed by the locked list of factory.yaml`);
  expect(
    await problemsOf({ ...factory, ...nightly('{ allow: ["registry.npmjs.org", "a.b.example.com"] }') }),
  ).toEqual([]);
  expect(await problemsOf({ ...factory, ...nightly('{ allow: ["10.2.0.0/16:5432", "@npm"] }') })).toEqual([]);
  expect(await problemsOf({ ...factory, ...nightly("all") })).toEqual([refused("all")]);
  expect(
    await problemsOf({
      ...factory,
      ...nightly('{ allow: ["example.com", "10.2.3.4", "@pip", "x.example.com:22"] }'),
    }),
  ).toEqual(['"example.com"', '"10.2.3.4"', '"@pip"', '"x.example.com:22"'].map(refused));
});

test("the locked list of a runner limits what runs on it, and that of an agent its automations", async () => {
  const files = {
    ...runner('{ allow: ["a.example.com"], locked: true }'),
    ...boss('runner: r\nmillrace: { network: { allow: ["b.example.com"] } }'),
  };
  expect(await problemsOf(files)).toEqual([
    expect.stringMatching(/^agents\/boss.*locked list of runners\/r.yaml/),
  ]);
  const ofAgent = {
    ...boss("millrace: { network: { allow: [], locked: true } }"),
    ...nightly('{ allow: ["@npm"] }'),
  };
  expect(await problemsOf(ofAgent)).toEqual([
    expect.stringMatching(/^automations\/nightly.md:3 .*locked list of agents\/boss\/agent.md/),
  ]);
});

test("a secret is injected into hosts that are named one by one", async () => {
  const inject = (host: string) => boss(`millrace: { inject: { KEY: { hosts: ["${host}"] } } }`);
  expect(await problemsOf(inject("api.example.com:8443"))).toEqual([]);
  for (const host of ["*.example.com", "10.0.0.1", "https://api.example.com"])
    expect(await problemsOf(inject(host))).toEqual([expect.stringContaining(`inject: "${host}"`)]);
});

test("a host that gets a secret and is not allowed is a warning, also by a list of another file", async () => {
  const inject = (hosts: string, network = "") =>
    boss(
      `millrace: { inject: { KEY: { hosts: ${hosts} } }${network === "" ? "" : `, network: ${network}`} }`,
    );
  const warned = expect.stringMatching(
    /^agents\/boss.*does not allow "api.example.com".*KEY is never sent there/,
  );
  expect(await problemsOf(inject('["api.example.com"]'))).toEqual([]);
  expect(await problemsOf(inject('["api.example.com"]', '{ allow: ["*.example.com"] }'))).toEqual([]);
  expect(await problemsOf(inject('["api.example.com"]', '{ allow: ["api.example.com:8443"] }'))).toEqual([
    warned,
  ]);
  expect(await problemsOf(inject('["api.example.com:8443"]', '{ allow: ["api.example.com:8443"] }'))).toEqual(
    [],
  );
  const factory = withFactoryLines("millrace: { repositories: optional, network: none }\n");
  expect(await problemsOf({ ...factory, ...inject('["api.example.com"]') })).toEqual([warned]);
});
