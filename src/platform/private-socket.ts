import { closeSync, constants, openSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type ServerOpts, type Socket } from "node:net";
import { join } from "node:path";

/** A path of a socket has room for so many bytes, on every system (sun_path of unix(7), and shorter elsewhere). */
const MAX_PATH_BYTES = 100;

/**
 * Listens on a socket in a folder that only this user can enter. What is left there by a process that has ended is removed.
 * @throws what Node throws, for example where the path is too long for a socket
 */
export async function listenPrivately(
  folder: string,
  name: string,
  onConnection: (socket: Socket) => void,
  options: ServerOpts = {},
): Promise<Server> {
  const path = join(folder, name);
  rmSync(path, { force: true });
  const server = createServer(options, onConnection);
  await throughShortPath(
    folder,
    name,
    (short) =>
      new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(short, () => {
          server.off("error", reject);
          // A connection that could not be accepted is no reason to end all others.
          server.on("error", () => {});
          resolve();
        });
      }),
  );
  return server;
}

/** @returns nothing where nobody listens */
export async function connectPrivately(folder: string, name: string): Promise<Socket | undefined> {
  return throughShortPath(
    folder,
    name,
    (path) =>
      new Promise<Socket | undefined>((resolve) => {
        const socket = connect(path);
        socket.once("connect", () => {
          socket.off("error", none);
          resolve(socket);
        });
        const none = () => resolve(undefined);
        socket.once("error", none);
      }),
  ).catch(() => undefined);
}

/** A folder may lie so deep that its path is too long for a socket: Linux has a short one for each folder that is open. */
async function throughShortPath<Outcome>(
  folder: string,
  name: string,
  use: (path: string) => Promise<Outcome>,
): Promise<Outcome> {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return await use(`/proc/self/fd/${descriptor}/${name}`);
  } finally {
    closeSync(descriptor);
  }
}
