import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { type ImageEngine, startEngine } from "../given/image-engine.ts";
import { waitFor } from "../given/server.ts";

const PAGE = fileURLToPath(new URL("../../docs/deploying.md", import.meta.url));
const URL_HERE = "http://127.0.0.1:8787";

/** What the page says to type about containers: to build and start it, and in one that runs. */
function typedCommands(): { start: string; inside: string } {
  const [, section = ""] = /^## A container$(.*?)^## /ms.exec(readFileSync(PAGE, "utf8")) ?? [];
  const [start = "", inside = ""] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, text = ""]) => text);
  return { start, inside };
}

const isReady = () =>
  fetch(`${URL_HERE}/readyz`, { headers: { connection: "close" } }).then(
    ({ status }) => status === 200,
    () => false,
  );

const shared = sharedByFile(async () => {
  const engine = startEngine();
  engine.type(typedCommands().start);
  await waitFor(isReady, 60);
  return { engine, inside: (command: string) => engine.type(`docker exec millrace ${command}`).trim() };
});

async function api(engine: ImageEngine, method: string, path: string, body?: object) {
  const [, key = ""] = /^ {2}(\S{20,})$/m.exec(engine.type("docker logs millrace 2>&1")) ?? [];
  const answer = await fetch(`${URL_HERE}/api/v1${path}`, {
    method,
    // What lies between two steps here is longer than a server keeps a quiet connection.
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as Record<string, string>;
}

describe("the image, built and started as its page describes", () => {
  test("serves, and its healthcheck says so", async () => {
    await waitFor(() => shared().engine.isHealthy("millrace"), 60);
    const page = await fetch(URL_HERE, { headers: { accept: "text/html", connection: "close" } });
    expect(page.headers.get("content-type")).toContain("text/html");
  });

  test("is not root, writes to its data alone, and has an init, git and bubblewrap", () => {
    const { inside } = shared();
    expect(inside("id -u")).not.toBe("0");
    expect(inside("sh -c 'touch /app/x /usr/x /home/x 2>&1 || echo refused'")).toContain("refused");
    expect(inside("sh -c 'touch /data/x /tmp/x && echo written'")).toBe("written");
    expect(inside("cat /proc/1/comm")).toBe("tini");
    expect(inside("git --version")).toContain("git version");
    expect(inside("bwrap --version")).toContain("bubblewrap");
    expect(JSON.parse(inside("millrace version --json")).commit).toMatch(/^[0-9a-f]{40}$/);
  });

  test("retains accepted deliveries when another container takes the volume, after a clean stop", async () => {
    const { engine } = shared();
    const { url = "", secret } = await api(engine, "POST", "/factories/default/webhooks", {
      name: "ci",
      auth_mode: "token",
    });
    const sent = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, connection: "close" },
      body: "1",
    });
    expect(sent.status).toBe(202);
    engine.type(typedCommands().inside);
    expect(engine.type("docker inspect --format '{{.State.ExitCode}}' millrace").trim()).toBe("0");
    const key = /^ {2}(\S{20,})$/m.exec(engine.type("docker logs millrace 2>&1"))?.[1] ?? "";
    engine.type("docker rm millrace");
    engine.type(typedCommands().start.split("\n").slice(1).join("\n"));
    await waitFor(isReady, 60);
    const told = engine.type(
      `docker exec --env MILLRACE_API_KEY=${key} millrace millrace deliveries list --json`,
    );
    expect(told).toContain(((await sent.json()) as { delivery_id: string }).delivery_id);
  });

  test("is started by compose.yaml too", async () => {
    const { engine } = shared();
    engine.type("docker rm --force millrace");
    engine.type("docker compose --file deploy/compose.yaml up --detach");
    await waitFor(isReady, 60);
    engine.type("docker compose --file deploy/compose.yaml down");
    expect(await isReady()).toBe(false);
  });
});
