import { expect, test } from "vitest";
import type { Models } from "../../src/client/client.ts";
import { type Server, waitFor } from "../given/server.ts";
import { severalServers } from "../given/several-servers.ts";

const listed = async ({ server }: { server: Server }) =>
  (await server.api<Models["ServerList"]>("GET", "/servers")).servers;

test("two servers list each other, one leads, and the other one leads after that was killed and is away", async () => {
  const { servers } = await severalServers(2);
  for (const each of servers) {
    const both = await waitFor(async () => {
      const found = await listed(each);
      return found.filter(({ is_leader }) => is_leader).length === 1 && found.length === 2
        ? found
        : undefined;
    });
    expect(both.map(({ status }) => status)).toEqual(["connected", "connected"]);
    expect(both.filter(({ is_this }) => is_this)).toHaveLength(1);
  }
  const leads = await Promise.all(
    servers.map(async (each) => (await listed(each)).some(({ is_this, is_leader }) => is_this && is_leader)),
  );
  const [leader, other] = leads[0] ? servers : [...servers].reverse();
  if (!leader || !other) throw new Error();
  await leader.server.kill();
  const after = await waitFor(async () => {
    const found = await listed(other);
    return found.some(({ status }) => status === "away") ? found : undefined;
  }, 30);
  expect(after.map(({ is_this, status, is_leader }) => ({ is_this, status, is_leader }))).toEqual(
    expect.arrayContaining([
      { is_this: true, status: "connected", is_leader: true },
      { is_this: false, status: "away", is_leader: false },
    ]),
  );

  const again = await leader.again();
  const back = await waitFor(async () => {
    const found = await listed(again);
    return found.every(({ status }) => status === "connected") ? found : undefined;
  });
  expect(back).toHaveLength(2);
  await again.server.stop();
  expect(await listed(other)).toHaveLength(1);
});
