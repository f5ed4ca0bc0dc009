import { FACTORY } from "./definition.ts";
import { type Files, folderWith } from "./folder.ts";
import { startServer } from "./server.ts";
import { storyOf } from "./story.ts";

/** A server with one agent, and a way to let it run. */
export async function serverWithAgent(
  agent: string,
  {
    files = {},
    env = {},
    args = [] as string[],
    dataDir,
  }: { files?: Files; env?: Record<string, string>; args?: string[]; dataDir?: string } = {},
) {
  const server = await startServer({
    sources: [folderWith({ ...FACTORY, ...files })],
    agent,
    env,
    args,
    ...(dataDir ? { dataDir } : {}),
  });
  const story = storyOf(server);
  await story.sync();
  return {
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
