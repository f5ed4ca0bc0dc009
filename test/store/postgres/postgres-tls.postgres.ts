import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { connectPostgres } from "../../../src/store/postgres/postgres-client.ts";
import { onFinished, sharedByFile } from "../../given/cleanup.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { ownAuthority } from "../../given/own-authority.ts";
import { POSTGRES_URL } from "../../given/postgres.ts";
import { startPostgres } from "../../given/start-postgres.ts";

const HBA = `
hostssl all encrypted 127.0.0.1/32 trust
host all millrace 127.0.0.1/32 trust
`;

/** A PostgreSQL with a certificate for the name localhost. */
const shared = sharedByFile(async () => {
  const authority = ownAuthority();
  const { key, cert } = authority.certify("localhost");
  const { port, stop } = await startPostgres({
    files: { "server.key": key, "server.crt": cert, "hba.conf": HBA },
    settings: {
      ssl: "on",
      ssl_key_file: "FOLDER/server.key",
      ssl_cert_file: "FOLDER/server.crt",
      hba_file: "FOLDER/hba.conf",
    },
  });
  onFinished(stop);
  const admin = await connectPostgres({ url: urlOf(port, "localhost", "sslmode=disable"), name: "tests" });
  await admin.query("CREATE ROLE encrypted LOGIN");
  await admin.end();
  return { port, ca: authority.file };
});

const urlOf = (port: number, host: string, parameters: string, user = "millrace") =>
  `postgres://${user}@${host}:${port}/postgres?${parameters}`;

/** Whether PostgreSQL says that a connection is encrypted. */
async function isEncrypted(url: string): Promise<boolean> {
  const client = await connectPostgres({ url, name: "tests" });
  const { rows } = await client.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
  await client.end();
  return Boolean(rows[0].ssl);
}

function withEnvironment(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  onFinished(() => vi.unstubAllEnvs());
}

/** This machine by a name that is no loopback address, as a resolver of a company would have it. */
const OTHER_NAME = "0.0.0.0";

describe("sslmode", () => {
  test.each([
    ["disable", false],
    ["allow", true],
    ["prefer", true],
    ["require", true],
  ])("%s: the connection is encrypted is %s", async (mode, expected) => {
    expect(await isEncrypted(urlOf(shared().port, "localhost", `sslmode=${mode}`))).toBe(expected);
  });

  test("ssl=true, as JDBC has it, is sslmode=require", async () => {
    expect(await isEncrypted(urlOf(shared().port, "localhost", "ssl=true"))).toBe(true);
  });

  test("verify-full accepts the authority that issued the certificate, for the host that it names", async () => {
    const { port, ca } = shared();
    const parameters = `sslmode=verify-full&sslrootcert=${ca}`;
    expect(await isEncrypted(urlOf(port, "localhost", parameters))).toBe(true);
    await expect(isEncrypted(urlOf(port, "127.0.0.1", parameters))).rejects.toMatchObject({
      code: "service_unavailable",
      message: expect.stringContaining("is for another host than 127.0.0.1"),
      remedy: expect.stringContaining("a host name in MILLRACE_DATABASE_URL that the certificate contains"),
    });
  });

  test("verify-ca accepts the authority for any host", async () => {
    const { port, ca } = shared();
    const parameters = `sslmode=verify-ca&sslrootcert=${ca}`;
    expect(await isEncrypted(urlOf(port, "127.0.0.1", parameters))).toBe(true);
  });

  test.each(["prefer", "require", "verify-ca", "verify-full"])(
    "%s refuses a certificate of another authority than the named one",
    async (mode) => {
      const other = ownAuthority().file;
      const url = urlOf(shared().port, "localhost", `sslmode=${mode}&sslrootcert=${other}`);
      await expect(isEncrypted(url)).rejects.toMatchObject({
        message: expect.stringContaining(`was not issued by an authority in ${other}`),
        remedy: expect.stringContaining("sslrootcert"),
      });
    },
  );

  test.each(["sslmode=verify-full", "sslrootcert=system"])(
    "%s trusts public authorities only, where no file is named",
    async (parameters) => {
      withEnvironment({ HOME: temporaryFolder() });
      await expect(isEncrypted(urlOf(shared().port, "localhost", parameters))).rejects.toMatchObject({
        message: expect.stringContaining("that this machine trusts"),
        remedy: "Name the file of its authority as sslrootcert in MILLRACE_DATABASE_URL.",
      });
    },
  );

  test.each([
    ["sslmode=verify-ca", "without sslrootcert"],
    ["sslmode=require&sslrootcert=system", "sslrootcert=system was named with sslmode=require"],
    ["sslrootcert=/nowhere.pem", "The file of sslrootcert cannot be read: ENOENT"],
  ])("%s is a wrong setting", async (parameters, message) => {
    withEnvironment({ HOME: temporaryFolder() });
    await expect(isEncrypted(urlOf(shared().port, "localhost", parameters))).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(message),
    });
  });

  test("a file without a certificate is a wrong setting", async () => {
    const file = join(temporaryFolder(), "empty.pem");
    writeFileSync(file, "no certificate");
    const url = urlOf(shared().port, "localhost", `sslmode=verify-full&sslrootcert=${file}`);
    await expect(isEncrypted(url)).rejects.toThrow("contains no certificate");
  });
});

