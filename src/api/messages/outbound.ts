import { randomBytes } from "node:crypto";
import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import type {
  OutboundMessage,
  OutboundMessageHead,
  OutboundSender,
  OutboundStore,
} from "../../messages/outbound-events.ts";
import type { TargetStanding } from "../../messages/outbox.ts";
import { messageId } from "../../messages/send.ts";
import { type OutboundTarget, originOf } from "../../messages/target.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { reconcileSharedSecret } from "../../reconcile/shared-secrets.ts";
import { includesFactory, onlyFor } from "../../secrets/rules/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import { requireOwnSecret } from "../admin/secrets.ts";
import { findFactory } from "../factories/factories.ts";
import {
  type ApiRequest,
  type Called,
  type Endpoints,
  keyOf,
  type OperationId,
  unlimitedKeyOf,
} from "../http/endpoint.ts";
import { type Cursors, cutPage, pageOf } from "../http/page.ts";
import type { SecretAnswers } from "../http/secret-answers.ts";

export interface OutboundApiDeps {
  outbound: Pick<OutboundStore, "listHeads" | "find" | "listStandings" | "sendAgain">;
  outboundSender: Pick<OutboundSender, "targets" | "test" | "wake" | "secretChanged" | "whyUnsigned">;
  factories: Factories;
  cursors: Cursors;
  now: () => Date;
}

/** A request of an operation for the settings, or of the same one for a factory, whose path has more. */
export type AnyRequest<Id extends OperationId> = Omit<ApiRequest<Id>, "operation"> & {
  operation: OperationId;
};

/** A request about outbound webhooks: of a factory, or else of the settings. */
type Place = Called & { path: object };

/** Outbound webhooks, what they have sent and what waits, and sending it again. */
export function outboundEndpoints(deps: OutboundApiDeps) {
  const { outbound, outboundSender, cursors, now } = deps;

  async function list(request: AnyRequest<"listServerOutbound">) {
    const { items, pageInfo } = pageOf(targetsAt(request, deps), ({ name }) => name, request, cursors);
    const standings = await outbound.listStandings(items.map(({ id }) => id));
    const views = items.map((target, index) => outboundView(target, standings[index], now()));
    return { json: { outbound: views, page_info: pageInfo } };
  }

  async function get(request: AnyRequest<"getServerOutbound">) {
    const target = findOutbound(request, deps);
    const [standing] = await outbound.listStandings([target.id]);
    return { json: outboundView(target, standing, now()) };
  }

  async function listDeliveries(request: AnyRequest<"listServerOutboundDeliveries">) {
    const { limit, cursor, state, event } = request.query;
    const target = findOutbound(request, deps).id;
    const scope = { list: "outbound", target, state: state?.join(), event: event?.join() };
    const [before] = cursor ? cursors.decode(scope, cursor, 1) : [];
    const found = await outbound.listHeads({
      limit: limit + 1,
      target,
      ...(before === undefined ? {} : { before }),
      ...(state === undefined ? {} : { states: state }),
      ...(event === undefined ? {} : { events: event }),
    });
    const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(scope, [last.id]));
    return { json: { deliveries: items.map(outboundDeliveryView), page_info: pageInfo } };
  }

  async function getDelivery(request: AnyRequest<"getServerOutboundDelivery">) {
    const message = await findMessage(request);
    return { json: { ...outboundDeliveryView(message), body: { ...message.content } } };
  }

  async function redeliver(request: AnyRequest<"redeliverServerOutbound">) {
    const target = requireEnabled(findOutbound(request, deps));
    const { id } = await findMessage(request);
    if (!(await outbound.sendAgain(id, now().toISOString()))) throw noDelivery(target, id);
    outboundSender.wake(target.id);
    return { json: outboundDeliveryView(await findMessage(request)) };
  }

  async function test(request: AnyRequest<"testServerOutbound">) {
    const target = requireEnabled(findOutbound(request, deps));
    return { json: outboundDeliveryView(await outboundSender.test(target)) };
  }

  async function findMessage(
    request: Place & { path: { name: string; id: string } },
  ): Promise<OutboundMessage> {
    const target = findOutbound(request, deps);
    const message = await outbound.find(request.path.id);
    if (message?.target === target.id) return message;
    throw noDelivery(target, request.path.id);
  }

  return {
    listOutbound: { handle: list },
    listServerOutbound: { handle: list },
    getOutbound: { handle: get },
    getServerOutbound: { handle: get },
    listOutboundDeliveries: { handle: listDeliveries },
    listServerOutboundDeliveries: { handle: listDeliveries },
    getOutboundDelivery: { handle: getDelivery },
    getServerOutboundDelivery: { handle: getDelivery },
    redeliverOutbound: { handle: redeliver },
    redeliverServerOutbound: { handle: redeliver },
    testOutbound: { handle: test },
    testServerOutbound: { handle: test },
  } satisfies Endpoints;
}

/** The outbound webhooks of the factory that the path names, else those of the settings. @throws MillraceError */
function targetsAt(
  request: Place,
  { outboundSender, factories }: Pick<OutboundApiDeps, "outboundSender" | "factories">,
): OutboundTarget[] {
  const { caller, path } = request;
  if (!("factory" in path)) {
    unlimitedKeyOf(request);
    return outboundSender.targets().filter(({ owner }) => owner === null);
  }
  const { uid } = findFactory({ caller, path: { factory: String(path.factory) } }, factories).record;
  return outboundSender.targets().filter(({ owner }) => owner?.uid === uid);
}

