import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { hasPlaceholder, type Injection } from "../../../runs/turn/injection.ts";
import { networkGuard } from "../../../runs/turn/network-guard.ts";
import { UNLIMITED } from "../../../runs/turn/network-policy.ts";
import { recordReaches } from "../../../runs/turn/reaches.ts";
import { createConnector } from "./connector.ts";
import { oneAtATime, PROGRAM_REQUESTS, refusing } from "./http-proxy.ts";
import { measureUsage } from "./model-call.ts";
import { modelTroubles } from "./model-troubles.ts";
import { type ServiceEndpoint, serviceEndpoints } from "./own-paths.ts";
import { Refusal } from "./refusal.ts";
import type { RunProxy } from "./run-proxy.ts";
import { secureForwarding } from "./secure-forwarding.ts";

/** Services that a program reaches on the loopback interface of the machine, because nothing limits its network. */
export interface LocalEndpointsSpec {
  endpoints: ServiceEndpoint[];
  /** Secrets that it uses without having them. */
  injections: Injection[];
  /** A file with certificates of authorities that the machine trusts beside the usual ones. */
  authorityFile?: string | undefined;
  /** Variables with proxies that the machine has to use. */
  proxies?: Record<string, string> | undefined;
}

export interface LocalEndpoints extends RunProxy {
  /** Where they are: a URL without a path. */
  origin: string;
}

/**
 * Opens a port of the loopback interface for the services of one program. Others on this machine can connect to it as well, and
 * reach nothing through it: a request has to carry a text that only the program has.
 *
 * What the program reaches is not recorded: there are other ways for it, so that a list would say little.
 */
export async function openLocalEndpoints(
  { endpoints, injections, authorityFile, proxies }: LocalEndpointsSpec,
  onChange: () => void,
): Promise<LocalEndpoints> {
  const connector = createConnector({
    guard: networkGuard(UNLIMITED),
    reaches: recordReaches(() => {}),
    proxies,
    standIn: () => undefined,
  });
  const usage = measureUsage(onChange);
  const troubles = modelTroubles(onChange);
  const forwarding = secureForwarding(connector, { authorityFile, onUsage: usage.count, troubles });
  const answer = serviceEndpoints({ endpoints, injections, forwarding });
  const strangers = createStrangers();
  const server = createServer(
    PROGRAM_REQUESTS,
    oneAtATime((request, response) => {
      const refuse = refusing(response);
      if (!hasPlaceholder(request.headersDistinct, injections))
        return refuse(new Refusal("not_allowed", "the request does not carry the key of the run"));
      strangers.admit(request.socket);
      if (!answer(request, response, refuse))
        refuse(new Refusal("not_allowed", "there is no service at this path"));
    }),
  );
  server.on("connection", strangers.add);
  server.on("clientError", (_, client) => void client.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A connection that could not be accepted is no reason to end all programs of this process.
  server.on("error", () => {});
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reaches: () => ({ reached: [], refused: [] }),
    usage: usage.list,
    troubles: troubles.list,
    refuseModels: forwarding.refuseModels,
    close() {
      server.close();
      forwarding.endReading();
      server.closeAllConnections();
      connector.close();
    },
  };
}

/** Connections of which it is not known yet whether they come from the program that a server is for. */
export interface Strangers {
  /** Closes the connection in a while, or sooner where many others come. */
  add(client: Socket): void;
  /** The connection has shown that it comes from the program. */
  admit(client: Socket): void;
}

const MAX_STRANGERS = 128;
/** For a program that is busy between connecting and asking. */
const PATIENCE_MS = 10_000;

/** Whoever connects without asking for anything must not keep the program itself from connecting. */
function createStrangers(): Strangers {
  const waiting = new Map<Socket, NodeJS.Timeout>();
  const forget = (client: Socket) => {
    clearTimeout(waiting.get(client));
    waiting.delete(client);
  };
  return {
    add(client) {
      const [oldest] = waiting.keys();
      if (waiting.size >= MAX_STRANGERS && oldest) {
        forget(oldest);
        oldest.destroy();
      }
      waiting.set(client, setTimeout(() => client.destroy(), PATIENCE_MS).unref());
      client.once("close", () => forget(client));
    },
    admit: forget,
  };
}
