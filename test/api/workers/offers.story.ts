import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { doorClient } from "../../given/door-client.ts";
import { idsOf, offers } from "../../given/offers.ts";
import { waitFor } from "../../given/server.ts";

test("what a process has taken up is offered to others when it was not heard of for a lease", async () => {
  const { server } = await serverWithAgent("process.exit(3)", { env: { MILLRACE_WORKER_LEASE: "5s" } });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
    prompt: "Do it.",
    config: { worker_host: "builder" },
  });
  const [gone, other] = [await doorClient(server), await doorClient(server)];
  expect(idsOf(await offers(gone))).toEqual([run_id]);
  expect(idsOf(await offers(other))).toEqual([]);
  await waitFor(async () => idsOf(await offers(other)).length === 1);
});
