import { describe, expect, test } from "vitest";
import { SANDBOXES, serverWithSandbox } from "../../given/isolated.ts";

/** Tries to be the next server, and says why it cannot. */
const attack = (socket: string) => `
  import { connect } from "node:net";
  const socket = connect(${JSON.stringify(socket)});
  socket.on("connect", () => console.log("connected"));
  socket.on("error", ({ code }) => console.log("refused: " + code));`;

describe.each(SANDBOXES)("under %s", (sandbox) => {
  test("an agent does not reach the socket over which a server takes up agents", async () => {
    // The agent learns where it is from the place of its own workspace.
    const agent = attack("PLACE").replace('"PLACE"', 'process.cwd() + "/../../supervisor.sock"');
    const { run } = await serverWithSandbox(sandbox, agent, { sharesProcess: false });
    expect((await run()).transcript).toContain(`refused: ${sandbox === "none" ? "EACCES" : "ENOENT"}\n`);
  });
});
