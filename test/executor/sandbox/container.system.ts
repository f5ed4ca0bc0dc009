import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { container } from "../../../src/executor/sandbox/container.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { type Files, folderWith } from "../../given/folder.ts";

/**
 * An engine as small as can be: asked to run a container, it prints how, each word on a line, then what of its environment
 * it was told to pass on. What a real one makes of it is shown by `npm run test:containers`.
 */
const ENGINE = `#!/bin/sh
case "$*" in
  *" run "*) printf '%s\\n' "$@"; printf 'own is %s\\n' "$(printf %s "$OWN" | tr a-z A-Z)" ;;
esac
`;

/** One that says, as docker does, that it can limit memory. */
const LIMITING = ENGINE.replace("esac", `*" info "*) echo '{"MemoryLimit":true}' ;;\nesac`);

/** What an engine was asked to do for a run of this server. */
async function askedOf(env: Record<string, string> = {}, secret = "OWN", program = ENGINE, more: Files = {}) {
  const engine = join(folderWith({ engine: program }), "engine");
  chmodSync(engine, 0o755);
  const files = { "agents/boss/agent.md": `---\nagentType: FOREMAN\nsecrets: [${secret}]\n---\n`, ...more };
  const settings = {
    MILLRACE_SANDBOX: "container",
    MILLRACE_CONTAINER_COMMAND: `${engine} --storage here`,
    MILLRACE_CONTAINER_OPTIONS: "--ulimit 'nofile=10 20'",
    MILLRACE_CONTAINER_IMAGE: "registry.example.com/agent:1",
    MILLRACE_AGENT_COMMAND: "agent --print",
    ...env,
  };
  const { run, story, server } = await serverWithAgent("", { env: settings, files });
  await story.setSecret(secret, "value-of-own");
  await story.sync();
  return { ended: await run(), server, story };
}

