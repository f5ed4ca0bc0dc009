import type { Config } from "../../config/config.ts";
import { agentNotice } from "../../config/setting-notices.ts";
import { programVersion } from "../../platform/version.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { creatorInfo } from "../runs/run-item.ts";

export interface WhoamiDeps {
  config: Pick<Config, "agentCommand">;
  publicUrl: () => string;
  webhookUrl: () => string;
}

/** `GET /whoami`: what a client needs to know of its own key, for example to offer only what the key may do. */
export function whoamiEndpoints({ config, publicUrl, webhookUrl }: WhoamiDeps) {
  const version = programVersion();
  return {
    getWhoami: {
      async handle(request) {
        const key = keyOf(request);
        const notice = agentNotice(config);
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
