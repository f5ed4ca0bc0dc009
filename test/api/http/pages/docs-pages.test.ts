import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { listAssets, readAsset } from "../../../../src/platform/assets.ts";
import { sharedByFile } from "../../../given/cleanup.ts";
import { FACTORY } from "../../../given/definition.ts";
import { serving } from "../../../given/serving.ts";

const stage = sharedByFile(() => serving(FACTORY, {}));
const asPage = { headers: { accept: "text/html" } };

test("every page of the documentation is reached from /docs, and no link leads nowhere", async () => {
  const { server } = stage();
  const seen = new Set<string>();
  const waiting = [`${server.url}/docs`];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    const answer = await fetch(url, asPage);
    expect(answer.status, url).toBe(200);
    seen.add(new URL(answer.url).pathname);
    const html = await answer.text();
    for (const [, link = ""] of html.matchAll(/<a href="([^"]+)"/g)) {
      const target = new URL(link, answer.url);
      target.hash = "";
      if (target.host !== new URL(server.url).host || seen.has(target.pathname)) continue;
      seen.add(target.pathname);
      waiting.push(target.href);
    }
  }
  for (const page of ["README.md", "run-api.md", "how-to/stripe.md", "reference/commands.md"])
    expect(seen).toContain(`/docs/${page}`);
});

test("a page runs nothing, and no file beside the documentation is read", async () => {
  const { server } = stage();
  const page = await fetch(`${server.url}/docs/run-api.md`, asPage);
  const html = await page.text();
  const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(page.headers.get("content-security-policy")).toBe(
    `default-src 'none';style-src 'sha256-${hash}';frame-ancestors 'none';base-uri 'none'`,
  );
  expect(html).toContain('<h3 id="idempotency">');
  for (const path of ["..%2fpackage.json", "%2e%2e/package.json", "pictures/architecture.svg", "none.md"])
    expect((await fetch(`${server.url}/docs/${path}`, asPage)).status, path).toBe(404);
});

test("each table of the documentation has a text in its first header", async () => {
  for (const path of listAssets("docs").filter((each) => each.endsWith(".md")))
    expect(readAsset(path), path).not.toMatch(/^\| *\|.*\n\|(?:-+\|)+$/m);
});
