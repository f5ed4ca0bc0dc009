import type { Config } from "../../config/config.ts";
import { settingRows } from "../../config/setting-rows.ts";
import { type Endpoints, unlimitedKeyOf } from "../http/endpoint.ts";

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
