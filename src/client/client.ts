import { Api, type ApiPromise, type Given, type PagePromise, type StreamOptions } from "./api.ts";
import { type CallOptions, type ClientOptions, settle } from "./options.ts";
import { Deliveries } from "./resources/deliveries.ts";
import { Automations, Factories, FactoryFiles } from "./resources/factories.ts";
import { Environments, Identities, Schedules } from "./resources/identities.ts";
import { Notifications, Outbound } from "./resources/outbound.ts";
import { Runs } from "./resources/runs.ts";
import { ApiKeys, Holds, Pauses, Secrets, Servers, Workers } from "./resources/servers.ts";
import { Tasks } from "./resources/tasks.ts";
import { Webhooks } from "./resources/webhooks.ts";
import type { Models, QueryAt } from "./typed-paths.ts";

export type { StreamOptions } from "./api.ts";
export { ApiPromise, Page, PagePromise } from "./api.ts";
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ConnectionTimeoutError,
  InternalServerError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  PreconditionFailedError,
  type ProblemDetails,
  RateLimitError,
  UnprocessableEntityError,
  WaitTimeoutError,
} from "./errors.ts";
export type { CallOptions, ClientOptions } from "./options.ts";
export type { EndEvent, OutputEvent, StepEvent, TranscriptEvent, WaitOptions } from "./resources/runs.ts";
export { newIdempotencyKey } from "./send.ts";
export type { Models } from "./typed-paths.ts";

/** A change on the server. */
export interface ChangeEvent {
  event: string;
  /** Pass it as `lastEventId` to resume after this event. */
  id: string | undefined;
  data: unknown;
}

/** A client of a millrace server, for Node and for browsers. */
export class Millrace {
  readonly runs: Runs;
  readonly factories: Factories;
  readonly factoryFiles: FactoryFiles;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly automations: Automations;
  readonly secrets: Secrets;
  readonly apiKeys: ApiKeys;
  readonly environments: Environments;
  readonly identities: Identities;
  readonly schedules: Schedules;
  readonly tasks: Tasks;
  readonly pauses: Pauses;
  readonly holds: Holds;
  readonly notifications: Notifications;
  readonly outbound: Outbound;
  readonly workers: Workers;
  readonly servers: Servers;
  readonly #api: Api;

  /** @throws TypeError if the server is not a valid URL */
  constructor(options: ClientOptions = {}) {
    this.#api = new Api(settle(options));
    this.runs = new Runs(this.#api);
    this.factories = new Factories(this.#api);
    this.factoryFiles = new FactoryFiles(this.#api);
    this.webhooks = new Webhooks(this.#api);
    this.deliveries = new Deliveries(this.#api);
    this.automations = new Automations(this.#api);
    this.secrets = new Secrets(this.#api);
    this.apiKeys = new ApiKeys(this.#api);
    this.environments = new Environments(this.#api);
    this.identities = new Identities(this.#api);
    this.schedules = new Schedules(this.#api);
    this.tasks = new Tasks(this.#api);
    this.pauses = new Pauses(this.#api);
    this.holds = new Holds(this.#api);
    this.notifications = new Notifications(this.#api);
    this.outbound = new Outbound(this.#api);
    this.workers = new Workers(this.#api);
    this.servers = new Servers(this.#api);
  }

  /** Changes of runs, tasks, deliveries, factories and pauses as they happen, until the signal is aborted. */
  async *events(options: StreamOptions = {}): AsyncGenerator<ChangeEvent, void, undefined> {
    const isLast = () => false;
    for await (const { id, event, data } of this.#api.stream("/events", {}, options, isLast)) {
      yield { id, event, data: JSON.parse(data) };
    }
  }

  /** The audit log: who changed what, newest first. */
  auditLog(
    query: QueryAt<"get", "/audit-log"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["AuditRecord"]> {
    return this.#api.list("/audit-log", "audit_log", { query }, options);
  }

  /** What waits for a person, newest first: questions of runs, and what keeps factories from working. */
  inbox(query: QueryAt<"get", "/inbox"> = {}, options: CallOptions = {}): PagePromise<Models["InboxItem"]> {
    return this.#api.list("/inbox", "items", { query }, options);
  }

  /** The principal and the permissions of the client's API key. */
  whoami(options: CallOptions = {}): ApiPromise<Models["Whoami"]> {
    return this.#api.call("get", "/whoami", {}, options);
  }

  /** Count deliveries and runs by hour. */
  activity(
    query: QueryAt<"get", "/activity"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["Activity"]> {
    return this.#api.call("get", "/activity", { query }, options);
  }

  /** Count deliveries and runs of a time range, by minute, hour or day. */
  activityHistory(
    query: QueryAt<"get", "/activity/history"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["ActivityHistory"]> {
    return this.#api.call("get", "/activity/history", { query }, options);
  }

  /** Count the open runs of each factory, and its deliveries and runs of the last 24 hours. */
  factoryActivity(options: CallOptions = {}): ApiPromise<Models["FactoryActivityList"]> {
    return this.#api.call("get", "/activity/factories", {}, options);
  }

  /** List the outcomes of recent deliveries by webhook. */
  webhookActivity(
    query: QueryAt<"get", "/activity/webhooks"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["WebhookActivityList"]> {
    return this.#api.call("get", "/activity/webhooks", { query }, options);
  }

  /** List how the recent runs of each automation went. */
  automationActivity(
    query: QueryAt<"get", "/activity/automations"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["AutomationActivityList"]> {
    return this.#api.call("get", "/activity/automations", { query }, options);
  }

  /** List how the recent runs of each agent went. */
  agentActivity(options: CallOptions = {}): ApiPromise<Models["AgentActivityList"]> {
    return this.#api.call("get", "/activity/agents", {}, options);
  }

  /** Sum tokens, cost and working time by automation, agent, factory, model or day. */
  usage(query: QueryAt<"get", "/usage"> = {}, options: CallOptions = {}): ApiPromise<Models["UsageReport"]> {
    return this.#api.call("get", "/usage", { query }, options);
  }

  /** List the runs with the highest known cost. */
  costliestRuns(
    query: QueryAt<"get", "/usage/runs"> = {},
    options: CallOptions = {},
  ): ApiPromise<Models["RunSpendList"]> {
    return this.#api.call("get", "/usage/runs", { query }, options);
  }

  /** The effective settings, with secrets masked. */
  settings(options: CallOptions = {}): ApiPromise<Models["SettingList"]> {
    return this.#api.call("get", "/settings", {}, options);
  }

  /** A request for which this client has no method. @param path below `/api/v1`, for example `/factory` */
  request<Data = unknown>(
    method: string,
    path: string,
    { query, body, ...options }: Pick<Given, "query" | "body"> & CallOptions = {},
  ): ApiPromise<Data> {
    return this.#api.request(method, path, { ...(query ? { query } : {}), body }, options);
  }
}
