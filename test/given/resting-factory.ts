import { newFactory } from "../../src/reconcile/factory.ts";
import type { Server } from "./server.ts";
import { storeOf } from "./store.ts";

/** Puts a factory on record that no source of the server's start serves, as one of an earlier start. */
export async function restingFactoryOn(server: Server): Promise<void> {
  const { factories } = await storeOf(server);
  const source = { sourceKey: "earlier", name: "earlier", description: { path: "/srv/earlier" } };
  await factories.create(
    newFactory({ ...source, mode: "folder" } as Parameters<typeof newFactory>[0], new Date()),
  );
}
