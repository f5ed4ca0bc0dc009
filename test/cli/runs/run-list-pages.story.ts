import { expect, test } from "vitest";
import { listedBy, serverWithRuns } from "../../given/listed-runs.ts";

test("millrace runs list goes through as many pages as --limit or --all takes", async () => {
  const given = await serverWithRuns();
  const { server, list } = given;
  const body = { prompt: "p", config: { name: "many" } };
  for (let made = 0; made < 520; made += 40) {
    const some = Array.from({ length: 40 }, () => server.api("POST", "/agent/runs", body));
    await Promise.all(some);
  }
  // The runs still change, and a run that is updated between two pages moves to where the list has been.
  const many = ["--name", "many", "--sort", "created_at"];
  expect(await listedBy(given, ...many)).toHaveLength(20);
  expect(await listedBy(given, ...many, "--limit", "3")).toHaveLength(3);
  expect(await listedBy(given, ...many, "--limit", "510")).toHaveLength(510);
  expect(new Set(await listedBy(given, ...many, "--all")).size).toBe(520);
  expect((await list(...many, "--all")).printed.trim().split("\n")).toHaveLength(521);
});
