import type { Millrace } from "../../../src/client/client.ts";

export type { Models } from "../../../src/client/client.ts";

/** What deliveries can be asked for by. */
export type DeliveryQuery = NonNullable<Parameters<Millrace["deliveries"]["listAll"]>[0]>;

/** What runs can be asked for by. */
export type RunQuery = NonNullable<Parameters<Millrace["runs"]["list"]>[0]>;
