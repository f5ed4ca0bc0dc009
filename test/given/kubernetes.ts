import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect } from "vitest";
import { parseAllDocuments } from "yaml";
import { folderWith } from "./folder.ts";

export const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
export const MANIFESTS = join(REPOSITORY, "deploy/kubernetes");
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

interface Environment {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

export interface Container {
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

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a form of its own, which is what is tested
  spec: any;
}

/** The documents of a file of deploy/kubernetes. */
export const manifestsIn = (file: string) =>
  parseAllDocuments(readFileSync(join(MANIFESTS, file), "utf8")).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });

/** What a manifest starts, if it starts something. */
export const podOf = ({ spec }: Manifest): Pod | undefined => spec.template ?? spec.jobTargetRef?.template;

/** What the schema of the API says against a manifest. */
export function violations({ kind, ...manifest }: Manifest): string | undefined {
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
export function misspelt(manifests: readonly Manifest[]): string[] {
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
