import { expect, test } from "vitest";
import { type Choice, matching, timesOfIds } from "../../dashboard/src/frame/matching.ts";

const choice = (group: string, name: string, note?: string): Choice => ({
  id: `${group} ${name} ${note}`,
  group,
  name,
  ...(note === undefined ? {} : { note }),
});

const namesOf = (choices: readonly Choice[]) =>
  choices.map(({ name, note }) => [name, note].join(" ").trim());

test("every word has to be in the name, the note or the kind, and what begins with it comes first", () => {
  const choices = [
    choice("Webhooks", "old-builds", "acme"),
    choice("Webhooks", "builds", "acme"),
    choice("Webhooks", "builds", "shop"),
    choice("Pages", "Webhooks", "acme"),
  ];
  expect(namesOf(matching(choices, "build"))).toEqual(["builds acme", "builds shop", "old-builds acme"]);
  expect(namesOf(matching(choices, "shop build"))).toEqual(["builds shop"]);
  expect(namesOf(matching(choices, "webhooks"))[0]).toBe("Webhooks acme");
  expect(matching(choices, "nothing like it")).toEqual([]);
});

test("a kind of which there are many leaves room for the others", () => {
  const many = Array.from({ length: 50 }, (_, n) => choice("Webhooks", `build-${n}`));
  const shown = matching([...many, choice("Automations", "build")], "build");
  expect(shown).toHaveLength(7);
  expect(shown[0]?.group).toBe("Automations");
});

test("the beginning of an id tells when it was made", () => {
  const at = Date.parse("2026-03-10T22:00:00.000Z");
  const time = at.toString(16).padStart(12, "0");
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000001`;
  const holds = (text: string) => {
    const times = timesOfIds(text);
    return times && Date.parse(times.since) < at && at < Date.parse(times.until);
  };
  expect([id, id.slice(0, 13), id.slice(0, 8), id.slice(0, 10)].map(holds)).toEqual([true, true, true, true]);
  expect(["", "0", id.slice(0, 7), "deadbeef", "build 41", "ffffffff-ffff"].map(timesOfIds)).toEqual(
    Array(6).fill(undefined),
  );
});
