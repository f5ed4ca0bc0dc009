import { serverWithFamily } from "./family.ts";
import { mcpClient } from "./mcp-client.ts";
import { ADMIN_KEY } from "./server.ts";

/** A factory whose foreman may start a helper, and the SDK's own clients of its tools under their public names. */
export async function serverWithFactoryTools() {
  const given = await serverWithFamily({
    "agents/helper/agent.md": "---\nagentType: IMPLEMENT\ndescription: Helps.\n---\nYou help.\n",
  });
  const { server, tokenOf } = given;
  const client = (key = ADMIN_KEY) => mcpClient(server, key, "/api/v1/mcp/factory");
  return {
    ...given,
    client,
    /** A run of the foreman that was dispatched with a task, once its agent is at work. */
    async dispatched(body: object = {}) {
      const { run_id: id, task_uid: task } = await server.api<{ run_id: string; task_uid: string }>(
        "POST",
        "/factory/acme/runs",
        { prompt: "Do it.", ...body },
      );
      const token = await tokenOf(id);
      return { id, task, token, ...(await client(token)) };
    },
    /** A task by the API itself. */
    task: (uid: string) => server.api<{ stage: string; run_id: string }>("GET", `/factory/acme/tasks/${uid}`),
  };
}
