import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { passwordIn } from "../../../src/store/postgres/postgres-password.ts";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { startPostgres } from "../../given/start-postgres.ts";

const HBA = `
host all millrace 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
`;
/** Characters that both URLs and password files treat as something else. */
const PASSWORD = "a:b\\c@d/e";

/** A PostgreSQL that asks ann for a password. */
const shared = sharedByFile(async () => {
  const { port, url, stop } = await startPostgres({
    files: { "hba.conf": HBA },
    settings: { hba_file: "FOLDER/hba.conf", password_encryption: "scram-sha-256" },
  });
  onFinished(stop);
  const admin = await connectPostgres({ url, name: "tests" });
  await admin.query(`CREATE ROLE ann LOGIN PASSWORD ${admin.escapeLiteral(PASSWORD)}`);
  await admin.end();
  return port;
});

/** Who PostgreSQL says that the connection is. */
async function userOf(url: string): Promise<string> {
  const client = await connectPostgres({ url, name: "tests" });
  const { rows } = await client.query("SELECT session_user AS name");
  await client.end();
  return rows[0].name;
}

const urlOf = (password = "", parameters = "") =>
  `postgres://ann${password}@127.0.0.1:${shared()}/postgres${parameters}`;

function passwordFile(content: string, mode = 0o600): string {
  const file = join(temporaryFolder(), "pgpass");
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

function withEnvironment(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  onFinished(() => vi.unstubAllEnvs());
}

const line = (password = PASSWORD) =>
  `127.0.0.1:${shared()}:*:ann:${password.replaceAll("\\", "\\\\").replaceAll(":", "\\:")}\n`;

describe("a password that PostgreSQL asks for by scram-sha-256", () => {
  test.each([0o600, 0o440])("is read from the file that PGPASSFILE names, of mode %o", async (mode) => {
    withEnvironment({ PGPASSFILE: passwordFile(`# of tests\nother:*:*:ann:wrong\n${line()}`, mode) });
    expect(await userOf(urlOf())).toBe("ann");
  });

  test("is read again for each connection, so that it can be changed", async () => {
    const file = passwordFile(line("not yet"));
    withEnvironment({ PGPASSFILE: file });
    await expect(userOf(urlOf())).rejects.toThrow("refuses the password");
    writeFileSync(file, line());
    expect(await userOf(urlOf())).toBe("ann");
  });

  test("is taken from the URL, from the file that the URL names, or from PGPASSWORD", async () => {
    expect(await userOf(urlOf(`:${encodeURIComponent(PASSWORD)}`))).toBe("ann");
    expect(await userOf(urlOf("", `?passfile=${passwordFile(line())}`))).toBe("ann");
    withEnvironment({ PGPASSWORD: PASSWORD });
    expect(await userOf(urlOf())).toBe("ann");
  });

  test("is never in the error when it is wrong, which says where it came from", async () => {
    const fromUrl = await userOf(urlOf(":hidden")).catch((error) => error);
    expect(fromUrl).toMatchObject({
      code: "service_unavailable",
      message: expect.stringContaining('password authentication failed for user "ann"'),
      remedy: "Correct the password, which comes from MILLRACE_DATABASE_URL.",
    });
    const file = passwordFile(line("hidden"));
    withEnvironment({ PGPASSFILE: file });
    const fromFile = await userOf(urlOf()).catch((error) => error);
    expect(fromFile.remedy).toContain(`the password file ${file}`);
    for (const { message, remedy, cause } of [fromUrl, fromFile])
      expect(JSON.stringify([message, remedy, cause, String(cause.stack)])).not.toContain("hidden");
  });

  test("is missing where no file has a line for the connection", async () => {
    withEnvironment({ PGPASSFILE: passwordFile("127.0.0.1:1:*:ann:wrong\n") });
    await expect(userOf(urlOf())).rejects.toMatchObject({
      message: expect.stringContaining("it asks for a password, and none is set"),
      remedy: expect.stringContaining("PGPASSFILE"),
    });
  });

  test("is not read from a file that others can read, or that is not there", async () => {
    withEnvironment({ PGPASSFILE: passwordFile(line(), 0o644) });
    await expect(userOf(urlOf())).rejects.toMatchObject({
      message: expect.stringContaining("its mode is 644"),
      remedy: expect.stringContaining("chmod 600"),
    });
    withEnvironment({ PGPASSFILE: "/nowhere/pgpass" });
    await expect(userOf(urlOf())).rejects.toThrow("The password file cannot be read: ENOENT");
  });
});

test.each([
  ["h:5432:db:ann:one", "one"],
  ["*:*:*:*:any", "any"],
  ["#h:5432:db:ann:comment\nh:5432:db:ann:two", "two"],
  ["h:5432:other:ann:three", undefined],
  ["h:5432:db:ann:with:colons", "with:colons"],
  ["h:5432:db:ann:", undefined],
  ["h\\::5432:db:ann:four", undefined],
  ["h:5432:db:ann:five\r\nh:5432:db:ann:six", "five"],
])("the password in %j is %s", (text, password) => {
  const owner = { host: "h", port: 5432, database: "db", user: "ann" };
  expect(passwordIn(text, owner)).toBe(password);
});
