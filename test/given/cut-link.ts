import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onFinished } from "./cleanup.ts";

/** A network between a worker and its server. */
export interface CutLink {
  url: string;
  /** From now on everything is swallowed: nobody is told. */
  cut(): void;
  /** What is opened from now on gets through; what was open before stays as silent as it was. */
  mend(): void;
  /** How often something was swallowed. */
  swallowed(): number;
}

export async function cutLink(target: string): Promise<CutLink> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let swallowed = 0;
  const link = createServer((client) => {
    const server = connect(Number(port), "127.0.0.1");
    let isSilent = isCut;
    const carry = (from: Socket, to: Socket) => {
      sockets.add(from);
      from.on("error", () => {});
      from.on("data", (bytes) => {
        isSilent ||= isCut;
        if (isSilent) swallowed += 1;
        else to.write(bytes);
      });
      from.on("close", () => {
        sockets.delete(from);
        isSilent ||= isCut;
        if (!isSilent) to.destroy();
      });
    };
    carry(client, server);
    carry(server, client);
  });
  await new Promise<void>((resolve) => link.listen(0, "127.0.0.1", resolve));
  onFinished(() => {
    for (const socket of sockets) socket.destroy();
    link.close();
  });
  return {
    url: `http://127.0.0.1:${(link.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
    },
    mend() {
      isCut = false;
    },
    swallowed: () => swallowed,
  };
}
