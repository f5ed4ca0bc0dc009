#!/usr/bin/env node
// Executes each turn as a Kubernetes Job: MILLRACE_SANDBOX_COMMAND="/opt/backends/kubectl.mjs NAMESPACE IMAGE". The image has
// millrace and the program of the agent in it. The namespace has the Secret millrace-worker with the key `token`, and the
// ConfigMap millrace-worker with settings of the worker (MILLRACE_AGENT_COMMAND, MILLRACE_SANDBOX).
// The service account of this worker may get, create, patch and delete Jobs there.
// This program was not run with a cluster when it was written: a test checks its Job against the schemas of the API.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [namespace, image, verb] = process.argv.slice(2);
const { id, run_id, command = [], shape } = JSON.parse(readFileSync(0, "utf8"));
const name = `millrace-${id}`;
const labels = { "app.kubernetes.io/name": "millrace-job", "millrace/run": run_id };
const size = shape && { cpu: String(shape.vcpus), memory: `${shape.memory_gb}Gi` };
const mounts = { token: "/run/millrace", data: "/data" };
const manifest = () => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name, namespace, labels },
  spec: {
    // A pod that has failed is not repeated: the worker that calls this program decides that.
    backoffLimit: 0,
    ttlSecondsAfterFinished: 3600,
    template: {
      metadata: { labels },
      spec: {
        restartPolicy: "Never",
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 60,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
          seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
          {
            name: "worker",
            image,
            command: [...command, "--token-file", `${mounts.token}/token`, "--data-dir", mounts.data],
            envFrom: [{ configMapRef: { name: "millrace-worker" } }],
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
            ...(size ? { resources: { requests: size, limits: size } } : {}),
            volumeMounts: Object.entries(mounts).map(([volume, mountPath]) => ({ name: volume, mountPath })),
          },
        ],
        volumes: [
          { name: "token", secret: { secretName: "millrace-worker", defaultMode: 0o440 } },
          { name: "data", emptyDir: {} },
        ],
      },
    },
  },
});

function kubectl(args, input = "") {
  const options = { input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] };
  const { status, stdout, error } = spawnSync("kubectl", ["--namespace", namespace, ...args], options);
  if (error) console.error(error.message);
  if (error || status !== 0) process.exit(1);
  return stdout;
}

function stateOf(json) {
  if (json.trim() === "") return "unknown";
  const { succeeded, failed, ready, active } = JSON.parse(json).status ?? {};
  if (succeeded) return "succeeded";
  if (failed && !active) return "failed";
  return ready ? "running" : "pending";
}

const verbs = {
  // A Job that is there already stays as it is.
  start: () => void kubectl(["apply", "--filename", "-"], JSON.stringify(manifest())),
  status: () => ({ state: stateOf(kubectl(["get", "job", name, "--ignore-not-found", "--output", "json"])) }),
  cancel: () =>
    void kubectl(["delete", "job", name, "--ignore-not-found", "--cascade=foreground", "--timeout=50s"]),
};
console.log(JSON.stringify({ version: 1, ...verbs[verb]() }));