/** The outbound webhook that the path names. @throws MillraceError `resource_not_found` */
export function findOutbound(
  request: Place & { path: { name: string } },
  deps: Pick<OutboundApiDeps, "outboundSender" | "factories">,
): OutboundTarget {
  const { name } = request.path;
  const found = targetsAt(request, deps).find((target) => target.name === name);
  if (found) return found;
  throw new MillraceError("resource_not_found", `There is no outbound webhook ${JSON.stringify(name)}.`, {
    remedy:
      "`millrace outbound list` shows the outbound webhooks of a factory, and those of the settings with --server-wide.",
  });
}

function requireEnabled(target: OutboundTarget): OutboundTarget {
  if (target.isEnabled) return target;
  throw new MillraceError(
    "conflict",
    `The outbound webhook "${target.name}" is disabled, so nothing is sent.`,
    { remedy: "Set enabled: true where it is defined, and try again.", retryable: false },
  );
}

function noDelivery({ name }: OutboundTarget, id: string): MillraceError {
  return new MillraceError(
    "resource_not_found",
    `The outbound webhook "${name}" has no delivery ${JSON.stringify(id)}.`,
    {
      remedy: `\`millrace outbound deliveries ${name}\` shows its deliveries.`,
    },
  );
}

/** An outbound webhook in the shape of the API, with what is known of its receiver. */
export function outboundView(
  target: OutboundTarget,
  standing: TargetStanding | undefined,
  now: Date,
): Models["Outbound"] {
  const { failures = 0, waiting = 0, restsUntil = null, failedBy = null, last = null } = standing ?? {};
  const opensAt = restsUntil !== null && Date.parse(restsUntil) > now.getTime() ? restsUntil : null;
  return {
    name: target.name,
    path: target.path ?? null,
    factory: target.owner?.name ?? null,
    factory_uid: target.owner?.uid ?? null,
    origin: originOf(target),
    secret_name: target.secretName ?? null,
    events: [...target.events],
    ...(target.pattern === undefined ? {} : { filter: target.pattern }),
    ...(target.factories === undefined ? {} : { factories: [...target.factories] }),
    enabled: target.isEnabled,
    ordered: target.isOrdered,
    state: stateOf(target, {
      isGone: standing?.gone === target.fingerprint,
      isOpen: opensAt !== null,
      failures,
    }),
    waiting,
    failures,
    next_attempt_at: opensAt,
    last_state: last?.state ?? null,
    last_at: last ? (last.endedAt ?? last.createdAt) : null,
    last_error: failedBy ?? last?.lastError ?? null,
  };
}

function stateOf(
  { isEnabled }: OutboundTarget,
  { isGone, isOpen, failures }: { isGone: boolean; isOpen: boolean; failures: number },
): Models["Outbound"]["state"] {
  if (!isEnabled) return "disabled";
  if (isGone) return "stopped";
  if (isOpen) return "open";
  return failures > 0 ? "failing" : "ready";
}

/** A delivery of an outbound webhook, without its body. */
function outboundDeliveryView(message: OutboundMessageHead): Models["OutboundDelivery"] {
  const { response } = message;
  return {
    id: message.id,
    webhook_id: messageId(message.id),
    event: message.event,
    state: message.state,
    factory_uid: message.factoryUid,
    run_id: message.runId,
    attempts: message.attempts,
    last_error: message.lastError,
    response: response && {
      status: response.status,
      body: response.body,
      at: response.at,
      duration_ms: response.ms,
    },
    created_at: message.createdAt,
    redelivered_at: message.requestedAt,
    next_attempt_at: message.nextAttemptAt,
    ended_at: message.endedAt,
  };
}

export interface OutboundSecretDeps extends OutboundApiDeps {
  vault: Vault;
  secretAnswers: SecretAnswers;
}

/** As many as HMAC-SHA256 has use for. */
const SECRET_BYTES = 32;

/** Makes the signing secret of an outbound webhook, which is shown once. */
export function outboundSecretEndpoints(deps: OutboundSecretDeps) {
  const { vault, factories, secretAnswers, outboundSender } = deps;
  return {
    rotateOutboundSecret: {
      handle: (request) =>
        secretAnswers.once(request, async () => {
          const { uid, name: factory } = findFactory(request, factories).record;
          const { secretName: name = "" } = findOutbound(request, deps);
          const found = await vault.scopeOf(name);
          const key = keyOf(request);
          requireOwnSecret({ name, found, key }, vault);
          if (vault.isOfServer(name) || (found && !includesFactory(found, uid)))
            throw ofOthers(name, factory);
          const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
          await vault.set(name, secret, found ?? onlyFor([uid]), found);
          reconcileSharedSecret(name, factories);
          // What its receiver refused was signed with the secret before.
          await outboundSender.secretChanged(name);
          return { json: { secret_name: name, secret } };
        }),
    },
  } satisfies Endpoints;
}

function ofOthers(name: string, factory: string): MillraceError {
  return new MillraceError(
    "conflict",
    `The factory "${factory}" may not use a secret with the name ${name}.`,
    {
      remedy: "Set another secretName in the file of the outbound webhook.",
      retryable: false,
    },
  );
}
