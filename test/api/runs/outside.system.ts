import { describe, expect, test } from "vitest";
import { acmeServer } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { folderWith } from "../../given/folder.ts";
import { ADMIN_KEY, startServer, waitFor } from "../../given/server.ts";
import { silentHost } from "../../given/silent-host.ts";
import { storyOf } from "../../given/story.ts";

/** One server for the tests that change nothing that others look at. */
const shared = sharedByFile(() => acmeServer());

describe("the rest of the outside", () => {
  test("health is told to anybody, readiness as soon as the first attempt at each source has ended", async () => {
    const host = await silentHost();
    const server = await startServer({ sources: [`${host.url}/acme.git`] });
    expect((await server.fetch("/healthz")).status).toBe(200);
    const ready = await server.fetch("/readyz");
    expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
    host.hangUp();
    await waitFor(async () => (await server.fetch("/readyz")).status === 200);
    expect((await storyOf(server).factory()).sync.status).toBe("failed");
  });

  test.each([
    ["a fresh server whose factory it keeps itself", []],
    ["one whose folder holds no definition yet", [{ "README.md": "nothing yet" }]],
  ])("%s is ready", async (_, folders) => {
    const server = await startServer({ sources: folders.map((files) => folderWith(files)) });
    await waitFor(async () => (await server.fetch("/readyz")).status === 200);
  });

  test("the API describes itself, with the names that the public API gives its models", async () => {
    const server = shared();
    const document = (await (await server.fetch("/api/v1/openapi.json")).json()) as {
      openapi: string;
      components: { schemas: object };
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        "RunItem",
        "RunState",
        "RunAgentRequest",
        "RunAgentResponse",
        "ListRunsResponse",
        "PageInfo",
        "RunStatusMessage",
        "RunCreatorInfo",
        "RunSourceType",
        "AmbientAgentConfig",
        "MCPServerConfig",
        "Error",
      ]),
    );
  });

  test("what an outsider has made is never shown as a page", async () => {
    const server = shared();
    const data = Buffer.from("<script>alert(1)</script>").toString("base64");
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "x",
      attachments: [{ file_name: "a.html", mime_type: "text/html", data }],
    });
    const answer = await server.fetch(`/api/v1/agent/runs/${run_id}/attachments/a.html`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });
});
