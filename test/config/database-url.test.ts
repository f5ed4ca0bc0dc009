import { describe, expect, test } from "vitest";
import { databaseUrl, parsePostgresUrl, withoutPassword } from "../../src/config/database-url.ts";
import { loadConfig } from "../../src/config/load-config.ts";

describe("the URL of a database of PostgreSQL", () => {
  test.each([
    ["postgres://ann@db.example.com/mill", { user: "ann", host: "db.example.com", dbname: "mill" }],
    [
      "postgresql://a%40b:p%2Fw@[::1]:5433/m%20l",
      {
        ...{ user: "a@b", password: "p/w", host: "::1", port: 5433, dbname: "m l" },
      },
    ],
    ["postgres://ann@%2Frun%2Fpostgresql/mill", { user: "ann", host: "/run/postgresql", dbname: "mill" }],
    [
      "postgres:///mill?host=/run/postgresql&user=ann",
      { host: "/run/postgresql", user: "ann", dbname: "mill" },
    ],
    [
      "postgres://h/mill?sslmode=verify-full&sslrootcert=/ca.pem&connect_timeout=3",
      {
        ...{
          host: "h",
          dbname: "mill",
          sslmode: "verify-full",
          sslrootcert: "/ca.pem",
          connectTimeout: 3_000,
        },
      },
    ],
    ["postgres://h/mill?ssl=true&port=6432", { host: "h", port: 6432, dbname: "mill", sslmode: "require" }],
  ])("%s has its parts", (url, parts) => {
    expect(parsePostgresUrl(url)).toEqual(parts);
  });

  test.each([
    ["postgres://h/m?sslmode=no-verify", "unexpected sslmode=no-verify: expected disable, allow, prefer"],
    ["postgres://h/m?ssl=1", "unexpected ssl=1: expected sslmode"],
    ["postgres://h/m?sslcrl=x", "unexpected sslcrl: expected host, port"],
    ["postgres://h/m?target_session_attrs=standby", "expected primary or read-write"],
    ["postgres://h/m?connect_timeout=soon", "unexpected connect_timeout=soon: expected a whole number"],
    ["postgres://h1:1,h2:2/m", "expected one host"],
    ["postgres://h", "expected the name of a database"],
    ["postgres://ann:a#b@h/m", "Percent-encode special characters"],
    ["postgres://ann:1/2@h/m", "Percent-encode special characters"],
    ["postgres://ann:100%@h/m", "% as %25"],
  ])("%s is refused", (url, message) => {
    expect(() => databaseUrl(url)).toThrow(message);
  });
});

test.each([
  ["postgres://ann:pass:word@h/m?sslmode=require", "postgres://ann:********@h/m?sslmode=require"],
  ["postgres://ann:1/2#@h/m", "postgres://ann:********@h/m"],
  ["postgres://ann@h/m?password=word&user=b", "postgres://ann@h/m?password=********&user=b"],
  ["postgres://h:5432/m", "postgres://h:5432/m"],
  ["mysql://ann:word@h/m", "mysql://ann:********@h/m"],
  ["sqlite:/var/lib/m.db", "sqlite:/var/lib/m.db"],
])("%s is shown without a password", (url, shown) => {
  expect(withoutPassword(url)).toBe(shown);
});

test("a URL that is wrong is reported with the name of its setting, and without its password", () => {
  const env = { MILLRACE_DATABASE_URL: "postgres://ann:hidden@h/m?sslmode=on" };
  expect(() => loadConfig({ env })).toThrow(
    'MILLRACE_DATABASE_URL "postgres://ann:********@h/m?sslmode=on": unexpected sslmode=on',
  );
});
