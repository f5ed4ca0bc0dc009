import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { withVersion, withChecksums }: Record<string, (...args: unknown[]) => string> = await import(
  new URL("../../scripts/release.mjs", import.meta.url).href
);
const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n### Added\n\n- One.\n\n## 0.1.0 - 2026-01-01\n\n- First.\n";

test("a release names what was unreleased, and leaves an empty section above it", () => {
  const released = withVersion?.(CHANGELOG, "0.2.0", "2026-02-02");
  expect(released).toContain("## Unreleased\n\n## 0.2.0 - 2026-02-02\n\n### Added\n\n- One.\n\n## 0.1.0");
  expect(() => withVersion?.(released, "0.3.0", "2026-02-03")).toThrow(
    "Unreleased section of the changelog is empty",
  );
  expect(() => withVersion?.(released, "0.2.0", "2026-02-03")).toThrow("already has a section for 0.2.0");
  expect(() => withVersion?.(CHANGELOG, "next", "2026-02-02")).toThrow('"next" is not a version');
});

test("the checksums of a version are at the end of its section", () => {
  const sums = { "millrace-0.1.0-linux-x64": "abc" };
  expect(withChecksums?.(CHANGELOG, "0.1.0", sums)).toBe(
    `${CHANGELOG}\n### Checksums\n\n    abc  millrace-0.1.0-linux-x64\n`,
  );
  const both = withVersion?.(CHANGELOG, "0.2.0", "2026-02-02");
  expect(withChecksums?.(both, "0.2.0", { a: "1", b: "2" })).toContain(
    "- One.\n\n### Checksums\n\n    1  a\n    2  b\n\n## 0.1.0 - 2026-01-01",
  );
});

test("the changelog of this project can be released", () => {
  const text = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  // Right after a release there is nothing to release.
  const changed = text.replace("## Unreleased\n", "## Unreleased\n\n- One more.\n");
  expect(withVersion?.(changed, "9.9.9", "2026-02-02")).toContain("\n## 9.9.9 - 2026-02-02\n");
});
