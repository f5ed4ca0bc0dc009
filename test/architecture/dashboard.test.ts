import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const DASHBOARD = fileURLToPath(new URL("../../dashboard/src/", import.meta.url));
const CLIENT = fileURLToPath(new URL("../../src/client/", import.meta.url));

/** From left to right; a page knows all of them, and nothing but the routes knows pages. */
const ORDER = ["api", "live", "parts", "frame", "editor", "pages"];

const files = readdirSync(DASHBOARD, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.(tsx?|css)$/.test(name),
);

const imports = files
  .filter((name) => !name.endsWith(".css"))
  .flatMap((from) => {
    const text = readFileSync(join(DASHBOARD, from), "utf8");
    return [...text.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/g)].map((match) => {
      return { from, to: match[1] ?? match[2] ?? "" };
    });
  });
const local = imports
  .filter(({ to }) => to.startsWith("."))
  .map(({ from, to }) => ({ from, path: join(DASHBOARD, dirname(from), to) }));

test("the dashboard is a client of the public API, and knows nothing else of the server", () => {
  const outside = local.filter(({ path }) => !path.startsWith(DASHBOARD));
  expect(outside.length).toBeGreaterThan(0);
  expect(outside.filter(({ path }) => path !== join(CLIENT, "client.ts"))).toEqual([]);
});

test("only api/ asks the server anything by itself", () => {
  const asking = files.filter((name) =>
    /\bfetch\(|XMLHttpRequest|new EventSource/.test(readFileSync(join(DASHBOARD, name), "utf8")),
  );
  expect(asking).toEqual(["api/client.ts", "api/session.ts"]);
});

/** A page is a folder, which can have rooms. */
const pageOf = (file: string) => dirname(file).split("/").slice(0, 2).join("/");

test("pages do not know each other, and parts know no page", () => {
  const room = (name: string) => ORDER.indexOf(name.split("/")[0] ?? "");
  const wrong = local
    .map(({ from, path }) => ({ from, to: relative(DASHBOARD, path) }))
    .filter(({ from, to }) => room(from) >= 0 && room(to) >= 0)
    .filter(({ from, to }) => {
      if (room(from) === ORDER.indexOf("pages") && room(to) === room(from))
        return pageOf(from) !== pageOf(to);
      return room(to) > room(from);
    });
  expect(wrong).toEqual([]);
});

test("no text is ever read as a page", () => {
  const reading = files.filter((name) =>
    /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/.test(
      readFileSync(join(DASHBOARD, name), "utf8"),
    ),
  );
  expect(reading).toEqual([]);
});

test("a file of more than 500 lines is split", () => {
  const long = files.filter(
    (name) => readFileSync(join(DASHBOARD, name), "utf8").trimEnd().split("\n").length > 500,
  );
  expect(long).toEqual([]);
});

test("what is large and for few is loaded by who opens an editor", () => {
  const users = imports.filter(({ to }) => /^(@codemirror|@lezer)\/|^yaml$/.test(to));
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter(({ from }) => !from.startsWith("editor/"))).toEqual([]);
});
