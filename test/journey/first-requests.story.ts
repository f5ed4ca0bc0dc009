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

/** What is answered to those who wait with a key while a server starts. */
async function firstAnswers(
  key: string,
  source: string,
  env: Record<string, string> = {},
): Promise<number[]> {
  let waiting: Promise<number>[] = [];
  const onSocket = (url: string) => {
    waiting = waitingWith(url, key);
  };
  await managedService(source, env, { wrapper, onSocket });
  return Promise.all(waiting);
}

/** The first answers to a key that the settings had before. */
async function firstAnswersToFormerKey(env: Record<string, string>): Promise<number[]> {
  const source = folderWith(FACTORY);
  const dataDir = join(temporaryFolder(), "data");
  const former = await startServer({ sources: [source], dataDir, env: { MILLRACE_ADMIN_KEY: FORMER_KEY } });
  await former.stop();
  return firstAnswers(FORMER_KEY, source, { MILLRACE_DATA_DIR: dataDir, ...env });
}

test("the admin key of the settings is accepted by the first answer of the first start", async () => {
  expect(await firstAnswers(ADMIN_KEY, folderWith(FACTORY))).toEqual(allAre(200));
});

test("an admin key that the settings have replaced is refused by the first answer", async () => {
  expect(await firstAnswersToFormerKey({})).toEqual(allAre(401));
});

test("an admin key that the settings no longer have is refused by the first answer", async () => {
  expect(await firstAnswersToFormerKey({ MILLRACE_ADMIN_KEY: "" })).toEqual(allAre(401));
});
