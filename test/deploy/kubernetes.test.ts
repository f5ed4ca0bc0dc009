import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../src/api/document.ts";
import { createProgram } from "../../src/cli/program.ts";
import { parsePostgresUrl } from "../../src/config/database-url.ts";
import { settings } from "../../src/config/settings.ts";
import { passwordIn } from "../../src/store/postgres/postgres-password.ts";
import {
  type Container,
  MANIFESTS,
  type Manifest,
  manifestsIn,
  misspelt,
  podOf,
  violations,
} from "../given/kubernetes.ts";
import { freePort } from "../given/port.ts";
import { startServer } from "../given/server.ts";

/** Variables that count besides the settings. */
const OF_LIBPQ = new Set(["PGPASSFILE"]);

/** What the API's description says, as far as a scaler goes by it. */
interface Described {
  paths: Record<string, { get: { parameters: { name: string }[] } }>;
  components: { schemas: Record<string, { properties: object }> };
}

const all = readdirSync(MANIFESTS).flatMap((file) =>
  manifestsIn(file).map((manifest) => ({ file, manifest, of: `${file}: ${manifest.kind}` })),
);

const withPods = all.flatMap(({ manifest, of }) => {
  const pod = podOf(manifest);
  return pod ? [{ of, manifest, pod, container: pod.spec.containers[0] as Container }] : [];
});

