import { FACTORY } from "./definition.ts";
import type { Files } from "./folder.ts";
import { type Server, startServer } from "./server.ts";
import { sourceFor } from "./source-for.ts";
import { storyOf } from "./story.ts";

/** What the prompt of a program without tools begins with. */
export const TOLD_OF_COMMAND =
  "[millrace: `millrace agent --help` lists what you can do in this run, for example ask a person, report a result, give your answer, or start another agent.]\n\n";

/** A server with one agent, and a way to let it run. */
export async function serverWithAgent(
  agent: string,
  {
    files = {},
    env = {},
    args = [] as string[],
    wrapper = [] as string[],
    sharesProcess = true,
    sharesStore,
    before,
  }: {
    files?: Files;
    env?: Record<string, string>;
    args?: string[];
    /** What the server is started with. */
    wrapper?: string[];
    /** False for one that is killed, traced or read from outside. */
    sharesProcess?: boolean;
    /** Whether the server keeps everything in its store. */
    sharesStore?: boolean;
    /** The server that is started again: its factory and its data. */
    before?: { source: string; server: Pick<Server, "dataDir"> };
  } = {},
) {
  const source = before?.source ?? sourceFor({ ...FACTORY, ...files }, { sharesProcess });
  const server = await startServer({
    sources: [source],
    agent,
    env,
    args,
    wrapper,
    sharesProcess,
    ...(sharesStore === undefined ? {} : { sharesStore }),
    ...(before ? { dataDir: before.server.dataDir } : {}),
  });
  const story = storyOf(server);
  await story.sync();
  return {
    source,
    server,
    story,
    start: async (body: object = {}) =>
      (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it.", ...body })).run_id,
    async run(body: object = {}) {
      const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        ...body,
      });
      return { ...(await story.ended(run_id)), transcript: await story.transcript(run_id) };
    },
  };
}
