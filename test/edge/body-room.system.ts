import { describe, expect, test } from "vitest";
import { createBodyRoom } from "../../src/edge/body-room.ts";
import { ask } from "../given/ask.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { waitFor } from "../given/server.ts";
import { openIngress } from "../given/serving.ts";

describe("the room for bodies", () => {
  test("is shared by all doors, and is there again when a body has left, once", () => {
    const all = createBodyRoom({ bytes: 100, bodies: 10 });
    const [one, other] = [
      createBodyRoom({ bytes: 80, bodies: 10 }, all),
      createBodyRoom({ bytes: 80, bodies: 10 }, all),
    ];
    const first = one.enter();
    expect([first?.take(50), first?.take(30), first?.take(1)]).toEqual([true, true, false]);
    const second = other.enter();
    expect([second?.take(21), second?.take(20)]).toEqual([false, true]);
    first?.leave();
    first?.leave();
    expect([second?.take(60), second?.take(1)]).toEqual([true, false]);
    second?.leave();
    const third = one.enter();
    expect(third?.take(80)).toBe(true);
  });

  test("takes in no more bodies than it may, of one door and of all", () => {
    const all = createBodyRoom({ bytes: 100, bodies: 3 });
    const [one, other] = [
      createBodyRoom({ bytes: 100, bodies: 2 }, all),
      createBodyRoom({ bytes: 100, bodies: 2 }, all),
    ];
    const inside = [one.enter(), one.enter(), one.enter(), other.enter(), other.enter()];
    expect(inside.map((share) => share !== undefined)).toEqual([true, true, false, true, false]);
    inside[0]?.leave();
    expect([other.enter() !== undefined, one.enter()]).toEqual([true, undefined]);
  });
});

const stage = sharedByFile(() => openIngress());

test("bodies that are half sent to the API take no more than the room of the API, and the ingress goes on", async () => {
  const { server, url } = stage();
  const half = 8 * 1024 * 1024;
  const body = JSON.stringify({ files: [{ path: "a", content: "x".repeat(half) }] }).slice(0, half);
  const path = `${server.url}/api/v1/agent/runs`;
  const headers = {
    authorization: `Bearer test-admin-key-0123456789`,
    "content-length": String(2 * half - 1),
  };
  let isFull = false;
  // A whole body that is asked with may be in the room while a half one comes: what was refused then is sent again.
  const sendHalves = async () => {
    while (!isFull)
      await sendRaw(path, [rawPost(path, headers, body)], { waitMs: 20_000 }).catch(() => undefined);
  };
  const halves = Array.from({ length: 9 }, sendHalves);
  const refused = await waitFor(async () => {
    const answer = await ask(server, "POST", "/agent/runs", { raw: "x".repeat(half + 1024 * 1024) });
    return answer.status === 503 ? answer : undefined;
  });
  isFull = true;
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  const delivery = await fetch(url, {
    method: "POST",
    headers: { authorization: "Bearer the-token" },
    body: "{}",
  });
  expect(delivery.status).toBe(202);
  void halves;
});

test("a body that is packed is refused: it may unpack to any size", async () => {
  const answer = await ask(stage().server, "POST", "/agent/runs", {
    raw: "{}",
    headers: { "content-encoding": "gzip" },
  });
  expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining("Content-Encoding")]);
});
