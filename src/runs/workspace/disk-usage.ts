import type { AgentHost } from "../host/agent-host.ts";

/**
 * The disk space of a folder in bytes, every file once however many names it has, links not followed. The program `du`
 * does it: no depth or number of files keeps this process from its work.
 * @param host what starts it
 * @returns nothing when it could not be found out
 */
export async function diskUsage(folder: string, host: Pick<AgentHost, "start">): Promise<number | undefined> {
  let said = "";
  const launch = {
    command: "du",
    args: ["-s", "-k", "-x", "--", folder],
    cwd: "/",
    environment: { PATH: process.env.PATH ?? "", LC_ALL: "C" },
  };
  const { closed } = host.start(
    { launch, input: "", keepsInput: false, output: "text", secrets: [] },
    {
      async onOutput(pieces) {
        for (const { stream, bytes } of pieces)
          if (stream === "stdout") said += Buffer.from(bytes).toString();
        return true;
      },
    },
  );
  await closed;
  // What disappears while it is counted makes it end with 1, and the sum is there all the same.
  const kibibytes = /^(\d+)\t/.exec(said)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
