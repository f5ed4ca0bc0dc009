import { type AddressInfo, createServer, type Socket } from "node:net";
import { onFinished } from "./cleanup.ts";

/** A forge that takes connections and says nothing, until it hangs up. */
export async function silentHost() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on("error", () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hangUp = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  onFinished(hangUp);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, connections: () => open.size, hangUp };
}