describe("the manifests for Kubernetes and KEDA", () => {
  test.each(all)("$of is one by the schema of the API", ({ manifest }) => {
    expect(violations(manifest)).toBeUndefined();
  });

  test("have no key that the API does not know", () => {
    expect(misspelt(all.map(({ manifest }) => manifest))).toEqual([]);
  });

  test("would be refused with a wrong value or a misspelt key", () => {
    const [{ manifest } = { manifest: undefined }] = all.filter(
      ({ of }) => of === "server.yaml: StatefulSet",
    );
    if (!manifest) throw new Error("there is no StatefulSet");
    const wrong = structuredClone(manifest);
    wrong.spec.replicas = "one";
    expect(violations(wrong)).toContain("replicas must be integer");
    const typo = structuredClone(manifest);
    typo.spec.template.spec.containers[0].livenesProbe = {};
    expect(misspelt([typo]).join()).toContain("livenesProbe");
  });

  test("have secrets by reference only", () => {
    expect(all.map(({ manifest }) => manifest.kind)).not.toContain("Secret");
    const secretSettings = Object.values(settings).filter((setting) => "secret" in setting && setting.secret);
    const secretNames = new Set<string>(secretSettings.map(({ env }) => env));
    const environment = withPods.flatMap(({ container }) => container.env ?? []);
    const secret = environment.filter(({ name }) => secretNames.has(name));
    expect(secret.map(({ name, value, valueFrom }) => [name, value, valueFrom?.secretKeyRef?.name])).toEqual([
      ["MILLRACE_MASTER_KEY", undefined, "millrace-server"],
      ["MILLRACE_ADMIN_KEY", undefined, "millrace-server"],
      ["MILLRACE_ADMIN_KEY", undefined, "millrace-servers"],
    ]);
  });

  test.each(withPods)(
    "$of says how its secrets are created, and reads files that they have",
    ({ of, pod, container }) => {
      const [file = ""] = of.split(":");
      const comment = readFileSync(join(MANIFESTS, file), "utf8").split("\napiVersion")[0] ?? "";
      for (const { secret } of pod.spec.volumes) {
        if (secret && file !== "keda.yaml")
          expect(comment).toContain(`create secret generic ${secret.secretName} `);
        for (const { key } of secret?.items ?? []) expect(comment).toContain(`--from-file=${key}`);
      }
      const mounted = new Map(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
      const files = pod.spec.volumes.flatMap(({ name, secret }) =>
        (secret?.items ?? []).map(({ path }) => join(mounted.get(name) ?? "", path)),
      );
      const named = (container.env ?? []).flatMap(
        ({ value = "" }) => value.match(/\/run\/millrace\/[\w.-]+/g) ?? [],
      );
      expect(named.sort()).toEqual(files.sort());
    },
  );

  test.each(withPods)(
    "$of runs as an ordinary user who can write to its volumes only",
    ({ pod, container }) => {
      expect(pod.spec.automountServiceAccountToken).toBe(false);
      expect(pod.spec.securityContext).toMatchObject({
        ...{ runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(container.securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
      });
    },
  );

  test.each(withPods)(
    "$of names settings, options, volumes and ports that are there",
    ({ manifest, pod, container }) => {
      const known = new Set<string>(Object.values(settings).map(({ env }) => env));
      expect(
        (container.env ?? [])
          .map(({ name }) => name)
          .filter((name) => !known.has(name) && !OF_LIBPQ.has(name)),
      ).toEqual([]);
      const [name = "", ...args] = container.args ?? [];
      const command = createProgram().commands.find((each) => each.name() === name);
      const options = new Set(command?.options.map(({ long }) => long));
      expect(args.map((arg) => arg.split("=")[0]).filter((arg) => !options.has(arg ?? ""))).toEqual([]);
      const claims = (manifest.spec.volumeClaimTemplates ?? []).map(
        ({ metadata }: Manifest) => metadata.name,
      );
      const volumes = [...pod.spec.volumes.map(({ name }) => name), ...claims];
      expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
      const ports = new Set((container.ports ?? []).map(({ name }) => name));
      for (const [key, probe] of Object.entries(container))
        if (key.endsWith("Probe")) expect(ports).toContain((probe as Container["xProbe"])?.httpGet.port);
    },
  );

  test.each(["server.yaml", "servers.yaml"])("of %s lead from the ingress to the server", (file) => {
    const manifests = manifestsIn(file);
    const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
    const [server] = manifests;
    const pod = server && podOf(server);
    expect(server?.spec.selector.matchLabels).toEqual(pod?.metadata.labels);
    const [service] = ofKind("Service");
    expect(service?.spec.selector).toEqual(pod?.metadata.labels);
    expect(service?.spec.ports[0].targetPort).toBe(pod?.spec.containers[0]?.ports?.[0]?.name);
    if (server?.kind === "StatefulSet") expect(server.spec.serviceName).toBe(service?.metadata.name);
    const expected = { name: service?.metadata.name, port: { name: service?.spec.ports[0].name } };
    for (const ingress of ofKind("Ingress")) {
      for (const { backend } of ingress.spec.rules[0].http.paths) expect(backend.service).toEqual(expected);
    }
  });

  test("of several servers keep one serving, and send a path to the same one", () => {
    const manifests = manifestsIn("servers.yaml");
    const [server, budget, , hooks] = manifests;
    expect(server?.kind).toBe("Deployment");
    expect(server?.spec.replicas).toBeGreaterThan(budget?.spec.minAvailable);
    expect(budget?.spec.selector).toEqual(server?.spec.selector);
    const { topologySpreadConstraints } = server?.spec.template.spec ?? {};
    expect(topologySpreadConstraints[0].labelSelector).toEqual(server?.spec.selector);
    expect(hooks?.metadata).toMatchObject({
      annotations: { "nginx.ingress.kubernetes.io/upstream-hash-by": "$uri" },
    });
    const paths = hooks?.spec.rules[0].http.paths.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(["/webhooks", "/hooks"]);
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test("of several servers have a database by a URL that verifies it, and a line of a password file for it", () => {
    const { container } = withPods.find(({ of }) => of === "servers.yaml: Deployment") ?? {};
    const setting = (wanted: string) => container?.env?.find(({ name }) => name === wanted)?.value ?? "";
    const {
      host = "",
      user = "",
      dbname: database = "",
      sslmode,
    } = parsePostgresUrl(setting("MILLRACE_DATABASE_URL"));
    expect(sslmode).toBe("verify-full");
    const [, line = ""] =
      /echo '(.*)' > pgpass/.exec(readFileSync(join(MANIFESTS, "servers.yaml"), "utf8")) ?? [];
    expect(passwordIn(line, { host, port: 5432, database, user })).toBe("PASSWORD");
  });

  test("scale by a number that the API has", () => {
    const [authentication, scaledJob] = manifestsIn("keda.yaml");
    const [trigger] = scaledJob?.spec.triggers ?? [];
    const { pathname, searchParams } = new URL(trigger.metadata.url);
    const document = openApiDocument("https://millrace.example.com") as Described;
    const operation = document.paths[pathname.replace("/api/v1", "")]?.get;
    expect(operation?.parameters.map(({ name }) => name)).toEqual([...searchParams.keys()]);
    const { schemas } = document.components;
    expect(Object.keys(schemas.WorkerDemand?.properties ?? {})).toContain(trigger.metadata.valueLocation);
    expect(trigger.authenticationRef.name).toBe(authentication?.metadata.name);
  });
});

test("a server starts with the environment of its manifest, and its probes are answered", async () => {
  const { container } = withPods.find(({ of }) => of === "server.yaml: StatefulSet") ?? {};
  const given = (container?.env ?? []).flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value]],
  );
  const { MILLRACE_DATA_DIR: _, ...env } = Object.fromEntries(given) as Record<string, string>;
  const own = `127.0.0.1:${await freePort()}`;
  const server = await startServer({
    sources: [],
    env: { ...env, MILLRACE_LISTEN: own },
    reachedAt: `http://${own}`,
  });
  for (const [key, probe] of Object.entries(container ?? {})) {
    if (!key.endsWith("Probe")) continue;
    const { path } = (probe as NonNullable<Container["xProbe"]>).httpGet;
    await expect.poll(async () => (await server.fetch(path)).status, { message: path }).toBe(200);
  }
});
