import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { ADMIN_KEY, startServer } from "../given/server.ts";
import { managedService } from "../given/service-manager.ts";

const MANY = 12;
const FORMER_KEY = "the-former-admin-key-0123456789";

/** A disk on which each write takes a while, so that what is answered before it shows. */
const SLOW_DISK =
  "strace -D -f -o /dev/null -e trace=fsync,fdatasync -e inject=fsync,fdatasync:delay_exit=100000";
const wrapper = SLOW_DISK.split(" ");

/** Requests that wait in the socket for the process that will answer them. */
const waitingWith = (url: string, key: string): Promise<number>[] =>
  Array.from({ length: MANY }, async () => {
    const answer = await fetch(`${url}/api/v1/factories`, { headers: { authorization: `Bearer ${key}` } });
    return answer.status;
  });

const allAre = (status: number) => new Array<number>(MANY).fill(status);

test("the admin key of the settings is accepted by the first answer of the first start", async () => {
  let waiting: Promise<number>[] = [];
  await managedService(
    folderWith(FACTORY),
    {},
    {
      wrapper,
      onSocket: (url) => {
        waiting = waitingWith(url, ADMIN_KEY);
      },
    },
  );
  expect(await Promise.all(waiting)).toEqual(allAre(200));
});

test("an admin key that the settings have replaced is refused by the first answer", async () => {
  const source = folderWith(FACTORY);
  const dataDir = join(temporaryFolder(), "data");
  const former = await startServer({ sources: [source], dataDir, env: { MILLRACE_ADMIN_KEY: FORMER_KEY } });
  await former.stop();
  let waiting: Promise<number>[] = [];
  await managedService(
    source,
    { MILLRACE_DATA_DIR: dataDir },
    {
      wrapper,
      onSocket: (url) => {
        waiting = waitingWith(url, FORMER_KEY);
      },
    },
  );
  expect(await Promise.all(waiting)).toEqual(allAre(401));
});

test("an admin key that the settings no longer have is refused by the first answer", async () => {
  const source = folderWith(FACTORY);
  const dataDir = join(temporaryFolder(), "data");
  const former = await startServer({ sources: [source], dataDir, env: { MILLRACE_ADMIN_KEY: FORMER_KEY } });
  await former.stop();
  let waiting: Promise<number>[] = [];
  await managedService(
    source,
    { MILLRACE_DATA_DIR: dataDir, MILLRACE_ADMIN_KEY: "" },
    {
      wrapper,
      onSocket: (url) => {
        waiting = waitingWith(url, FORMER_KEY);
      },
    },
  );
  expect(await Promise.all(waiting)).toEqual(allAre(401));
});
