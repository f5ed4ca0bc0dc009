import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FF_CODES } from "../../../../src/definitions/problem.ts";
import { ERROR_CODES } from "../../../../src/errors/error.ts";
import { sharedByFile } from "../../../given/cleanup.ts";
import { FACTORY } from "../../../given/definition.ts";
import { serving } from "../../../given/serving.ts";

const stage = sharedByFile(() => serving(FACTORY, {}));
const fromTop = (path: string) => new URL(`../../../../${path}`, import.meta.url);
const CODES = Object.entries(ERROR_CODES);

describe("the pages of errors", () => {
  test("are as many as there are codes", () => {
    const pages = readdirSync(fromTop("docs/errors/")).sort();
    const codes = [...CODES.map(([code]) => code), ...FF_CODES];
    expect(pages).toEqual(codes.map((code) => `${code}.md`).sort());
  });

  test("of problems of definitions are as many as there are codes in the source files, and no two mean the same", () => {
    const sources = readdirSync(fromTop("src/"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const texts = sources.map((file) => readFileSync(fromTop(`src/${file}`), "utf8"));
    const used = new Set(texts.flatMap((text) => text.match(/(?<=["'`])FF_[A-Z_]+(?=["'`])/g) ?? []));
    expect([...used].sort()).toEqual([...FF_CODES].sort());
    const meanings = FF_CODES.map(
      (code) =>
        /^# (\w+)\n\n\*\*(.+?)\*\* /s.exec(readFileSync(fromTop(`docs/errors/${code}.md`), "utf8")) ?? [],
    );
    expect(meanings.map(([, heading]) => heading)).toEqual([...FF_CODES]);
    expect(new Set(meanings.map(([, , meaning]) => meaning)).size).toBe(FF_CODES.length);
  });

  test.each(FF_CODES)("%s of definitions is explained, and its links lead somewhere", async (code) => {
    const { server } = stage();
    const answer = await fetch(`${server.url}/errors/${code}`, { headers: { accept: "text/html" } });
    const html = await answer.text();
    expect([answer.status, /Causes.*What to do/s.test(html)]).toEqual([200, true]);
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link);
    for (const link of links) expect((await fetch(new URL(link, answer.url))).status, link).toBe(200);
  });

  test.each(CODES)(
    "%s has one at the address that problems name, with its title and status",
    async (code, { title, status }) => {
      const { server } = stage();
      const answer = await fetch(`${server.url}/errors/${code}`, { headers: { accept: "text/html" } });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(answer.headers.get("content-security-policy")).toMatch(
        /^default-src 'none';style-src 'sha256-[\w+/=]+';frame-ancestors 'none';base-uri 'none'$/,
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
    expect(await (await fetch(`${server.url}/errors`)).text()).toContain(
      '<a href="errors/FF_TEST_FAILED">FF_TEST_FAILED</a>',
    );
    expect((await fetch(`${server.url}/errors/no_such_code`)).status).toBe(404);
  });
});
