import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { openApiDocument } from "../../src/api/document.ts";
import { createProgram } from "../../src/cli/program.ts";
import { parsePostgresUrl } from "../../src/config/postgres-url.ts";
import { settings } from "../../src/config/settings.ts";
import { passwordIn } from "../../src/store/postgres/postgres-password.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { freePort } from "../given/port.ts";
import { startServer } from "../given/server.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const MANIFESTS = join(REPOSITORY, "deploy/kubernetes");
const require = createRequire(import.meta.url);

/** Where the packages have what the API says of each kind: its type, and a check by its schema. */
const KINDS: Record<string, { module: string; type: string }> = {
  StatefulSet: { module: "kubernetes-models/apps/v1", type: "IStatefulSet" },
  Deployment: { module: "kubernetes-models/apps/v1", type: "IDeployment" },
  PodDisruptionBudget: { module: "kubernetes-models/policy/v1", type: "IPodDisruptionBudget" },
  Job: { module: "kubernetes-models/batch/v1", type: "IJob" },
  Service: { module: "kubernetes-models/v1", type: "IService" },
  Ingress: { module: "kubernetes-models/networking.k8s.io/v1", type: "IIngress" },
  ScaledJob: { module: "@kubernetes-models/keda/keda.sh/v1alpha1", type: "IScaledJob" },
  TriggerAuthentication: {
    module: "@kubernetes-models/keda/keda.sh/v1alpha1",
    type: "ITriggerAuthentication",
  },
};

/** Variables that count besides the settings. */
const OF_LIBPQ = new Set(["PGPASSFILE"]);

interface Environment {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

interface Container {
  args?: string[];
  env?: Environment[];
  ports?: { name: string }[];
  volumeMounts: { name: string; mountPath: string }[];
  securityContext: object;
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined;
}

interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    volumes: { name: string; secret?: { secretName: string; items?: { key: string; path: string }[] } }[];
    automountServiceAccountToken: boolean;
    securityContext: object;
  };
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a form of its own, which is what is tested
  spec: any;
}

/** What the API's description says, as far as a scaler goes by it. */
interface Described {
  paths: Record<string, { get: { parameters: { name: string }[] } }>;
  components: { schemas: Record<string, { properties: object }> };
}

const manifestsIn = (file: string) =>
  parseAllDocuments(readFileSync(join(MANIFESTS, file), "utf8")).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });

const all = readdirSync(MANIFESTS).flatMap((file) =>
  manifestsIn(file).map((manifest) => ({ file, manifest, of: `${file}: ${manifest.kind}` })),
);

const podOf = ({ spec }: Manifest): Pod | undefined => spec.template ?? spec.jobTargetRef?.template;
const withPods = all.flatMap(({ manifest, of }) => {
  const pod = podOf(manifest);
  return pod ? [{ of, manifest, pod, container: pod.spec.containers[0] as Container }] : [];
});

/** What the schema of the API says against a manifest. */
function violations({ kind, ...manifest }: Manifest): string | undefined {
  const { module } = KINDS[kind] ?? { module: "" };
  const Model = require(module)[kind] as new (data: object) => { validate(): void };
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** What a compiler says against manifests as values of the API's types, which know every key. */
function misspelt(manifests: readonly Manifest[]): string[] {
  const lines = manifests.map((manifest, index) => {
    const { module, type } = KINDS[manifest.kind] ?? { module: "", type: "" };
    const path = join(REPOSITORY, "node_modules", module);
    return `const m${index}: import(${JSON.stringify(path)}).${type} = ${JSON.stringify(manifest)};`;
  });
  const file = join(folderWith({ "manifests.ts": lines.join("\n") }), "manifests.ts");
  const program = ts.createProgram([file], {
    ...{ noEmit: true, strict: true, skipLibCheck: true, types: [], lib: ["lib.es2022.d.ts"] },
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** The Job that the example backend for kubectl makes. */
function jobOfBackend(request: object): { status: number | null; job: Manifest; args: string } {
  const folder = temporaryFolder();
  const kubectl = `#!/bin/sh\necho "$@" > ${folder}/args\ncat > ${folder}/input\n`;
  writeFileSync(join(folder, "kubectl"), kubectl);
  chmodSync(join(folder, "kubectl"), 0o755);
  const backend = join(REPOSITORY, "examples/workers/backends/kubectl.mjs");
  const { status } = spawnSync(process.execPath, [backend, "agents", "registry/agents:1", "start"], {
    input: JSON.stringify(request),
    env: { PATH: [folder, process.env.PATH].join(delimiter) },
  });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { status, job: JSON.parse(read("input")), args: read("args").trim() };
}

const REQUEST = {
  ...{ version: 1, id: "01a20c2e-34d6-7136-97c1-d271b0eef4e4-12-3", turn: 12, attempt: 3 },
  ...{ run_id: "01a20c2e-34d6-7136-97c1-d271b0eef4e4", shape: { vcpus: 2, memory_gb: 8 } },
  command: ["millrace", "worker", "--once", "--run", "01a20c2e-34d6-7136-97c1-d271b0eef4e4"],
};

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

describe("the example backend for kubectl", () => {
  test("makes a Job by the schema of the API, of the size that the run asks for", () => {
    const { status, job, args } = jobOfBackend(REQUEST);
    expect(status).toBe(0);
    expect(args).toBe("--namespace agents apply --filename -");
    expect(violations(job)).toBeUndefined();
    expect(misspelt([job])).toEqual([]);
    expect(job.metadata.name.length).toBeLessThanOrEqual(63);
    const [container] = job.spec.template.spec.containers;
    const size = { cpu: "2", memory: "8Gi" };
    expect(container).toMatchObject({
      image: "registry/agents:1",
      resources: { requests: size, limits: size },
    });
    expect(container.command.slice(0, 5)).toEqual(REQUEST.command);
  });

  test("makes one without a size for a run that asks for none", () => {
    const { job } = jobOfBackend({ ...REQUEST, shape: null });
    expect(misspelt([job])).toEqual([]);
    expect(job.spec.template.spec.containers[0].resources).toBeUndefined();
  });
});
