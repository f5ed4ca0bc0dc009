import { FACTORY } from "./definition.ts";
import { type Files, folderWith } from "./folder.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";
import type { Factory } from "./story.ts";

/** A server with the factories "acme" and "other" in force, each with the agent "boss" and with these files too. */
export async function twoFactories(
  more: Files = {},
  { secrets = {}, ...options }: Omit<ServerOptions, "sources"> & { secrets?: Record<string, string> } = {},
): Promise<{ server: Server; acme: string; other: string }> {
  const named = (name: string) =>
    folderWith({
      ...FACTORY,
      ...more,
      "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name),
    });
  const server = await startServer({ sources: [named("acme"), named("other")], ...options });
  for (const [name, value] of Object.entries(secrets))
    await server.api("PUT", `/secrets/${name}`, { value, shared: true });
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  const synced = await Promise.all(
    factories.map(({ uid }) => server.api<Factory>("POST", `/factories/${uid}/sync?wait=true`)),
  );
  const uidOf = (name: string) => synced.find((factory) => factory.name === name)?.uid ?? "";
  return { server, acme: uidOf("acme"), other: uidOf("other") };
}
