import type { AuditQuery } from "../../api/models.ts";

const NAMES = ["actor", "action", "factory", "since", "until"] as const;

/** What an address asks the API for. What it does not know is left out; what the API does not take, the API says. */
export function auditQueryOf(search: URLSearchParams): AuditQuery {
  const query: AuditQuery = {};
  for (const name of NAMES) {
    const value = search.get(name);
    if (value) query[name] = value;
  }
  return query;
}
