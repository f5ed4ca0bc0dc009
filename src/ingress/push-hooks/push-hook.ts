import type { IncomingMessage, RequestListener } from "node:http";
import { at } from "../../definitions/filters/payload-field.ts";
import type { BodyRoom } from "../../edge/body-room.ts";
import { createGuard, type GuardSettings } from "../../edge/guard.ts";
import { type Answer, guardedHandler, type HandlerDeps } from "../../edge/guarded-handler.ts";
import { parseJson, type RequestBody } from "../../edge/read-body.ts";
import { MillraceError } from "../../errors/error.ts";
import { type CheckSubject, pullRequestOf } from "../../forge/repository-forge.ts";
import { randomText } from "../../id.ts";
import { atMostEvery } from "../../log.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory, RunningFactory } from "../../reconcile/running-factory.ts";
import { webhookSecret } from "../../secrets/webhook-secret.ts";
import { type Arrival, headersOf } from "../arrival.ts";
import { compileScheme } from "../credential.ts";
import { PUSH_HOOK_SENDERS, type PushHookSender } from "./push-hook-senders.ts";

/** Every path below this prefix is a push hook and nothing else. */
const PREFIX = "/hooks/git/";
/** A push of many commits is told in megabytes; what is larger is found by the next poll. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;
const REFUSALS_LOGGED_MS = 10_000;
/** What is remembered of a name that nothing has. */
const MAX_COUNTED_NAME = 100;

export interface PushHookDeps extends HandlerDeps {
  factories: Pick<Factories, "find">;
  /** Has something of a factory checked. Resolves when that cannot be lost any more. */
  askForCheck(factoryUid: string, subject: CheckSubject): Promise<void>;
  /** The memory for bodies on their way. */
  room: BodyRoom;
  now: () => Date;
}

export function isPushHook(url: string | undefined): boolean {
  return url?.startsWith(PREFIX) === true;
}

/**
 * The push hook as one plain handler: a forge that proves that it knows the factory's secret has its source looked at,
 * now. Who does not prove it learns nothing: not even whether there is such a factory, or whether it takes hooks.
 */
export function createPushHook(settings: GuardSettings, deps: PushHookDeps): RequestListener {
  const guard = createGuard(settings, { room: deps.room, limit: MAX_BODY_BYTES, blocked });
  const report = atMostEvery(REFUSALS_LOGGED_MS, (refused: object) =>
    deps.log.warn(refused, "a push hook was refused"),
  );

  async function receive(request: IncomingMessage): Promise<Answer> {
    if (request.method !== "POST")
      throw new MillraceError("method_not_allowed", "Use POST to send push hooks.");
    const name = nameIn(request.url ?? "");
    const factory = deps.factories.find(name);
    // Names of nothing are counted one by one too: if they shared a budget, the one that has its own would be known by it.
    const target = factory?.record.uid ?? name.slice(0, MAX_COUNTED_NAME);
    const guarded = guard.enter(request, target, (reason) => {
      if (factory) report({ factory: factory.record.name, reason });
    });
    guarded.requireNotBlocked();
    const body = await guarded.readBody();
    if ("tooLarge" in body) throw tooLarge();
    guarded.requireNotBlocked();
    const arrival = {
      headers: headersOf(request.rawHeaders),
      urlToken: undefined,
      now: deps.now().getTime(),
    };
    const proved = await authenticate(arrival, body, factory);
    if ("reason" in proved) {
      guarded.fail(proved.reason);
      throw unauthenticated();
    }
    return takeUp(arrival, body, proved);
  }

  async function takeUp(
    { headers }: Arrival,
    body: RequestBody,
    { sender, factory }: Proved,
  ): Promise<Answer> {
    const payload = payloadOf(body);
    const event = sender.event && headers[sender.event.header]?.[0];
    const asked = isCheckEvent(event, sender)
      ? findAskedCheck(event, payload, factory)
      : findReasonToIgnore(event, payload, sender, factory);
    if ("ignored" in asked) return { status: 200, body: { status: "ignored", reason: asked.ignored } };
    if ("subject" in asked) await deps.askForCheck(factory.record.uid, asked.subject);
    // Nobody waits for it: pushes that come meanwhile share the next look.
    // By its uid: another source may have taken the factory over while the body came in.
    else deps.factories.find(factory.record.uid)?.pushed();
    return { status: 202, body: { status: "accepted" } };
  }

  return guardedHandler({ ...deps, receive, failure: "a push hook failed" });
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
  sender: PushHookSender;
  factory: RunningFactory;
}

