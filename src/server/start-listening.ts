import type { RequestListener } from "node:http";
import type { Readiness } from "../api/admin/readiness.ts";
import type { Config } from "../config/config.ts";
import type { Gate } from "../ingress/gate.ts";
import type { Log } from "../log.ts";
import type { DataFolder } from "../store/data-folder.ts";
import { endWithoutData } from "./end-without-data.ts";
import type { createAddresses } from "./http/addresses.ts";
import { inheritedSockets } from "./http/inherited-sockets.ts";
import { listenForAll } from "./http/listen-for-all.ts";
import type { Stops } from "./stops.ts";

interface ListeningDeps {
  config: Config;
  data: Pick<DataFolder, "path" | "lock" | "database">;
  env: Record<string, string | undefined>;
  gate: Gate;
  pushHook: RequestListener;
  api: RequestListener;
  addresses: ReturnType<typeof createAddresses>;
  readiness: Pick<Readiness, "noticed">;
  log: Log;
  onFatal(error: Error): void;
}

/** Listens for requests, and ends that when nobody sends any more. Without its data folder the server refuses them. */
export async function startListening(
  { config, data, env, addresses, readiness, onFatal, ...handlers }: ListeningDeps,
  stops: Stops,
): Promise<void> {
  const kept = [data.path, data.lock, data.database];
  const { publicUrl } = addresses;
  const { guarded, stop } = await endWithoutData(kept, { publicUrl, log: handlers.log, onFatal });
  stops.push(stop);
  addresses.listensOn(
    await listenForAll(config, { ...handlers, publicUrl, guarded }, stops, inheritedSockets(env)),
  );
  stops.push(readiness.noticed);
}