describe("a container", () => {
  test("is made as the settings say: the engine is the command that the settings name, with its options and image", async () => {
    const { ended } = await askedOf({ MILLRACE_RUN_PROCESSES: "77" });
    const words = ended.transcript.split("\n");
    expect(words.slice(0, 3)).toEqual(["--storage", "here", "run"]);
    expect(words).toContain(`millrace-${ended.run_id}`);
    expect(words).toContain(`millrace.run=${ended.run_id}`);
    expect(words).toContainEqual(
      expect.stringMatching(new RegExp(`^type=bind,source=.*/${ended.run_id},target=/workspace$`)),
    );
    for (const word of [
      "--cap-drop=ALL",
      "--security-opt=no-new-privileges",
      "--read-only",
      "--pids-limit=77",
    ])
      expect(words).toContain(word);
    expect(words[words.indexOf("--ulimit") + 1]).toBe("nofile=10 20");
    const image = words.indexOf("registry.example.com/agent:1");
    expect(words.slice(image - 2, image + 2)).toEqual([
      "--entrypoint",
      "agent",
      "registry.example.com/agent:1",
      "--print",
    ]);
  });

  test("is made with the memory and the processors that the settings allow, if its engine can limit them", async () => {
    const settings = { MILLRACE_RUN_MEMORY: "512MiB", MILLRACE_RUN_CPUS: "1.5" };
    const limited = (await askedOf(settings, "OWN", LIMITING)).ended.transcript.split("\n");
    expect(limited).toContain("--memory=536870912b");
    expect(limited).toContain("--cpus=1.5");
    const { ended, story } = await askedOf(settings);
    expect(ended.transcript).not.toMatch(/^--(memory|cpus)/m);
    expect(JSON.stringify(await story.timeline(ended.run_id))).toContain(
      "the container engine does not report that it can limit memory",
    );
  });

  test("gets secrets through the environment of the engine's command, and no word of it holds one", async () => {
    const { transcript } = (await askedOf()).ended;
    const words = transcript.split("\n");
    expect(words[words.indexOf("OWN") - 1]).toBe("--env");
    expect(words).toContain("own is VALUE-OF-OWN");
    expect(transcript).not.toContain("********");
  });

  test("of a server that is no binary has no command for its agent, which the timeline says and the prompt does not name", async () => {
    const { ended, server, story } = await askedOf({ MILLRACE_SANDBOX_NETWORK: "on" });
    expect(JSON.stringify(await story.timeline(ended.run_id))).toContain(
      "The command `millrace agent` is not available in containers",
    );
    expect(ended.transcript).not.toContain("target=/usr/local/bin/millrace");
    const workspace = join(server.dataDir, "workspaces", ended.run_id);
    expect(readFileSync(join(workspace, "prompt.md"), "utf8")).toBe("Do it.\n");
    expect(JSON.parse(readFileSync(join(workspace, "mcp.json"), "utf8"))).toHaveProperty(
      "mcpServers.millrace",
    );
  });

  test("whose network is limited has none but its proxy, whose variables its engine does not get", async () => {
    const network = "millrace: { repositories: optional, network: none }\n";
    const proxied = `${ENGINE}\ncase "$*" in *" run "*) echo "proxy of the engine is [$HTTPS_PROXY]" ;; esac\n`;
    const { ended } = await askedOf({}, "OWN", proxied, withFactoryLines(network));
    const words = ended.transcript.split("\n");
    expect(words[words.indexOf("--network") + 1]).toBe("none");
    for (const target of ["network.sock", "forwarder"])
      expect(words).toContainEqual(
        expect.stringMatching(new RegExp(`^type=bind,source=/.*,target=/run/millrace/${target},readonly$`)),
      );
    expect(words).toContain("HTTPS_PROXY=http://127.0.0.1:3128");
    expect(words).toContain("proxy of the engine is []");
    const image = words.indexOf("registry.example.com/agent:1");
    expect(words.slice(image - 1, image + 1)).toEqual([
      "/run/millrace/forwarder/loader",
      "registry.example.com/agent:1",
    ]);
    expect(ended.transcript).toContain("\nagent\n--print\n");
  });

  test("whose network is limited starts without any where the network of the server's sandbox is off", async () => {
    const settings = { MILLRACE_SANDBOX_NETWORK: "off" };
    const network = "millrace: { repositories: optional, network: none }\n";
    const { ended } = await askedOf(settings, "OWN", ENGINE, withFactoryLines(network));
    const words = ended.transcript.split("\n");
    expect([ended.state, words[words.indexOf("--network") + 1]]).toEqual(["SUCCEEDED", "none"]);
    expect(ended.transcript).not.toContain("HTTPS_PROXY");
  });

  test("finds no services of the server's machine where its engine gives it a proxy", () => {
    const deps = {
      ...{ engine: ["podman"], isPodman: true, image: undefined, users: undefined, network: true },
      ...{ held: { reason: "" }, processes: 10, limits: undefined },
    };
    const finds = (...options: string[]) => container({ ...deps, options }).findsLocalServices;
    expect([finds(), finds("--env", "HTTPS_PROXY=http://proxy"), finds("--network", "own")]).toEqual([
      ...[true, false, false],
    ]);
    vi.stubEnv("HTTPS_PROXY", "http://proxy");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(finds()).toBe(false);
  });

  test.each(["--network=bridge", "--net host", "--pod agents", "--pod-id-file=/x"])(
    "is not made for a run whose network is limited where the settings have %s",
    async (option) => {
      const network = "millrace: { repositories: optional, network: none }\n";
      const settings = { MILLRACE_CONTAINER_OPTIONS: option };
      const { ended } = await askedOf(settings, "OWN", ENGINE, withFactoryLines(network));
      expect(ended).toMatchObject({
        state: "FAILED",
        status_message: {
          error_code: "environment_setup_failed",
          message: expect.stringContaining("MILLRACE_CONTAINER_OPTIONS"),
        },
      });
    },
  );

  test("is not made for a secret whose name would steer the engine", async () => {
    expect((await askedOf({}, "DOCKER_HOST")).ended).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringMatching(/DOCKER_HOST.*different name/),
      },
    });
  });

  test.each(["--volume=/:/host", "-v/:/host", "docker-archive:/etc/x", "a b", "/rootfs", ""])(
    "is not created from %j, which is not an image reference",
    (image) => {
      const sandbox = container({
        engine: ["docker"],
        isPodman: false,
        options: [],
        image: undefined,
        users: undefined,
        network: false,
        held: { reason: "the program socat is not installed" },
        processes: 10,
        limits: undefined,
      });
      const launch = () =>
        sandbox.launch({ runId: "r", workspace: "/w", command: ["agent"], environment: {}, image });
      expect(launch).toThrow(/image.*expected an image reference/);
    },
  );
});
