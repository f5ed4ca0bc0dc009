import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERROR_CODES } from "../../../../src/errors/error.ts";
import { sharedByFile } from "../../../given/cleanup.ts";
import { FACTORY } from "../../../given/definition.ts";
import { serving } from "../../../given/serving.ts";

const stage = sharedByFile(() => serving(FACTORY, {}));
const CODES = Object.entries(ERROR_CODES);

describe("the pages of errors", () => {
  test("are as many as there are codes", () => {
    const pages = readdirSync(new URL("../../../../docs/errors/", import.meta.url))
      .filter((page) => !page.startsWith("FF_"))
      .sort();
    expect(pages).toEqual(CODES.map(([code]) => `${code}.md`).sort());
  });

  test.each(CODES)(
    "%s has one at the address that problems name, with its title and status",
    async (code, { title, status }) => {
      const { server } = stage();
      const answer = await fetch(`${server.url}/errors/${code}`, { headers: { accept: "text/html" } });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(answer.headers.get("content-security-policy")).toBe(
        "default-src 'none';frame-ancestors 'none';base-uri 'none'",
      );
      const html = await answer.text();
      expect(html).toContain(`<strong>${title}.</strong> HTTP status ${status}.`);
      expect(html).toMatch(/Causes.*What to do/s);
      const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link);
      for (const link of links) expect((await fetch(new URL(link, answer.url))).status, link).toBe(200);
    },
  );

  test("are found from a problem that the server has answered with, and as Markdown by who asks for that", async () => {
    const { server } = stage();
    const problem = (await (await fetch(`${server.url}/api/v1/factories`)).json()) as { type: string };
    expect((await fetch(problem.type)).status).toBe(200);
    const markdown = await fetch(problem.type, { headers: { accept: "text/markdown" } });
    expect(await markdown.text()).toMatch(/^# authentication_required\n/);
    expect(await (await fetch(`${server.url}/errors`)).text()).toContain(
      '<a href="errors/conflict">conflict</a>',
    );
    expect((await fetch(`${server.url}/errors/no_such_code`)).status).toBe(404);
  });
});
