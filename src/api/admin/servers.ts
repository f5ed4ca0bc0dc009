import type { Models } from "../../client/typed-paths.ts";
import type { Config } from "../../config/config.ts";
import { settingRows } from "../../config/setting-rows.ts";
import { agentNotice } from "../../executor/harness/harness.ts";
import { programVersion } from "../../platform/version.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { ListedServer, ServerPresence } from "../../workers/server-presence.ts";
import { type Endpoints, keyOf, unlimitedKeyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import { creatorInfo } from "../runs/run-item.ts";

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

export interface WhoamiDeps {
  config: Pick<Config, "agentCommand" | "harnesses" | "workers">;
  factories: Pick<Factories, "list">;
  publicUrl: () => string;
  webhookUrl: () => string;
}

/** `GET /whoami`: what a client needs to know of its own key, for example to offer only what the key may do. */
export function whoamiEndpoints({ config, factories, publicUrl, webhookUrl }: WhoamiDeps) {
  const version = programVersion();
  return {
    getWhoami: {
      async handle(request) {
        const key = keyOf(request);
        // A key that is limited to some factories learns nothing of the agents of others.
        const seen = factories.list().filter(({ record }) => key.factories?.includes(record.uid) ?? true);
        const notice = agentNotice(config, seen);
        return {
          json: {
            principal: creatorInfo(key.principal),
            key_id: key.id,
            key_name: key.name,
            kind: key.kind,
            role: key.role,
            factories: key.factories,
            expires_at: key.expiresAt,
            server_version: version,
            public_url: publicUrl(),
            webhook_url: webhookUrl(),
            server_notices: notice === undefined ? [] : [`${notice}.`],
          },
        };
      },
    },
  } satisfies Endpoints;
}

export interface SettingDeps {
  config: Config;
}

export function settingEndpoints({ config }: SettingDeps) {
  return {
    listSettings: {
      async handle(request) {
        unlimitedKeyOf(request);
        const settings = settingRows(config).map(({ isDefault, ...row }) => ({
          ...row,
          is_default: isDefault,
        }));
        return { json: { settings } };
      },
    },
  } satisfies Endpoints;
}
