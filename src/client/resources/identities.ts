import { type ApiPromise, ifMatch, type PagePromise, Resource } from "../api.ts";
import type { CallOptions } from "../options.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Agents that runs can execute as: agents of definitions, and agents created through the API. */
export class Identities extends Resource {
  list(
    query: QueryAt<"get", "/agent/identities"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["AgentResponse"]> {
    return this.api.list("/agent/identities", "agents", { query }, options);
  }

  /** Not retried: a retry would create another one, or fail because the name is taken. */
  create(body: Models["CreateAgentRequest"], options: CallOptions = {}): ApiPromise<Models["AgentResponse"]> {
    return this.api.call("post", "/agent/identities", { body }, { maxRetries: 0, ...options });
  }

  get(uid: string, options: CallOptions = {}): ApiPromise<Models["AgentResponse"]> {
    return this.api.call("get", "/agent/identities/{uid}", { path: { uid } }, options);
  }

  /** Omitted fields are not changed; empty ones are cleared. */
  update(
    uid: string,
    body: Models["UpdateAgentRequest"],
    options: CallOptions = {},
    etag?: string,
  ): ApiPromise<Models["AgentResponse"]> {
    return this.api.call("put", "/agent/identities/{uid}", { path: { uid }, body }, ifMatch(etag, options));
  }

  delete(uid: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/agent/identities/{uid}", { path: { uid } }, options);
  }
}

/** Environments of runs: image, repositories and setup commands. */
export class Environments extends Resource {
  list(
    query: QueryAt<"get", "/agent/environments"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["CloudEnvironment"]> {
    return this.api.list("/agent/environments", "environments", { query }, options);
  }

  /** Not retried: a retry would create another one, or fail because the name is taken. */
  create(
    body: Models["CloudEnvironmentConfig"],
    options: CallOptions = {},
  ): ApiPromise<Models["CloudEnvironment"]> {
    return this.api.call("post", "/agent/environments", { body }, { maxRetries: 0, ...options });
  }

  get(uid: string, options: CallOptions = {}): ApiPromise<Models["CloudEnvironment"]> {
    return this.api.call("get", "/agent/environments/{uid}", { path: { uid } }, options);
  }

  /** Replaces the whole configuration. */
  update(
    uid: string,
    body: Models["CloudEnvironmentConfig"],
    options: CallOptions = {},
    etag?: string,
  ): ApiPromise<Models["CloudEnvironment"]> {
    return this.api.call("put", "/agent/environments/{uid}", { path: { uid }, body }, ifMatch(etag, options));
  }

  delete(uid: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/agent/environments/{uid}", { path: { uid } }, options);
  }
}

/** Schedules start runs at set times. */
export class Schedules extends Resource {
  list(
    query: QueryAt<"get", "/agent/schedules"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["ScheduledAgentItem"]> {
    return this.api.list("/agent/schedules", "schedules", { query }, options);
  }

  /** Not retried: a retry would create another one, or fail because the name is taken. */
  create(
    body: Models["CreateScheduledAgentRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.api.call("post", "/agent/schedules", { body }, { maxRetries: 0, ...options });
  }

  get(scheduleId: string, options: CallOptions = {}): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.api.call("get", "/agent/schedules/{scheduleId}", { path: { scheduleId } }, options);
  }

  update(
    scheduleId: string,
    body: Models["UpdateScheduledAgentRequest"],
    options: CallOptions = {},
    etag?: string,
  ): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.api.call(
      "put",
      "/agent/schedules/{scheduleId}",
      { path: { scheduleId }, body },
      ifMatch(etag, options),
    );
  }

  pause(scheduleId: string, options: CallOptions = {}): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.api.call("post", "/agent/schedules/{scheduleId}/pause", { path: { scheduleId } }, options);
  }

  resume(scheduleId: string, options: CallOptions = {}): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.api.call("post", "/agent/schedules/{scheduleId}/resume", { path: { scheduleId } }, options);
  }

  delete(scheduleId: string, options: CallOptions = {}): ApiPromise<{ success: boolean }> {
    return this.api.call("delete", "/agent/schedules/{scheduleId}", { path: { scheduleId } }, options);
  }
}
