import { withFactoryLines } from "./definition.ts";
import { answerOf, type GivenAnswer } from "./given-answer.ts";
import { serverWithSandbox } from "./isolated.ts";
import { freePort } from "./port.ts";
import { ADMIN_KEY } from "./server.ts";

/** Asks its proxy for a host that it may reach, and for one that it may not. */
const asking = (host: string) => `
  import { get } from "node:http";
  const through = (url) => new Promise((done) => {
    const headers = { host: new URL(url).host };
    get({ port: 3128, path: url, headers }, (answer) => answer.resume().on("end", done)).on("error", done);
  });
  await through("http://${host}/healthz");
  await through("http://refused.example/");`;

/** The answer of a server that is asked what a run has reached, with as much in it as there can be. */
export async function networkAnswers(): Promise<GivenAnswer[]> {
  const listen = `127.0.0.1:${await freePort()}`;
  const network = { allow: [listen] };
  const { server, run } = await serverWithSandbox("bwrap", asking(listen), {
    files: withFactoryLines(`millrace: { repositories: optional, network: ${JSON.stringify(network)} }\n`),
    env: { MILLRACE_LISTEN: listen },
  });
  const { run_id } = await run();
  const path = `/agent/runs/${run_id}/network`;
  return [await answerOf(server, { method: "GET", path, body: undefined, key: ADMIN_KEY })];
}
