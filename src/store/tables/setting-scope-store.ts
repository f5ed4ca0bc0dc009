import type { SettingScopeStore } from "../../secrets/setting-scopes.ts";
import type { Database } from "../sqlite/database.ts";
import { listScopes, putScope } from "./scope-rows.ts";

const SCOPES = "setting_scopes";

/** The scopes of what the settings give, on one database connection. */
export function settingScopeStore(db: Database): SettingScopeStore {
  return {
    list: () => listScopes(db, SCOPES),
    async put(scopes) {
      for (const scope of scopes) await putScope(db, SCOPES, scope);
    },
  };
}
