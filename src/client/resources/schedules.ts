import type { Api } from "../api.ts";
import type { ApiPromise } from "../api-promise.ts";
import { ifMatch } from "../if-match.ts";
import type { CallOptions } from "../options.ts";
import type { PagePromise } from "../page.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Schedules start runs at set times. */
export class Schedules {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list(
    query: QueryAt<"get", "/agent/schedules"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["ScheduledAgentItem"]> {
    return this.#api.list("/agent/schedules", "schedules", { query }, options);
  }

  /** Not retried: a retry would create another one, or fail because the name is taken. */
  create(
    body: Models["CreateScheduledAgentRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.#api.call("post", "/agent/schedules", { body }, { maxRetries: 0, ...options });
  }

  get(scheduleId: string, options: CallOptions = {}): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.#api.call("get", "/agent/schedules/{scheduleId}", { path: { scheduleId } }, options);
  }

  update(
    scheduleId: string,
    body: Models["UpdateScheduledAgentRequest"],
    options: CallOptions = {},
    etag?: string,
  ): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.#api.call(
      "put",
      "/agent/schedules/{scheduleId}",
      { path: { scheduleId }, body },
      ifMatch(etag, options),
    );
  }

  pause(scheduleId: string, options: CallOptions = {}): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.#api.call("post", "/agent/schedules/{scheduleId}/pause", { path: { scheduleId } }, options);
  }

  resume(scheduleId: string, options: CallOptions = {}): ApiPromise<Models["ScheduledAgentItem"]> {
    return this.#api.call("post", "/agent/schedules/{scheduleId}/resume", { path: { scheduleId } }, options);
  }

  delete(scheduleId: string, options: CallOptions = {}): ApiPromise<{ success: boolean }> {
    return this.#api.call("delete", "/agent/schedules/{scheduleId}", { path: { scheduleId } }, options);
  }
}