/** A factory that is not there is looked at as long as one that is: with a secret that nobody knows. */
async function authenticate(
  arrival: Arrival,
  body: RequestBody,
  factory: RunningFactory | undefined,
): Promise<Proved | { reason: string }> {
  const secret = await factory?.hookSecret();
  const sender = PUSH_HOOK_SENDERS.find(({ signs }) => signs.some((header) => arrival.headers[header]));
  if (!sender) return { reason: "the request has no supported signature header" };
  const checked = compileScheme(sender.scheme, webhookSecret(secret ?? "") || randomText(40)).check(
    arrival,
    body,
  );
  if (!factory || !secret)
    return { reason: "the factory has no secret for push hooks: set MILLRACE_HOOK_SECRET" };
  return checked.ok ? { sender, factory } : { reason: checked.reason };
}

function isCheckEvent(event: string | undefined, { hasChecks }: PushHookSender): event is CheckEvent {
  return hasChecks === true && CHECK_EVENTS.some((name) => name === event);
}

/** What of a pull request that is what it says it is has to be checked, or why nothing has. */
function findAskedCheck(event: CheckEvent, payload: unknown, { record, forge }: Factory): AskedCheck {
  if (!forge || !("branch" in record.source)) {
    return { ignored: `${event} is not a push, and the factory has no github: in millrace.yaml` };
  }
  const repository = at(payload, "repository", "full_name");
  if (String(repository).toLowerCase() !== forge.repository.toLowerCase()) {
    return { ignored: `the repository of this factory is ${forge.repository}` };
  }
  return checkAskedBy(event, payload, { branch: record.source.branch, checkName: forge.checkName });
}

/** Why a push that is what it says it is concerns nobody here; nothing to ignore when it does. */
function findReasonToIgnore(
  named: string | undefined,
  payload: unknown,
  { event, refs, repository }: PushHookSender,
  { record, forge }: Factory,
): { ignored: string } | Record<string, never> {
  if (named !== undefined && !event?.pushes.includes(named)) return { ignored: `${named} is not a push` };
  if (!("branch" in record.source)) return {};
  const { url, branch } = record.source;
  if (isOtherRepository(repository?.(payload), [repositoryIn(url), forge?.repository])) {
    return { ignored: `the repository of this factory is ${forge?.repository ?? repositoryIn(url)}` };
  }
  const pushed = refs(payload).filter((name) => name !== undefined);
  if (pushed.length === 0 || pushed.includes(`refs/heads/${branch}`)) return {};
  return { ignored: `the production branch is ${branch}` };
}

/** GitHub sends a form unless it is told otherwise. */
function payloadOf({ bytes, json }: RequestBody): unknown {
  const parsed = json();
  if (parsed) return parsed.value;
  const payload = new URLSearchParams(bytes.toString()).get("payload");
  return payload === null ? undefined : parseJson(Buffer.from(payload))?.value;
}

function blocked(retryAfter: number): MillraceError {
  const message = `Too many push hooks from this address failed authentication; try again in ${retryAfter} s.`;
  return new MillraceError("rate_limited", message, { retryAfter });
}

