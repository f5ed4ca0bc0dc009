import type { Models } from "../../client/typed-paths.ts";
import type { ListedServer, ServerPresence } from "../../workers/server-presence.ts";
import type { Cursors } from "../http/cursor.ts";
import { type Endpoints, unlimitedKeyOf } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";

export interface ServerListDeps {
  presence: Pick<ServerPresence, "list">;
  cursors: Cursors;
}

/** The servers that share the store of the one that answers. */
export function serverEndpoints({ presence, cursors }: ServerListDeps) {
  return {
    listServers: {
      async handle(request) {
        unlimitedKeyOf(request);
        const position = ({ name, startedAt, uid }: ListedServer) => `${name} ${startedAt} ${uid}`;
        const { items, pageInfo } = pageOf(await presence.list(), position, request, cursors);
        return { json: { servers: items.map(serverView), page_info: pageInfo } };
      },
    },
  } satisfies Endpoints;
}

function serverView(server: ListedServer): Models["Server"] {
  return {
    uid: server.uid,
    name: server.name,
    version: server.version,
    status: server.isAway ? "away" : "connected",
    is_leader: server.isLeader,
    is_this: server.isThis,
    executing: server.executing,
    concurrency: server.concurrency,
    started_at: server.startedAt,
    last_seen_at: server.seenAt,
  };
}
