import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Runner } from "../../definitions/definition.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { findFactory } from "../factories/factories.ts";
import type { Cursors } from "../http/cursor.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";

export interface RunnerDeps {
  factories: Factories;
  cursors: Cursors;
}

export function runnerEndpoints({ factories, cursors }: RunnerDeps) {
  return {
    listRunners: {
      async handle(request) {
        const { active } = findFactory(request, factories);
        const live = active?.resources.filter(({ kind, deleted }) => kind === "runner" && !deleted) ?? [];
        const { items, pageInfo } = pageOf(live, ({ name }) => name, request, cursors);
        return { json: { runners: items.map(runnerView), page_info: pageInfo } };
      },
    },
  } satisfies Endpoints;
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
