import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { folderWith } from "../../given/folder.ts";

const PASSWORD = "pulls-and-nothing-else";
const CREDENTIAL = JSON.stringify({ host: "registry.example.com", user: "puller", password: PASSWORD });
const AUTHS = {
  auths: { "registry.example.com": { auth: Buffer.from(`puller:${PASSWORD}`).toString("base64") } },
};
const FILES = {
  "agents/boss/agent.md": "---\nagentType: FOREMAN\nrunner: r\n---\nWork.\n",
  "runners/r.yaml":
    "platform:\n  linux:\n    dockerImage: registry.example.com/agent:1\n    registryCredentialSecretName: PULL\n",
};

/** An engine that keeps its words and its environment, and the file of credentials that it is given, beside itself. */
const engineOf = (version: string) => `#!/bin/sh
[ "$1" = --version ] && { echo "${version}"; exit; }
case "$*" in
  *" run "*|run\\ *)
    here=$(dirname "$0"); cat > /dev/null
    printf '%s\\n' "$@" > "$here/words"; env > "$here/environment"
    while [ $# -gt 0 ]; do
      case "$1" in
        --authfile) cp "$2" "$here/auth"; stat -c '%a %n' "$2" > "$here/place" ;;
        --config) cp "$2/config.json" "$here/auth"; stat -c '%a %n' "$2/config.json" > "$here/place" ;;
      esac
      shift
    done ;;
esac
`;

/** What an engine is given for a run on a runner with a credential. */
async function pulledWith(version: string, secret: string | undefined = CREDENTIAL) {
  const folder = folderWith({ engine: engineOf(version) });
  chmodSync(join(folder, "engine"), 0o755);
  const env = { MILLRACE_SANDBOX: "container", MILLRACE_CONTAINER_COMMAND: join(folder, "engine") };
  const { run, story } = await serverWithAgent("true", { env, files: FILES });
  await story.setSecret("PULL", secret);
  await story.sync();
  const kept = (name: string) => readFileSync(join(folder, name), "utf8");
  return { ended: await run(), kept };
}

describe("the credential of a runner's registry", () => {
  test.each([
    ["podman", "podman version 4.3.1", "--authfile"],
    ["docker", "Docker version 27.1.1", "--config"],
  ])(
    "reaches %s in a file that is gone afterwards, and in no word or variable",
    async (_, version, option) => {
      const { ended, kept } = await pulledWith(version);
      expect(ended).toMatchObject({ state: "SUCCEEDED" });
      expect(kept("words").split("\n")).toContain(option);
      expect(JSON.parse(kept("auth"))).toEqual(AUTHS);
      const encoded = Object.values(AUTHS.auths)[0]?.auth ?? "";
      for (const shown of [kept("words"), kept("environment"), ended.transcript])
        for (const hidden of [PASSWORD, encoded]) expect(shown).not.toContain(hidden);
      const [mode, file = ""] = kept("place").trim().split(" ");
      expect(mode).toBe("600");
      expect(existsSync(file)).toBe(false);
    },
  );

  test("may be written as the engines' own file is", async () => {
    const { kept } = await pulledWith("podman version 4.3.1", JSON.stringify(AUTHS));
    expect(JSON.parse(kept("auth"))).toEqual(AUTHS);
  });

  test("that cannot be read ends the run, and is not shown", async () => {
    const { ended } = await pulledWith("podman version 4.3.1", PASSWORD);
    expect(ended).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringMatching(/secret PULL.*"host".*"user".*"password"/s),
      },
    });
    expect(JSON.stringify(ended)).not.toContain(PASSWORD);
  });

  test("prevents a definition from becoming active while it does not exist", async () => {
    const { story } = await serverWithAgent("true", { files: FILES });
    const { sync } = await story.factory();
    expect(sync.problems).toContainEqual(
      expect.objectContaining({
        code: "FF_INVALID_REFERENCE",
        severity: "error",
        path: "runners/r.yaml",
        line: 4,
        message: expect.stringContaining('"PULL"'),
      }),
    );
    await story.setSecret("PULL", CREDENTIAL);
    await story.sync();
    expect((await story.factory()).sync.status).toBe("synced");
  });
});
