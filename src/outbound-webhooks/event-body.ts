import type { Factories } from "../reconcile/factories.ts";
import { findByUid } from "../reconcile/find-by-uid.ts";
import type { ChangeEvent, EventBody, EventDetails } from "./outbound-event.ts";

/** Reads the resource that an event happened to, as the API gives it. */
export interface EventResources {
  /** @returns nothing for one that was deleted since */
  read(event: ChangeEvent): Promise<{ data: object; details?: EventDetails } | undefined>;
  /** The factory of what such an event would be about, null for a run without one. @returns nothing where there is no such thing */
  factoryOf(event: Pick<ChangeEvent, "type" | "subject">): Promise<string | null | undefined>;
}

export interface EventBodyDeps {
  resources: Pick<EventResources, "read">;
  factories: Pick<Factories, "find">;
}

const MAX_BODY_BYTES = 256 * 1024;

/** The body that tells of an event, before it is bounded. @returns nothing when what it is about was deleted since */
export async function eventBody(
  event: ChangeEvent,
  { resources, factories }: EventBodyDeps,
): Promise<EventBody | undefined> {
  const found = await resources.read(event);
  if (!found) return undefined;
  const record = findByUid(event.factoryUid, factories)?.record;
  const details = found.details ?? event.details;
  return {
    type: event.type,
    timestamp: event.at,
    factory: record ? { uid: record.uid, name: record.name } : null,
    ...(details ? { details } : {}),
    data: found.data,
  };
}

/** A body without the largest fields of its resource, as many of them as keep it from being small enough. */
export function boundedBody(body: EventBody): EventBody {
  if (sizeOf(body) <= MAX_BODY_BYTES) return body;
  const fields = Object.entries(body.data)
    .map(([name, value]) => ({ name, size: sizeOf(value) }))
    .sort((a, b) => b.size - a.size);
  const left: string[] = [];
  let data = { ...body.data };
  for (const { name } of fields) {
    left.push(name);
    data = Object.fromEntries(Object.entries(data).filter(([each]) => each !== name));
    const bounded = { ...body, data, left_out: left };
    if (sizeOf(bounded) <= MAX_BODY_BYTES) return bounded;
  }
  return { ...body, data: {}, left_out: left };
}

/** The bytes of a value as JSON. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
