import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aTurn, doorServer, idle } from "../../given/door-server.ts";
import { waitFor } from "../../given/server.ts";
import { aWorker } from "../../given/workers.ts";

const LEASE_MS = 2_000;
const standing = { isCancelled: false, news: "", isForgotten: false };

/**
 * A server that gives one turn, and answers the claim after so long. Whoever begins with the turn makes a call.
 * @param says what a beat that names the turn is answered
 */
async function giving({ afterMs, says }: { afterMs: number; says: "held" | "lost" | "nothing" }) {
  let isGiven = false;
  const server = await doorServer(async (path, { turns: known = [] }) => {
    const answer = { ...idle, leaseMs: LEASE_MS };
    if (path === "beat" && known.length > 0 && says === "nothing") return new Promise(() => {});
    if (path === "beat")
      return { ...answer, turns: says === "held" ? known.map(({ id }) => ({ id, ...standing })) : [] };
    if (path !== "claim") return {};
    if (isGiven) return new Promise(() => {});
    isGiven = true;
    await sleep(afterMs);
    return { ...answer, turns: [aTurn()] };
  });
  await aWorker(server, { token: "mrw_x" });
  const paths = () =>
    server.asked.map(({ path, body }) => (path === "beat" && body.turns?.length ? "names it" : path));
  return { paths };
}

test("a turn whose claim is answered at once begins without another question", async () => {
  const { paths } = await giving({ afterMs: 0, says: "nothing" });
  await waitFor(() => paths().includes("call") || undefined);
});

test("a turn of a claim that was long on its way begins only when the server says that it is still this worker's", async () => {
  const late = { afterMs: 0.6 * LEASE_MS };
  const held = await giving({ ...late, says: "held" });
  await waitFor(() => held.paths().includes("call") || undefined);
  expect(held.paths().indexOf("names it")).toBeLessThan(held.paths().indexOf("call"));
  const fallen = await giving({ ...late, says: "lost" });
  await waitFor(() => fallen.paths().includes("names it") || undefined);
  await sleep(500);
  expect(fallen.paths()).not.toContain("call");
});
