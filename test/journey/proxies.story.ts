import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { serveOverHttp } from "../given/git-http.ts";
import { githubStandIn, TOKEN } from "../given/github-stand-in.ts";
import { ownAuthority } from "../given/own-authority.ts";
import { connectProxy } from "../given/proxies.ts";
import { repositoryWith } from "../given/repository.ts";
import { run, startServer, waitFor } from "../given/server.ts";

const GIT_TOKEN = "a-deploy-token-of-acme";
const PASSWORD = "p@ss:w/rd";
const SHOWN = /p@ss|p%40ss|cEBzczp3/;

/** A company: its git server and its GitHub are known to a proxy alone, and certified by its own authority. */
async function company() {
  const authority = ownAuthority();
  const proxy = await connectProxy("millrace", PASSWORD);
  const git = await serveOverHttp(repositoryWith(FACTORY).url, GIT_TOKEN);
  git.rewrite = () => "/origin.git";
  const github = await githubStandIn();
  const publish = async (name: string, url: string) =>
    proxy.ports.set(name, await authority.endTls(name, Number(new URL(url).port)));
  await publish("git.acme.test", git.url);
  await publish("github.acme.test", github.api);
  const source = `https://git.acme.test${new URL(git.url).pathname}`;
  const folder = folderWith({
    "millrace.yaml": JSON.stringify({
      forges: {
        home: { baseUrl: "https://git.acme.test", token: { env: "FORGE_TOKEN" } },
        other: { baseUrl: "https://other.acme.test", owners: ["other"] },
      },
      factories: [
        {
          source,
          credentials: { token: { env: "GIT_TOKEN" } },
          github: {
            repository: "acme/factory",
            api: "https://github.acme.test/api/v3",
            token: { env: "GITHUB_TOKEN" },
          },
        },
      ],
    }),
  });
  const env: Record<string, string> = {
    GIT_TOKEN,
    FORGE_TOKEN: GIT_TOKEN,
    GITHUB_TOKEN: TOKEN,
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: authority.file,
    MILLRACE_POLL_INTERVAL: "1h",
    MILLRACE_SANDBOX: "none",
  };
  const dataDir = join(temporaryFolder("millrace-data"), "data");
  const args = ["--config", join(folder, "millrace.yaml")];
  const serve = (changes: Record<string, string> = {}) =>
    startServer({ sources: [], dataDir, args, env: { ...env, ...changes } });
  const examine = async (changes: Record<string, string> = {}) => {
    const words = ["doctor", "--json", "--data-dir", dataDir, ...args];
    const { code, printed } = await run(words, { ...env, ...changes });
    const { findings } = JSON.parse(printed) as { findings: Record<string, string>[] };
    const of = (check: string) => findings.find((finding) => finding.check?.startsWith(check));
    return { code, printed, git: of("source "), github: of("github "), forge: of("forge home"), of };
  };
  return { proxy, source, serve, examine };
}

type Company = Awaited<ReturnType<typeof company>>;
type FactoryList = {
  factories: { name: string; sync: { status: string; problems: { code: string; message: string }[] } }[];
};

async function attempted({ serve }: Company, changes: Record<string, string> = {}) {
  const server = await serve(changes);
  const factory = await waitFor(async () => {
    const { factories } = await server.api<FactoryList>("GET", "/factories");
    const isDone = ({ sync }: FactoryList["factories"][number]) =>
      sync.status === "synced" || sync.problems.some(({ code }) => code.startsWith("GIT_"));
    return factories.find(isDone);
  });
  return { server, factory };
}

describe("behind the proxy and the authority of a company", () => {
  test("a repository is read, and GitHub is asked", async () => {
    const acme = await company();
    const { factory, server } = await attempted(acme);
    expect(factory).toMatchObject({ name: "acme", sync: { status: "synced" } });
    await server.stop();
    acme.proxy.asked.length = 0;
    const { code, git, github, forge, of } = await acme.examine();
    expect([git, github, forge, of("forge other")]).toMatchObject([
      { status: "ok", message: `${acme.source} accepts the token` },
      { status: "ok", message: expect.stringContaining("GitHub accepts the token") },
      { status: "ok", message: "https://git.acme.test/acme/shop.git accepts the token" },
      { status: "ok", message: expect.stringContaining("not checked") },
    ]);
    expect(new Set(acme.proxy.asked)).toEqual(new Set(["git.acme.test:443", "github.acme.test:443"]));
    expect(code).toBe(0);
  });

  test("what the proxy refuses is reported without its password", async () => {
    const acme = await company();
    const HTTPS_PROXY = acme.proxy.url.replace("millrace:", "stranger:");
    const { factory, server } = await attempted(acme, { HTTPS_PROXY });
    expect(factory.sync.problems).toContainEqual(
      expect.objectContaining({
        code: "GIT_UNREACHABLE",
        message: expect.stringMatching(/407.*HTTPS_PROXY/s),
      }),
    );
    const { printed, git, github } = await acme.examine({ HTTPS_PROXY });
    for (const finding of [git, github]) {
      expect(finding).toMatchObject({
        status: "warning",
        message: expect.stringMatching(/407.*HTTPS_PROXY/s),
        remedy: expect.stringContaining("docs/deploying.md"),
      });
    }
    expect(server.log() + JSON.stringify(factory) + printed).not.toMatch(SHOWN);
  });

  test("a host that NO_PROXY names is asked without the proxy", async () => {
    const acme = await company();
    const { git, github } = await afterFirstStart(acme, { NO_PROXY: "git.acme.test, .acme.test" });
    expect([git?.status, github?.status]).toEqual(["warning", "warning"]);
    expect(`${git?.message} ${github?.message}`).toMatch(/resolve host.*(ENOTFOUND|EAI_AGAIN)/s);
    expect(acme.proxy.asked).toEqual([]);
  });

  test("a host whose authority is unknown is not believed, and it says how to name the authority", async () => {
    const acme = await company();
    const { git, github } = await afterFirstStart(acme, { NODE_EXTRA_CA_CERTS: "" });
    for (const finding of [git, github])
      expect(finding?.message).toMatch(/certificate.*NODE_EXTRA_CA_CERTS/s);
  });
});

/** What the doctor says of a server that was started once. */
async function afterFirstStart(acme: Company, changes: Record<string, string>) {
  const { server } = await attempted(acme, changes);
  await server.stop();
  return acme.examine(changes);
}

test("the doctor tries credentials before the first start, too", async () => {
  const { git, github, forge } = await (await company()).examine();
  expect([git?.status, github?.status]).toEqual(["ok", "ok"]);
  expect(forge?.message).toContain("not checked");
});

test("the doctor names the credential that is refused and how to fix it, and shows none", async () => {
  const acme = await company();
  await (await attempted(acme)).server.stop();
  const wrong = {
    GIT_TOKEN: "an-old-token",
    GITHUB_TOKEN: "another-old-token",
    FORGE_TOKEN: "the-old-token-of-the-forge",
  };
  const { code, printed, git, github, forge } = await acme.examine(wrong);
  expect(git).toMatchObject({ status: "error", message: expect.stringContaining("refused the token") });
  expect(github).toMatchObject({ status: "error", message: expect.stringContaining("401: Bad credentials") });
  expect(forge).toMatchObject({ status: "error", message: expect.stringContaining("forges.home") });
  for (const finding of [git, github, forge])
    expect(finding?.remedy).toContain("Create a credential with read access at the host");
  expect(code).toBe(1);
  expect(printed).not.toMatch(/old-token/);
});
