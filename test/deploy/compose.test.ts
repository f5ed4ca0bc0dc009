import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createProgram } from "../../src/cli/program.ts";
import { parsePostgresUrl } from "../../src/config/database-url.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { settings } from "../../src/config/settings.ts";
import { passwordIn } from "../../src/store/postgres/postgres-password.ts";

const DEPLOY = fileURLToPath(new URL("../../deploy/", import.meta.url));
const FILES = ["compose.yaml", "several-servers/compose.yaml"];
const SEVERAL = "several-servers/compose.yaml";

interface Service {
  image: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks?: string[] | Record<string, { ipv4_address?: string; aliases?: string[] }>;
  volumes?: string[];
  depends_on?: string[] | Record<string, unknown>;
  profiles?: string[];
}

interface Compose {
  services: Record<string, Service>;
  volumes?: Record<string, unknown>;
  networks?: Record<string, unknown>;
  secrets?: Record<string, { file: string }>;
}

const textOf = (file: string) => readFileSync(join(DEPLOY, file), "utf8");
const composeOf = (file: string) => parse(textOf(file), { merge: true }) as Compose;
const namesOf = (value: string[] | Record<string, unknown> = []) =>
  Array.isArray(value) ? value : Object.keys(value);
const servicesOf = (file: string) =>
  Object.entries(composeOf(file).services).map(([name, service]) => ({ name, service }));
const millraceOf = (file: string) =>
  servicesOf(file).filter(({ service }) => service.image.startsWith("millrace"));

describe.each(FILES)("deploy/%s", (file) => {
  const compose = composeOf(file);

  test("names settings, commands and options that are there, with valid values", () => {
    const known = new Set<string>(Object.values(settings).map(({ env }) => env));
    for (const { service } of millraceOf(file)) {
      const environment = Object.entries(service.environment ?? {});
      const own = environment.filter(([name]) => name.startsWith("MILLRACE_"));
      expect(own.map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
      expect(environment.filter(([name]) => !known.has(name)).map(([name]) => name)).toEqual(
        file === SEVERAL && service.command?.[0] === "serve" ? ["PGPASSFILE"] : [],
      );
      const written = own.map(([name, value]) => [name, value.replace(/\$\{\w+:-(.*)\}/, "$1")]);
      expect(() => loadConfig({ env: Object.fromEntries(written) })).not.toThrow();
      const [name, ...args] = service.command ?? [];
      const command = createProgram().commands.find((each) => each.name() === name);
      const options = new Set(command?.options.map(({ long }) => long));
      expect(args.map((arg) => arg.split("=")[0] ?? "").filter((arg) => !options.has(arg))).toEqual([]);
    }
  });

  test("names volumes, networks, secrets, services and files that are there", () => {
    for (const { service } of servicesOf(file)) {
      expect(Object.keys(compose.networks ?? {})).toEqual(expect.arrayContaining(namesOf(service.networks)));
      expect(Object.keys(compose.secrets ?? {})).toEqual(expect.arrayContaining(service.secrets ?? []));
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(namesOf(service.depends_on)));
      const volumes = (service.volumes ?? []).map((volume) => volume.split(":")[0] ?? "");
      const folder = dirname(join(DEPLOY, file));
      for (const volume of volumes.filter((each) => each.startsWith("."))) {
        expect(existsSync(join(folder, volume)), volume).toBe(true);
      }
      expect(Object.keys(compose.volumes ?? {})).toEqual(
        expect.arrayContaining(volumes.filter((each) => !each.startsWith("."))),
      );
      if (service.build) expect(existsSync(join(folder, service.build, "Dockerfile"))).toBe(true);
    }
  });

  test("gives each process of millrace a folder of its own", () => {
    const volumes = millraceOf(file).flatMap(({ service }) => service.volumes ?? []);
    expect(new Set(volumes).size).toBe(millraceOf(file).length);
  });
});

describe("deploy/several-servers", () => {
  const { services, secrets = {} } = composeOf(SEVERAL);
  const ofCommand = (command: string) =>
    Object.entries(services).filter(([, service]) => service.command?.[0] === command);
  const caddyfile = textOf("several-servers/Caddyfile");

  test("has two servers on one database with one master key, and two workers", () => {
    expect([ofCommand("serve").length, ofCommand("worker").length]).toEqual([2, 2]);
    const [[, one], [, other]] = ofCommand("serve") as [[string, Service], [string, Service]];
    expect(one.environment).toEqual(other.environment);
    expect(one.environment?.MILLRACE_MASTER_KEY_FILE).toBe("/run/secrets/master-key");
  });

  test("has Caddy send requests to its servers, which believe that address alone", () => {
    const servers = ofCommand("serve").map(([name]) => `${name}:8787`);
    expect(caddyfile).toContain(`\tto ${servers.join(" ")}\n`);
    const networks = services.caddy?.networks as Record<
      string,
      { ipv4_address?: string; aliases?: string[] }
    >;
    for (const [, { environment }] of ofCommand("serve"))
      expect(environment?.MILLRACE_TRUST_PROXY).toBe(networks.servers?.ipv4_address);
    const host = new URL(services["server-1"]?.environment?.MILLRACE_PUBLIC_URL ?? "").hostname;
    expect(networks.edge?.aliases).toEqual([host]);
    expect(caddyfile).toContain(`\n${host} {`);
    for (const [, { command, networks: reached }] of ofCommand("worker")) {
      expect(command).toContain(`--server=https://${host}`);
      expect(reached).toEqual(["edge"]);
    }
  });

  test("says how each secret is created, in files that only their user can read", () => {
    const comment = textOf(SEVERAL).split("\nname:")[0] ?? "";
    expect(comment).toContain("umask 077");
    for (const { file } of Object.values(secrets)) expect(comment).toContain(`> ${file}\n`);
    for (const [, { environment = {}, secrets: named = [], command = [] }] of Object.entries(services)) {
      const paths = [...Object.values(environment), ...command]
        .join(" ")
        .matchAll(/\/run\/secrets\/([\w-]+)/g);
      expect([...paths].map(([, name]) => name).sort()).toEqual([...named].sort());
    }
  });

  test("has a password file with a line for the URL of the database", () => {
    const url = services["server-1"]?.environment?.MILLRACE_DATABASE_URL ?? "";
    const { host = "", user = "", dbname: database = "", sslmode } = parsePostgresUrl(url);
    const [, line = ""] = /echo "(.*)" > secrets\/pgpass/.exec(textOf(SEVERAL)) ?? [];
    expect(passwordIn(line, { host, port: 5432, database, user })).toContain("secrets/postgres-password");
    expect(services).toHaveProperty(host);
    expect(services[host]?.environment).toMatchObject({ POSTGRES_USER: user, POSTGRES_DB: database });
    expect(sslmode).toBe("disable");
  });
});

test("every file of deploy/ that a comment names is there", () => {
  for (const file of FILES) {
    const named = textOf(file).matchAll(/(?:docs|deploy)\/[\w./-]+\w/g);
    const missing = [...named]
      .map(([path]) => join(DEPLOY, "..", path))
      .filter((path) => !existsSync(path))
      .map((path) => relative(DEPLOY, path));
    expect(missing).toEqual([]);
  }
});
