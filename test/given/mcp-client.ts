import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onFinished } from "./cleanup.ts";
import type { Server } from "./server.ts";

/** What a tool answered. */
export interface Told {
  text: string;
  data: Record<string, unknown>;
  isError: boolean;
}

/** The SDK's own client of the server's tools, with a key or the token of a run. */
export async function mcpClient(server: Pick<Server, "url">, key: string, path = "/api/v1/mcp") {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(server.url + path), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  onFinished(() => client.close());
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async use(name: string, given: object = {}): Promise<Told> {
      const told = await client.callTool({ name, arguments: { ...given } });
      const [first] = told.content as { type: string; text?: string }[];
      return {
        text: first?.text ?? "",
        data: (told.structuredContent ?? {}) as Record<string, unknown>,
        isError: told.isError === true,
      };
    },
  };
}
