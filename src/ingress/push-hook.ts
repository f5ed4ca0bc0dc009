import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { ERROR_CODES, errorMessage, MillraceError } from "../error.ts";
import type { CheckSubject } from "../forge/check-subject.ts";
import { newUuid, randomText } from "../id.ts";
import { atMostEvery, type Log } from "../log.ts";
import { PROBLEM_MEDIA_TYPE, problemDetails } from "../problem-details.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import { webhookSecret } from "../secrets/webhook-secret.ts";
import { answerRefused } from "./answer-refused.ts";
import { type Arrival, fieldOf, headersOf } from "./arrival.ts";
import type { BodyRoom } from "./body-room.ts";
import { failureBudget } from "./budget.ts";
import { type AskedCheck, CHECK_EVENTS, type CheckEvent, checkAskedBy } from "./check-hook.ts";
import { clientAddress } from "./client-address.ts";
import { compileScheme } from "./credential.ts";
import type { GateSettings } from "./gate.ts";
import { PUSH_HOSTS, type PushHost } from "./push-hosts.ts";
import { isOtherRepository, repositoryIn } from "./pushed-repository.ts";
import { bodyReader, type DeliveryBody, parseJson, SenderGone } from "./read-body.ts";

/** Every path below this prefix is a push hook and nothing else. */
const PREFIX = "/hooks/git/";
/** A push of many commits is told in megabytes; what is larger is found by the next poll. */
const LARGEST_BODY_BYTES = 5 * 1024 * 1024;
const REFUSALS_LOGGED_MS = 10_000;
/** What is remembered of a name that nothing has. */
const LONGEST_COUNTED_NAME = 100;

export interface PushHookParts {
  factories: Pick<Factories, "find" | "pushed">;
  /** Has something of a factory checked. Resolves when that cannot be lost any more. */
  askForCheck(factoryUid: string, subject: CheckSubject): Promise<void>;
  /** The memory for bodies on their way. */
  room: BodyRoom;
  publicUrl: () => string;
  log: Log;
  now: () => Date;
}

export function isPushHook(url: string | undefined): boolean {
  return url?.startsWith(PREFIX) === true;
}

/** What a git host is told that has proved itself. */
type Told = { status: 202 | 200; body: { status: "accepted" | "ignored"; reason?: string } };

/**
 * The push hook as one plain handler: a git host that proves that it knows the factory's secret has its source looked at,
 * now. Who does not prove it learns nothing: not even whether there is such a factory, or whether it takes hooks.
 */
