import { describe, expect, test } from "vitest";
import { load, withFactoryLines } from "../given/definition.ts";

const notify = (...targets: string[]) =>
  load(withFactoryLines(`millrace: { repositories: optional, notify: [${targets.join(", ")}] }\n`));

const errorsOf = async (...targets: string[]) =>
  (await notify(...targets)).problems
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);

describe("targets of notifications in factory.yaml", () => {
  test("are a signed webhook or Slack, whose URL may be in its secret", async () => {
    expect(
      await errorsOf(
        "{kind: webhook, url: https://a.example.com/, secretName: S, events: [run.failed]}",
        "{kind: slack, url: https://b.example.com/, events: [run.blocked]}",
        "{kind: slack, secretName: U, events: [factory.failed, webhook.refusing]}",
      ),
    ).toEqual([]);
  });

  test.each([
    ["a webhook without a secret", "{kind: webhook, url: https://a.example.com/, events: [run.failed]}"],
    ["mail, which only the settings may send", "{kind: email, to: a@example.com, events: [run.failed]}"],
    ["an event that there is not", "{kind: slack, secretName: U, events: [run.started]}"],
    ["a URL that is not http or https", "{kind: slack, url: 'file:///etc/passwd', events: [run.failed]}"],
    ["a URL with a password", "{kind: slack, url: 'https://a:b@example.com/', events: [run.failed]}"],
    ["a name that would be a path", "{name: ../x, kind: slack, secretName: U, events: [run.failed]}"],
  ])("cannot be %s", async (_, target) => {
    expect(await errorsOf(target)).not.toEqual([]);
  });

  test("have names of their own, and are no more than ten", async () => {
    const target = "{name: a, kind: slack, secretName: U, events: [run.failed]}";
    expect(await errorsOf(target, target)).toEqual([expect.stringContaining('have the name "a"')]);
    const many = Array.from({ length: 11 }, (_, n) => target.replace("name: a", `name: a${n}`));
    expect(await errorsOf(...many)).not.toEqual([]);
  });
});
