import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { rateBudget } from "../../src/concurrency/budget.ts";
import type { Webhook } from "../../src/definitions/definition.ts";
import { createBodyRoom, type RoomSize } from "../../src/edge/body-room.ts";
import { createGuard } from "../../src/edge/guard.ts";
import { newUid } from "../../src/id.ts";
import { compileCredential } from "../../src/ingress/credential.ts";
import { MAX_BODY_BYTES } from "../../src/ingress/delivery.ts";
import { ingressHandler } from "../../src/ingress/gate.ts";
import { blocked } from "../../src/ingress/refusal.ts";
import type { WebhookTable } from "../../src/ingress/webhook-table.ts";
import { silentLog } from "../../src/log.ts";
import { onFinished } from "./cleanup.ts";
import { aFactory } from "./factory.ts";
import { hmacOf } from "./sender.ts";
import { aStore } from "./store.ts";

const AMPLE = 1_000_000;

export interface IngressSize {
  deliveriesPerMinute?: number;
  failuresPerMinute?: number;
  room?: RoomSize;
}

/** The ingress in this process with one webhook: real HTTP, a real store, and a definition that is changed by a call. */
export async function anIngress(
  webhook: Webhook,
  secret: string,
  {
    deliveriesPerMinute = AMPLE,
    failuresPerMinute = AMPLE,
    room = { bytes: AMPLE, bodies: 10 },
  }: IngressSize,
) {
  const { deliveries: store, factories } = await aStore();
  const { uid: factoryUid, generation } = await factories.create(aFactory());
  const uid = newUid();
  let table: WebhookTable = new Map();
  const define = (changed: Webhook | undefined, value = secret) => {
    table = new Map();
    if (!changed) return;
    const { name, deliveryIdHeader } = changed;
    const credential = compileCredential(changed, value);
    const header = deliveryIdHeader?.toLowerCase();
    const entry = {
      uid,
      name,
      factoryUid,
      generation,
      credential,
      deliveryIdHeader: header,
      eventHeader: undefined,
      provider: undefined,
    };
    table = new Map([[uid, { ...entry, listeners: [] }]]);
  };
  define(webhook);
  const clock = () => performance.now();
  const server = createServer(
    ingressHandler({
      store,
      webhooks: () => table,
      catchUp: async () => {},
      isShared: false,
      own: { includes: () => false },
      guard: createGuard(
        { failedAuthPerMinute: failuresPerMinute, trustProxy: [] },
        { room: createBodyRoom(room), limit: MAX_BODY_BYTES, blocked },
      ),
      deliveryBudget: rateBudget(deliveriesPerMinute, clock),
      refusalBudget: rateBudget(AMPLE, clock),
      match: async () => [],
      onKeys() {},
      dropped: { count() {} },
      onRuns() {},
      onRecorded() {},
      onRefused() {},
      onAnswered() {},
      publicUrl: () => "http://here",
      log: silentLog,
      now: () => new Date(),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/w/${uid}`;
  return {
    url,
    /** Brings another definition of the webhook into force, or one that has it no more. */
    define,
    outcomes: async () =>
      (await store.listByWebhook({ factoryUid, uid }, { limit: 100 })).map(({ outcome }) => outcome),
  };
}

/** What a sender of GitHub's signs a body with. */
export function githubSignature(body: string, secret: string): Record<string, string> {
  return { "x-hub-signature-256": `sha256=${hmacOf(body, secret)}` };
}
