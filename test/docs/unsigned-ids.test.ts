import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { SchemeMethod } from "../../src/definitions/schemes/scheme.ts";
import { SCHEMES } from "../../src/definitions/schemes/schemes.ts";

/** The header that a sender could change to have a captured delivery counted anew; nothing where the id is signed. */
function unsignedIdHeader(method: SchemeMethod): string | undefined {
  const place = method.deliveryId;
  if (!place || "body" in place) return undefined;
  const signed = method.kind === "signature" ? method.signed : [];
  const isSigned = signed.some(
    (part) => typeof part === "object" && "headers" in part && part.headers.join() === place.headers.join(),
  );
  return isSigned ? undefined : place.headers[0];
}

test("SECURITY.md names every scheme whose id is not signed, with its header, and no other", () => {
  const page = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("### Replays under another id");
  const rows = [...section.matchAll(/^\| `(\w+)`[^|]*\| `([\w-]+)`/gm)].map(([, scheme, header]) => [
    scheme,
    header?.toLowerCase(),
  ]);
  const expected = Object.entries(SCHEMES).flatMap(([name, { methods }]) =>
    methods.flatMap((method) => {
      const header = unsignedIdHeader(method);
      return header ? [[name, header]] : [];
    }),
  );
  expect(expected.length).toBeGreaterThan(0);
  expect(rows.sort()).toEqual(expected.sort());
});
