import { factoryPath } from "../../../parts/factory-path.ts";

/** The factory whose outbound webhooks are meant; null for those of the settings. */
export type Place = string | null;

/** The address of the page of an outbound webhook. */
export function outboundPath(place: Place, name: string): string {
  return place === null ? `/outbound/${encodeURIComponent(name)}` : factoryPath(place, "outbound", name);
}
