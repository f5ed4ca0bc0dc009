import type { Runner } from "../definitions/definition.ts";
import type { StoredResource } from "../definitions/plan.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Cursors } from "./cursor.ts";
import type { Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { pageOf } from "./page.ts";

export interface RunnerParts {
  factories: Factories;
  cursors: Cursors;
}

export function runnerEndpoints({ factories, cursors }: RunnerParts): Endpoints {
  return {
    listRunners: {
      role: "viewer",
      async handle(request) {
        const { served } = findFactory(request, factories);
        const live = served?.resources.filter(({ kind, deleted }) => kind === "runner" && !deleted) ?? [];
        const { items, pageInfo } = pageOf(live, ({ name }) => name, request, cursors);
        return { json: { runners: items.map(runnerView), page_info: pageInfo } };
      },
    },
  };
}

function runnerView(resource: StoredResource) {
  const { description, dockerImage, setupCommands, instanceShape } = JSON.parse(resource.body) as Runner;
  return {
    uid: resource.uid,
    name: resource.name,
    description: description ?? null,
    docker_image: dockerImage ?? null,
    setup_commands: setupCommands,
    instance_shape: instanceShape ? { vcpus: instanceShape.vcpus, memory_gb: instanceShape.memoryGb } : null,
    defined_in: { path: resource.path, url: null },
    updated_at: resource.updatedAt,
  };
}
