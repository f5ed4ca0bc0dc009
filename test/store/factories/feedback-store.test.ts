import { expect, test } from "vitest";
import { AT, aStore, LATER } from "../../given/store.ts";

const HOST = "https://api.github.com acme/factory millrace/factory-config";
const aRequest = (pullRequest: number, ticket: string) => ({ subject: { pullRequest }, ticket });

test("a check that is requested again retains its place, and is done when the last request is answered", async () => {
  const { feedback } = await aStore();
  await feedback.ask(HOST, aRequest(1, "first"), AT);
  await feedback.ask(HOST, aRequest(2, "other"), LATER);
  await feedback.ask(HOST, aRequest(1, "second"), LATER);
  await feedback.settle(HOST, aRequest(1, "first"));
  expect(await feedback.listRequests(HOST)).toEqual([aRequest(1, "second"), aRequest(2, "other")]);
  await feedback.settle(HOST, aRequest(1, "second"));
  await feedback.settle("another host", aRequest(2, "other"));
  expect(await feedback.listRequests(HOST)).toEqual([aRequest(2, "other")]);
});

test("a thousand checks may wait; what waits already may be asked for again", async () => {
  const { feedback } = await aStore();
  for (let number = 1; number <= 1_000; number += 1) await feedback.ask(HOST, aRequest(number, "t"), AT);
  expect(await feedback.ask(HOST, aRequest(1_001, "t"), AT)).toBe(false);
  expect(await feedback.ask(HOST, aRequest(7, "again"), AT)).toBe(true);
  expect(await feedback.ask("another host", aRequest(1_001, "t"), AT)).toBe(true);
  expect(await feedback.listRequests(HOST)).toHaveLength(1_000);
});

test("heads that were checked are stored for as long as their pull requests are open", async () => {
  const { feedback } = await aStore();
  for (const number of [1, 2, 3]) await feedback.recordChecked(HOST, number, `head of ${number}`);
  await feedback.recordChecked(HOST, 2, "another head");
  await feedback.keepChecked(HOST, [2, 3, 4]);
  expect(await feedback.listChecked(HOST)).toEqual({ 2: "another head", 3: "head of 3" });
  await feedback.keepChecked(HOST, []);
  expect(await feedback.listChecked(HOST)).toEqual({});
});

test("the last report is remembered", async () => {
  const { feedback } = await aStore();
  expect(await feedback.findReported(HOST)).toBeUndefined();
  await feedback.recordReported(HOST, { commit: "a", outcome: "applied" }, AT);
  await feedback.recordReported(HOST, { commit: "b", outcome: "failed" }, LATER);
  expect(await feedback.findReported(HOST)).toEqual({ commit: "b", outcome: "failed" });
});
