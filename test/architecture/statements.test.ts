import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const STORE = fileURLToPath(new URL("../../src/store/", import.meta.url));

/** What the statement itself has named, or a migration moves. */
const OF_NAMED_COLUMNS = /messages\.\*|schema\/steps/;

/** PostgreSQL refuses a statement that it has planned when a migration has given its answer another column. */
test("statements name the columns of tables, so that a server goes on when a newer version adds one", () => {
  const files = readdirSync(STORE, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const found = files.flatMap((file) =>
    [
      ...readFileSync(join(STORE, file), "utf8").matchAll(
        /(?:SELECT|RETURNING)\s+(?:\w+\.)?\*(?!\s+FROM\s*\()[^`"\n]*|INSERT INTO \w+\s+(?:VALUES|SELECT)\b[^`"\n]*/g,
      ),
    ].map(([statement]) => `${file}: ${statement}`),
  );
  expect(found.filter((statement) => !OF_NAMED_COLUMNS.test(statement))).toEqual([]);
});
