import { expect, test } from "vitest";
import { run } from "../../given/server.ts";

test("notifications of a factory's target are not mistaken for those of a factory", async () => {
  const env = { MILLRACE_SERVER: "http://127.0.0.1:9", MILLRACE_API_KEY: "x" };
  const { code, printed, said } = await run(["notifications", "list", "--factory", "acme"], env);
  expect([code, printed]).toEqual([2, ""]);
  expect(said).toContain("--factory was given without --target");
  expect(said).toContain("Add --target NAME, or omit --factory.");
});
