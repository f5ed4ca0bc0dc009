import { describe, expect, test } from "vitest";
import type { components } from "../../src/client/api-types.ts";
import { ask } from "../given/ask.ts";
import { receiver, SIGNING_SECRET, serverThatTells } from "../given/outbound.ts";
import { ADMIN_KEY, run } from "../given/server.ts";

type Explanation = components["schemas"]["OutboundExplanation"];

const EVENTS = ["run.ended", "definition.applied", "delivery.refused"];

describe("explaining an outbound webhook of the settings", () => {
  test("finds the factory of what the event is about, and says when the settings do not list it", async () => {
    const { url } = await receiver();
    const target = { url, secret: { env: "OUTBOUND_SECRET" }, events: EVENTS };
    const { story, server, start } = await serverThatTells(
      {
        outbound: [
          { name: "all", ...target, filter: { data: { state: ["FAILED"] } } },
          { name: "other", ...target, factories: ["other"] },
        ],
      },
      { env: { OUTBOUND_SECRET: SIGNING_SECRET }, sharesProcess: false },
    );
    const { name: factory, uid } = await story.factory();
    // Where there are two, a run that names neither belongs to none.
    await server.api("POST", "/factories", { name: "second" });
    const failed = await start({ prompt: "PLEASE-FAIL", factory });
    const homeless = await start({ prompt: "Do it." });
    await story.ended(failed);
    await story.ended(homeless);
    const explain = (name: string, question: object) =>
      server.api<Explanation>("POST", `/outbound/${name}/explain`, question);

    const sent = await explain("all", { event: "run.ended", subject: failed });
    expect(sent).toMatchObject({
      sends: true,
      reason: null,
      body: { factory: { uid, name: factory }, data: { run_id: failed } },
    });
    expect(await explain("all", { event: "run.ended", subject: homeless })).toMatchObject({
      sends: false,
      reason: expect.stringContaining("The filter does not match at data.state"),
      body: { factory: null },
    });
    const noTask = { body: { event: "task.moved", subject: failed } };
    expect((await ask(server, "POST", "/outbound/all/explain", noTask)).status).toBe(404);
    expect(await explain("other", { event: "run.ended", subject: failed })).toMatchObject({
      sends: false,
      reason: `The event is of the factory "${factory}"; only events of these factories are sent: other.`,
    });
    expect(await explain("other", { event: "run.ended", subject: homeless })).toMatchObject({
      sends: false,
      reason: "The event is of a run without a factory; only events of these factories are sent: other.",
    });
    const applied = await explain("other", { event: "definition.applied", subject: factory });
    expect(applied.body).toMatchObject({ factory: { uid }, data: { name: factory } });
    const unnamed = await ask(server, "POST", "/outbound/other/explain", {
      body: { event: "definition.applied" },
    });
    expect(unnamed.status).toBe(404);

    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    const outbound = (...args: string[]) => run(["outbound", ...args, "--server-wide"], env);
    const beginning = failed.slice(0, -1);
    const printed = await outbound("explain", "all", "--event", "run.ended", "--subject", beginning);
    expect([printed.code, printed.printed]).toEqual([
      0,
      expect.stringContaining("all would send this run.ended."),
    ]);
    expect((await outbound("show", "other")).printed).toMatch(/^factories +other$/m);
  });
});
