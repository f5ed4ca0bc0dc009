import type { Config } from "../../config/config.ts";
import { agentNotice } from "../../executor/harness/harness.ts";
import { programVersion } from "../../platform/version.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { creatorInfo } from "../runs/run-item.ts";

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
