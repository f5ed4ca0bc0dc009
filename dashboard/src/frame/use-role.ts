import { useQuery } from "@tanstack/react-query";
import type { Models } from "../api/client.ts";
import { whoamiQuery } from "../api/queries.ts";

type Role = Models["Whoami"]["role"];
const RANKS: readonly Role[] = ["viewer", "operator", "admin"];

/** Whether who is signed in may do what needs a role: what they may not is not offered. */
export function useMay(needed: Role): boolean {
  const { data } = useQuery(whoamiQuery);
  return data ? RANKS.indexOf(data.role) >= RANKS.indexOf(needed) : false;
}

/** Whether they may do what belongs to the whole server, for which a key limited to some factories is not enough. */
export function useMayForServer(needed: Role): boolean {
  const { data } = useQuery(whoamiQuery);
  return useMay(needed) && data?.factories === null;
}

/** Whether they may change the definition of a factory here: millrace keeps it, and their key is an admin's. */
export function useMayEdit(factory: Models["Factory"] | undefined): boolean {
  return useMay("admin") && factory?.mode === "managed";
}
