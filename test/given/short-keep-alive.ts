interface Dispatcher {
  new (options: { keepAliveTimeout: number; keepAliveMaxTimeout: number }): object;
}

/** Where Node keeps what `fetch` sends with; undici documents the symbol for that purpose. */
const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

// A server closes a connection that rests for five seconds. Where the process of the tests is busy for a second, `fetch` would send
// a request over such a connection just then, and fail. So it gives up a connection long before its server does.
await fetch("data:,");
const present = (globalThis as unknown as Record<symbol, { constructor: Dispatcher }>)[GLOBAL_DISPATCHER];
if (!present) throw new Error("Node keeps what `fetch` sends with somewhere else now.");
const Agent = present.constructor;
Object.assign(globalThis, {
  [GLOBAL_DISPATCHER]: new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 }),
});