function tooLarge(): MillraceError {
  return new MillraceError("payload_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes.`);
}

function unauthenticated(): MillraceError {
  return new MillraceError("authentication_required", "The push hook could not be authenticated.");
}

/** Events of GitHub that may ask for a check: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
const CHECK_EVENTS = ["pull_request", "check_run", "check_suite"] as const;
type CheckEvent = (typeof CHECK_EVENTS)[number];

/** The factory that hears of an event. */
export interface CheckedFactory {
  /** The production branch. */
  branch: string;
  checkName: string;
}

/** What is to be checked, or why nothing is. */
type AskedCheck = { subject: CheckSubject } | { ignored: string };

/**
 * What an event asks for. Pure. Only numbers and hashes are taken from it: the forge is asked for the rest.
 * @param payload of a hook that has proved itself, about the factory's own repository
 */
function checkAskedBy(event: CheckEvent, payload: unknown, factory: CheckedFactory): AskedCheck {
  return ASKED[event](payload, factory);
}

const ASKED: Record<CheckEvent, (payload: unknown, factory: CheckedFactory) => AskedCheck> = {
  pull_request(payload, { branch }) {
    const action = at(payload, "action");
    const base = at(payload, "pull_request", "base", "ref");
    const number = at(payload, "pull_request", "number");
    if (base !== branch) return { ignored: `the pull request is not for ${branch}` };
    if (!isNews(action, payload)) return { ignored: `nothing new to check: ${action}` };
    return typeof number === "number" ? { subject: { pullRequest: number } } : UNREADABLE;
  },
  check_run(payload, { checkName }) {
    if (at(payload, "action") !== "rerequested") return NOT_ASKED;
    const number = pullRequestOf(at(payload, "check_run", "external_id"));
    const isOwn = at(payload, "check_run", "name") === checkName && number !== undefined;
    return isOwn
      ? { subject: { pullRequest: number } }
      : { ignored: "the check does not belong to this factory" };
  },
  check_suite(payload) {
    if (at(payload, "action") !== "rerequested") return NOT_ASKED;
    const head = at(payload, "check_suite", "head_sha");
    return typeof head === "string" && /^[0-9a-f]{40,64}$/.test(head) ? { subject: { head } } : UNREADABLE;
  },
};

const NOT_ASKED: AskedCheck = { ignored: "no re-run of a check was requested" };
const UNREADABLE: AskedCheck = { ignored: "the event does not specify a pull request or commit to check" };

/** Another base is another merge; what else is edited changes no file. */
function isNews(action: unknown, payload: unknown): boolean {
  if (action === "edited") return at(payload, "changes", "base") !== undefined;
  return action === "opened" || action === "synchronize" || action === "reopened";
}

/** `user@host:path`, the short form of an ssh URL. */
const SCP_LIKE = /^[^/]+?:(?!\/\/)(.+)$/;

/** The path of a repository on its forge, in small letters; nothing for a URL that says none, such as that of a folder. */
export function repositoryIn(url: string): string | undefined {
  const path = pathOf(url)
    ?.replace(/^\/+|\/+$/g, "")
    .replace(/\.git$/, "")
    .toLowerCase();
  // A name alone may be anything: an alias, or what a proxy makes of it.
  return path?.includes("/") ? path : undefined;
}

function pathOf(url: string): string | undefined {
  if (/^(https?|ssh|git):\/\//.test(url) && URL.canParse(url)) return new URL(url).pathname;
  return url.includes("://") || url.startsWith("/") ? undefined : SCP_LIKE.exec(url)?.[1];
}

/**
 * Whether a hook is about another repository than that of a factory. Where one of the two does not say, it is not.
 * @param named `owner/name`, as the hook says it
 * @param known `owner/name`, or longer paths that end so, as a proxy or a group above has them
 */
export function isOtherRepository(
  named: string | undefined,
  known: readonly (string | undefined)[],
): boolean {
  const comparable = known.filter((path) => path !== undefined);
  if (named === undefined || comparable.length === 0) return false;
  const wanted = named.toLowerCase();
  return !comparable.some((path) => `/${path.toLowerCase()}`.endsWith(`/${wanted}`));
}
