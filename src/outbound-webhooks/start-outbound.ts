import type { OutboundSetting } from "../config/outbound-events.ts";
import type { Log } from "../log.ts";
import { OutboundError } from "../outbound/address-rules.ts";
import type { OutboundClient } from "../outbound/outbound-client.ts";
import type { FollowDeps } from "../outbox/follow-changes.ts";
import type { Followed } from "../outbox/outbox.ts";
import { postSigned } from "../outbox/post-signed.ts";
import { type MessageOutcome, type RunningOutbox, startOutbox } from "../outbox/start-outbox.ts";
import { missingSecret, openTargetSecret, type TargetSecretDeps } from "../outbox/target.ts";
import { tryToSend, UNREADABLE_SECRET } from "../outbox/try-to-send.ts";
import type { Factories } from "../reconcile/factories.ts";
import type {
  EventBody,
  EventResources,
  OutboundMessage,
  OutboundStore,
  SentType,
} from "./outbound-event.ts";
import { readEvents } from "./read-events.ts";
import { listOutboundTargets, type OutboundTarget } from "./target.ts";

export interface OutboundDeps
  extends TargetSecretDeps,
    Pick<FollowDeps<Followed<SentType, EventBody>>, "leadership" | "catchUp" | "nextCommit"> {
  client: OutboundClient;
  factories: Pick<Factories, "find" | "list">;
  settings: readonly OutboundSetting[];
  store: OutboundStore;
  resources: EventResources;
  onEnded(outcome: MessageOutcome, count?: number): void;
  log: Log;
  now(): Date;
}

/** Posts the events that outbound webhooks name. */
export interface OutboundSender extends Omit<RunningOutbox<OutboundTarget, SentType, EventBody>, "sendTest"> {
  /** Sends a test at once. @returns how it ended, as the log shows it */
  test(target: OutboundTarget): Promise<OutboundMessage>;
  /** Why requests to a target cannot be signed now; nothing where they can. */
  whyUnsigned(target: OutboundTarget): Promise<string | undefined>;
}

/** So few changes at a time: the bodies of all their events are made before they are written. */
const PAGE = 200;
const MAX_KEPT_ANSWER_BYTES = 1_024;

/** Begins to follow the changes, and to send what waits from before the start. */
export function startOutbound(deps: OutboundDeps): OutboundSender {
  const { settings, store, factories, client, now, onEnded } = deps;
  const { sendTest, ...running } = startOutbox({
    ...deps,
    outbox: store,
    factories: factories.list(),
    targetsOf: (served) => listOutboundTargets(settings, served),
    page: PAGE,
    noun: "outbound event",
    startReading: async (targets) =>
      readEvents({ ...deps, onDropped: (count) => onEnded("dropped", count) }, targets),
    attempt: (target: OutboundTarget, message: OutboundMessage, failures, signal) =>
      tryToSend(() => post(target, message, signal), {
        message,
        fingerprint: target.fingerprint,
        ...{ failures, now },
      }),
  });

  /** @throws OutboundError when it has no value */
  async function secretOf({ secret }: OutboundTarget): Promise<string> {
    const value = await openTargetSecret(secret, deps);
    if (value === undefined || value === "") throw missingSecret(secret);
    return value;
  }

  async function post(target: OutboundTarget, { id, content }: OutboundMessage, signal: AbortSignal) {
    const secret = await secretOf(target);
    const options = { url: target.url, secret, id, client, now: now(), signal };
    return postSigned(JSON.stringify(content), { ...options, keepAnswer: MAX_KEPT_ANSWER_BYTES });
  }

  return {
    ...running,
    whyUnsigned: (target) =>
      secretOf(target).then(
        () => undefined,
        (error) => (error instanceof OutboundError ? error.message : UNREADABLE_SECRET),
      ),
    test: (target) =>
      sendTest(target, (timestamp) => ({ type: "test", timestamp, factory: target.owner, data: {} })),
  };
}
