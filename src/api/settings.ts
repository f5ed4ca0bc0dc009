import type { Config } from "../config/config.ts";
import { settingRows } from "../config/setting-rows.ts";
import { type Endpoints, unlimitedKeyOf } from "./endpoint.ts";

export interface SettingParts {
  config: Config;
}

export function settingEndpoints({ config }: SettingParts): Endpoints {
  return {
    listSettings: {
      role: "admin",
      async handle(request) {
        unlimitedKeyOf(request);
        const settings = settingRows(config).map(({ isDefault, ...row }) => ({
          ...row,
          is_default: isDefault,
        }));
        return { json: { settings } };
      },
    },
  };
}
