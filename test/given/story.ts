import type { components } from "../../src/client/api-types.ts";
import { type Server, waitFor } from "./server.ts";

type Models = components["schemas"];
export type Run = Models["RunItem"];
export type Delivery = Models["Delivery"];
export type Factory = Models["Factory"];
export type Webhook = Models["Webhook"];

/** The steps that stories about a server are told in. */
export function storyOf(server: Pick<Server, "api" | "fetch">) {
  // By its uid: until its definition is valid, a factory is named after its source.
  const path = async (rest = "") => {
    const { factories } = await server.api<Models["FactoryList"]>("GET", "/factories");
    return `/factories/${factories[0]?.uid}${rest}`;
  };
  /** Asks again when the factory has another uid by then: a source goes on with a recorded one in its first pass. */
  const askFactory = async (method: string, rest: string): Promise<Factory> => {
    for (;;) {
      const asked = await path(rest);
      try {
        return await server.api<Factory>(method, asked);
      } catch (error) {
        if ((await path(rest)) === asked) throw error;
      }
    }
  };
  const story = {
    sync: () => askFactory("POST", "/sync?wait=true"),
    factory: () => askFactory("GET", ""),
    setSecret: (name: string, value: string) => server.api("PUT", `/secrets/${name}`, { value }),
    async webhook(name: string): Promise<Webhook> {
      const { webhooks } = await server.api<Models["WebhookList"]>("GET", await path("/webhooks"));
      const found = webhooks.find((webhook) => webhook.name === name);
      if (!found) throw new Error(`there is no webhook ${name}`);
      return found;
    },
    urlOf: async (name: string) => (await story.webhook(name)).url,
    /** Posts a delivery with the bearer token of its webhook. */
    deliver: (url: string, token: string, body: string | Buffer, headers: Record<string, string> = {}) =>
      fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}`, ...headers }, body }),
    /** Posts a delivery that has to be taken. @returns its id */
    async accept(
      url: string,
      token: string,
      body: string | Buffer,
      headers: Record<string, string> = {},
    ): Promise<string> {
      const answer = await story.deliver(url, token, body, headers);
      const text = await answer.text();
      if (answer.status !== 202) throw new Error(`the delivery was answered ${answer.status}: ${text}`);
      return JSON.parse(text).delivery_id;
    },
    delivery: async (id: string) => server.api<Delivery>("GET", await path(`/deliveries/${id}`)),
    async deliveries(uid: string): Promise<Delivery[]> {
      const rest = `/webhooks/${uid}/deliveries?limit=500`;
      return (await server.api<Models["DeliveryList"]>("GET", await path(rest))).deliveries;
    },
    /** Lets no run of a factory start, however long the steps before take. @returns what ends the pause */
    async pause(factory: string): Promise<() => Promise<unknown>> {
      const { id } = await server.api<{ id: string }>("POST", "/pauses", { factory });
      return () => server.api("DELETE", `/pauses/${id}`);
    },
    run: (id: string) => server.api<Run>("GET", `/agent/runs/${id}`),
    async runs(): Promise<Run[]> {
      return (await server.api<Models["ListRunsResponse"]>("GET", "/agent/runs?limit=500")).runs;
    },
    /** The only run that a delivery has started, when it has ended. */
    async endedRunOf(deliveryId: string): Promise<Run> {
      const { run_ids } = await story.delivery(deliveryId);
      if (run_ids.length !== 1) throw new Error(`the delivery has started ${run_ids.length} runs`);
      return story.ended(run_ids[0] ?? "");
    },
    ended: (id: string, seconds?: number) =>
      waitFor(async () => {
        const run = await story.run(id);
        return ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"].includes(run.state) ? run : undefined;
      }, seconds),
    timeline: async (id: string) =>
      (await server.api<Models["RunTimeline"]>("GET", `/agent/runs/${id}/timeline?limit=500`)).events,
    async transcript(id: string): Promise<string> {
      const answer = await server.fetch(`/api/v1/agent/runs/${id}/transcript`, { headers: authorization });
      return answer.text();
    },
    async attachment(id: string, name: string): Promise<Buffer> {
      const answer = await server.fetch(`/api/v1/agent/runs/${id}/attachments/${name}`, {
        headers: authorization,
      });
      return Buffer.from(await answer.arrayBuffer());
    },
  };
  return story;
}

const authorization = { authorization: "Bearer test-admin-key-0123456789" };
