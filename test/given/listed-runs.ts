import { expect } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "./definition.ts";
import { ADMIN_KEY, run } from "./server.ts";
import { serving } from "./serving.ts";
import type { Run } from "./story.ts";

/** A server with a run that has all that filters look at, its parent, and one that a delivery has started. */
export async function serverWithRuns() {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
  const { server, story } = await serving(files, { CI_SECRET: "x" });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const list = (...args: string[]) => run(["runs", "list", ...args], env);
  const create = (body: object) => server.api<{ run_id: string }>("POST", "/agent/runs", body);
  const environment = await server.api<{ uid: string }>("POST", "/agent/environments", { name: "web" });
  await server.api("POST", "/agent/environments", { name: "unused" });
  const parent = (await create({ prompt: "Begin." })).run_id;
  const { run_id } = await create({
    prompt: "Find the invoice.",
    title: "zebra",
    skill: "acme/skills:review",
    config: { name: "nightly", model_id: "small", environment_id: environment.uid },
    metadata: { team: "shop", stage: "one" },
    parent_run_id: parent,
  });
  const delivered = await story.endedRunOf(
    await story.accept((await story.webhook("ci")).url, "x", '{"go":true}'),
  );
  await story.ended(parent);
  return { server, list, parent, run: await story.ended(run_id), delivered };
}

/** The ids that the command shows. */
export async function listedBy(
  { list }: Pick<Awaited<ReturnType<typeof serverWithRuns>>, "list">,
  ...args: string[]
): Promise<string[]> {
  const { code, printed, said } = await list(...args, "--json");
  expect([code, said]).toEqual([0, ""]);
  return (JSON.parse(printed) as Run[]).map(({ run_id }) => run_id);
}
