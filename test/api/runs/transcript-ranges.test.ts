import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ADMIN_KEY } from "../../given/server.ts";

/** Writes numbered lines in several goes, so that they are stored in several pieces. */
const AGENT = `
  for (let go = 0; go < 4; go += 1) {
    for (let n = 0; n < 5_000; n += 1) process.stdout.write("line " + (go * 5_000 + n) + "\\n");
    await new Promise((again) => setTimeout(again, 120));
  }`;

test("a transcript is had in stretches, each with the place that it has in the whole", async () => {
  const { server, run } = await serverWithAgent(AGENT);
  const { run_id, transcript } = await run();
  const get = (range: string) =>
    server.fetch(`/api/v1/agent/runs/${run_id}/transcript`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}`, range },
    });
  const size = transcript.length;
  let read = "";
  for (let from = 0; from < size; from += 40_000) {
    const answer = await get(`bytes=${from}-${from + 39_999}`);
    const last = Math.min(size, from + 40_000) - 1;
    expect([answer.status, answer.headers.get("content-range")]).toEqual([
      206,
      `bytes ${from}-${last}/${size}`,
    ]);
    read += await answer.text();
  }
  expect(read).toBe(transcript);
  expect(await (await get("bytes=-10")).text()).toBe(transcript.slice(-10));
  expect(await (await get("bytes=7-")).text()).toBe(transcript.slice(7));
});

test("a range that is none is answered with the whole, and one beyond the end with how much there is", async () => {
  const { server, run } = await serverWithAgent('process.stdout.write("0123456789")');
  const { run_id } = await run();
  const get = async (range: string) => {
    const answer = await server.fetch(`/api/v1/agent/runs/${run_id}/transcript`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}`, range },
    });
    return { status: answer.status, text: await answer.text() };
  };
  for (const range of ["lines=1-2", "bytes", "bytes=0-1,4-5"]) {
    expect(await get(range)).toEqual({ status: 200, text: "0123456789" });
  }
  expect(await get("bytes=-50")).toEqual({ status: 206, text: "0123456789" });
  const beyond = await get("bytes=10-20");
  expect(beyond.status).toBe(400);
  expect(beyond.text).toContain("is 10 bytes long so far");
});