test("the authorities in the folder of the user count for require, and not for prefer", async () => {
  const home = folderWith({ ".postgresql/root.crt": readFileSync(ownAuthority().file) });
  withEnvironment({ HOME: home });
  const { port } = shared();
  await expect(isEncrypted(urlOf(port, "localhost", "sslmode=require"))).rejects.toThrow(
    `was not issued by an authority in ${home}/.postgresql/root.crt`,
  );
  expect(await isEncrypted(urlOf(port, "localhost", "sslmode=prefer"))).toBe(true);
});

describe("without sslmode", () => {
  test("a connection on this machine is encrypted where PostgreSQL offers that", async () => {
    expect(await isEncrypted(urlOf(shared().port, "localhost", ""))).toBe(true);
    expect(await isEncrypted(POSTGRES_URL ?? "")).toBe(false);
  });

  test("a connection to another machine has to be encrypted", async () => {
    expect(await isEncrypted(urlOf(shared().port, OTHER_NAME, ""))).toBe(true);
    const withoutTls = new URL(POSTGRES_URL ?? "");
    withoutTls.hostname = OTHER_NAME;
    await expect(isEncrypted(withoutTls.href)).rejects.toMatchObject({
      message: expect.stringContaining("does not offer TLS, and sslmode=require requires it"),
      remedy: expect.stringContaining("sslmode=disable"),
    });
    expect(await isEncrypted(`${withoutTls.href}?sslmode=prefer`)).toBe(false);
  });

  test("PGSSLMODE and PGSSLROOTCERT count, and the URL counts more", async () => {
    const { port, ca } = shared();
    withEnvironment({ PGSSLMODE: "verify-full", PGSSLROOTCERT: ca });
    expect(await isEncrypted(urlOf(port, "localhost", ""))).toBe(true);
    await expect(isEncrypted(urlOf(port, "127.0.0.1", ""))).rejects.toThrow("is for another host");
    expect(await isEncrypted(urlOf(port, "127.0.0.1", "sslmode=disable"))).toBe(false);
  });

  test("a PGSSLMODE that does not exist is refused by its name", async () => {
    withEnvironment({ PGSSLMODE: "no-verify" });
    await expect(isEncrypted(urlOf(shared().port, "localhost", ""))).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining('PGSSLMODE "no-verify": expected one of disable, allow'),
    });
  });
});

test("a role that has to encrypt is told so where it does not", async () => {
  const url = urlOf(shared().port, "localhost", "sslmode=disable", "encrypted");
  await expect(isEncrypted(url)).rejects.toMatchObject({
    message: expect.stringContaining("pg_hba.conf"),
    remedy: expect.stringContaining("sslmode=require"),
  });
});