export function createPushHook(
  settings: Pick<GateSettings, "failedAuthPerMinute" | "trustProxy">,
  parts: PushHookParts,
): RequestListener {
  const failures = failureBudget(settings.failedAuthPerMinute, () => performance.now());
  const addressOf = clientAddress(settings.trustProxy);
  const readBody = bodyReader({
    room: parts.room,
    limit: LARGEST_BODY_BYTES,
  });
  const report = atMostEvery(REFUSALS_LOGGED_MS, (refused: object) =>
    parts.log.warn(refused, "a push hook was refused"),
  );

  async function receive(request: IncomingMessage): Promise<Told> {
    if (request.method !== "POST") throw new MillraceError("method_not_allowed", "Push hooks are POSTed.");
    const name = nameIn(request.url ?? "");
    const factory = parts.factories.find(name);
    // Names of nothing are counted one by one too: if they shared a budget, the one that has its own would be known by it.
    const visitor = `${factory?.record.uid ?? name.slice(0, LONGEST_COUNTED_NAME)} ${addressOf(request)}`;
    const requireNotKeptOut = () => {
      const seconds = failures.blockedFor(visitor);
      if (seconds > 0) throw keptOut(seconds);
    };
    const fail = <Failure extends Error>(reason: string, error: Failure): Failure => {
      failures.fail(visitor);
      if (factory) report({ factory: factory.record.name, reason });
      return error;
    };

    requireNotKeptOut();
    const body = await readBody(request).catch((error) => {
      // What the server has no room for is not the sender's doing.
      throw error instanceof SenderGone ? fail("the body was not sent to its end", error) : error;
    });
    requireNotKeptOut();
    if ("tooLarge" in body) throw fail("the body is too large", tooLarge());
    const arrival = {
      headers: headersOf(request.rawHeaders),
      urlToken: undefined,
      now: parts.now().getTime(),
    };
    const proved = await authenticate(arrival, body, factory);
    if ("reason" in proved) throw fail(proved.reason, unauthenticated());
    return takeUp(arrival, body, proved);
  }

  async function takeUp({ headers }: Arrival, body: DeliveryBody, { host, factory }: Proved): Promise<Told> {
    const payload = payloadOf(body);
    const event = host.event && headers[host.event.header]?.[0];
    const asked = isCheckEvent(event, host)
      ? whatToCheck(event, payload, factory)
      : whatToLookAt(event, payload, host, factory);
    if ("ignored" in asked) return { status: 200, body: { status: "ignored", reason: asked.ignored } };
    if ("subject" in asked) await parts.askForCheck(factory.record.uid, asked.subject);
    // Nobody waits for it: pushes that come meanwhile share the next look.
    else parts.factories.pushed(factory.record.uid);
    return { status: 202, body: { status: "accepted" } };
  }

  return (request, response) => {
    receive(request).then(
      ({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      },
      (error) => answerError(request, response, error, parts),
    );
  };
}

function nameIn(url: string): string {
  const name = url.slice(PREFIX.length).split("?", 1)[0] ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

interface Proved {
  host: PushHost;
  factory: Factory;
}

/** A factory that is not there is looked at as long as one that is: with a secret that nobody knows. */
async function authenticate(
  arrival: Arrival,
  body: DeliveryBody,
  factory: Factory | undefined,
): Promise<Proved | { reason: string }> {
  const secret = await factory?.hookSecret();
  const host = PUSH_HOSTS.find(({ signs }) => signs.some((header) => arrival.headers[header]));
  if (!host) return { reason: "it carries no signature that is known" };
  const checked = compileScheme(host.scheme, webhookSecret(secret ?? "") || randomText(40)).check(
    arrival,
    body,
  );
  if (!factory || !secret)
    return { reason: "the factory has no secret for push hooks: set MILLRACE_HOOK_SECRET" };
  return checked.ok ? { host, factory } : { reason: checked.reason };
}

function isCheckEvent(event: string | undefined, { hasChecks }: PushHost): event is CheckEvent {
  return hasChecks === true && CHECK_EVENTS.some((name) => name === event);
}

/** What of a pull request that is what it says it is has to be checked, or why nothing has. */
function whatToCheck(event: CheckEvent, payload: unknown, { record, codeHost }: Factory): AskedCheck {
  if (!codeHost || !("branch" in record.source)) {
    return { ignored: `${event} is no push, and the factory has no github: in millrace.yaml` };
  }
  const repository = fieldOf(payload, ["repository", "full_name"]);
  if (String(repository).toLowerCase() !== codeHost.repository.toLowerCase()) {
    return { ignored: `the repository of this factory is ${codeHost.repository}` };
  }
  return checkAskedBy(event, payload, { branch: record.source.branch, checkName: codeHost.checkName });
}

/** Why a push that is what it says it is concerns nobody here; nothing to ignore when it does. */
function whatToLookAt(
  named: string | undefined,
  payload: unknown,
  { event, refs, repository }: PushHost,
  { record, codeHost }: Factory,
): { ignored: string } | Record<string, never> {
  if (named !== undefined && !event?.pushes.includes(named)) return { ignored: `${named} is no push` };
  if (!("branch" in record.source)) return {};
  const { url, branch } = record.source;
  if (isOtherRepository(repository?.(payload), [repositoryIn(url), codeHost?.repository])) {
    return { ignored: `the repository of this factory is ${codeHost?.repository ?? repositoryIn(url)}` };
  }
  const pushed = refs(payload).filter((name) => name !== undefined);
  if (pushed.length === 0 || pushed.includes(`refs/heads/${branch}`)) return {};
  return { ignored: `the production branch is ${branch}` };
}

/** GitHub sends a form unless it is told otherwise. */
function payloadOf({ bytes, json }: DeliveryBody): unknown {
  const parsed = json();
  if (parsed) return parsed.value;
  const payload = new URLSearchParams(bytes.toString()).get("payload");
  return payload === null ? undefined : parseJson(Buffer.from(payload))?.value;
}

function keptOut(retryAfter: number): MillraceError {
  const message = `Too many push hooks from this address could not be authenticated; try again in ${retryAfter} s.`;
  return new MillraceError("rate_limited", message, { retryAfter });
}

function tooLarge(): MillraceError {
  return new MillraceError("payload_too_large", `The body is larger than ${LARGEST_BODY_BYTES} bytes.`);
}

function unauthenticated(): MillraceError {
  return new MillraceError("authentication_required", "The push hook could not be authenticated.");
}

function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  { publicUrl, log }: PushHookParts,
): void {
  if (error instanceof SenderGone || (request.destroyed && !request.complete)) return;
  const known = error instanceof MillraceError ? error : undefined;
  const traceId = newUuid();
  if (!known) log.error({ trace_id: traceId, error: errorMessage(error) }, "a push hook failed");
  const place = { publicUrl: publicUrl(), instance: request.url?.split("?", 1)[0] ?? "", traceId };
  if (known?.code === "method_not_allowed") response.setHeader("allow", "POST");
  if (known?.retryAfter !== undefined) response.setHeader("retry-after", String(known.retryAfter));
  answerRefused(request, response, {
    status: ERROR_CODES[known?.code ?? "internal_error"].status,
    mediaType: PROBLEM_MEDIA_TYPE,
    text: JSON.stringify(problemDetails(error, place)),
    isLarge: known?.code === "payload_too_large",
  });
}
