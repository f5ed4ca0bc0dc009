import { isOfRepository } from "../../git/checkout.ts";
import type { Mirror } from "../../git/mirrors/mirror.ts";
import type { MirrorCache } from "../../git/mirrors/mirror-cache.ts";
import type { Run } from "../../runs/run.ts";
import type { HeldTurns } from "../../workers/held-turns.ts";
import type { Workers } from "../../workers/workers.ts";
import type { FindClone } from "./git-routes.ts";

export interface FindCloneDeps {
  registry: Workers;
  held: HeldTurns;
  repositories: { mirrors: MirrorCache };
}

/** A worker may clone the repositories of the runs that it has now, and no other. */
export function cloneFinder({ registry, held, repositories: { mirrors } }: FindCloneDeps): FindClone {
  return async ({ authorization, forge, owner, name }) => {
    const worker = await registry.authenticate(authorization);
    if (!worker) return "unauthenticated";
    const asked = (each: { owner: string; name: string }) => each.owner === owner && each.name === name;
    const found = (await held.listRepositories(worker.id)).flatMap(({ run, repositories }) =>
      repositories.filter(asked).flatMap(({ remote }) => ("missing" in remote ? [] : [{ run, remote }])),
    );
    const ofForge = found.filter(({ remote }) => remote.forge === forge);
    const [first] = ofForge;
    if (!first) return undefined;
    const mirror = mirrors.of(first.remote);
    const runs = ofForge.map(({ run }) => run);
    return { mirror, refresh: (signal) => refresh(mirror, { owner, name }, runs, signal) };
  };
}

/** Brings a mirror up to date, with what the runs are about: heads of pull requests are no branches. */
async function refresh(
  mirror: Mirror,
  repository: { owner: string; name: string },
  runs: readonly Run[],
  signal: AbortSignal,
): Promise<void> {
  await mirror.refresh(signal);
  for (const { execution } of runs) {
    const { checkout, requestedCheckout } = execution;
    // What is missing is told by the worker, which looks for it next.
    if (checkout && isOfRepository(repository, checkout))
      await mirror.fetchRef(checkout.ref, signal).catch(() => signal.throwIfAborted());
    if (requestedCheckout && isOfRepository(repository, requestedCheckout))
      await mirror.find(requestedCheckout.ref, signal).catch(() => signal.throwIfAborted());
  }
}
