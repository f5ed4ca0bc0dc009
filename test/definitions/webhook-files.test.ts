import { describe, expect, test } from "vitest";
import { FACTORY, load, problemsOf, TOKEN_WEBHOOK, withWebhook } from "../given/definition.ts";

describe("a webhook file", () => {
  test.each<[string, string, string[]]>([
    ["needs a secret", "enabled: true\n", ["FF_MISSING_REQUIRED webhooks/w.yaml:1:1"]],
    [
      "needs a scheme for signatures",
      "authMode: signature\nsecretName: S\n",
      ["FF_MISSING_REQUIRED webhooks/w.yaml:1:1"],
    ],
    [
      "takes a scheme for signatures only",
      "signatureScheme: github\nsecretName: S\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:1:1"],
    ],
    [
      "knows its schemes",
      "authMode: signature\nsignatureScheme: gitub\nsecretName: S\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:2:18"],
    ],
    [
      "takes no credential header as delivery id",
      "secretName: S\ndeliveryIdHeader: authorization\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:2:19"],
    ],
    [
      "takes no signature header as delivery id",
      "secretName: S\ndeliveryIdHeader: X-Hub-Signature-256\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:2:19"],
    ],
    [
      "takes header names only",
      'secretName: S\ndeliveryIdHeader: "a b"\n',
      ["FF_INVALID_VALUE webhooks/w.yaml:2:19"],
    ],
    [
      "needs a scheme block for custom",
      "authMode: signature\nsignatureScheme: custom\nsecretName: S\n",
      ["FF_MISSING_REQUIRED webhooks/w.yaml:1:1"],
    ],
    [
      "keeps our keys in our block",
      "secretName: S\nmillrace: { colour: red }\n",
      ["FF_UNKNOWN_FIELD webhooks/w.yaml:2:13"],
    ],
    [
      "needs an end for a previous secret",
      "secretName: S\nmillrace: { previousSecretName: T }\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:2:11"],
    ],
    [
      "names a previous secret that is another one, and a time for its end",
      "secretName: S\nmillrace: { previousSecretName: S, until: tomorrow }\n",
      ["FF_INVALID_VALUE webhooks/w.yaml:2:33", "FF_INVALID_VALUE webhooks/w.yaml:2:43"],
    ],
    ["wants true or false", "secretName: S\nenabled: yes\n", ["FF_TYPE_MISMATCH webhooks/w.yaml:2:10"]],
  ])("%s", async (_, text, expected) => {
    expect(await problemsOf(withWebhook(text))).toEqual(expected);
  });

  test("is told which key is missing beside another one", async () => {
    const { problems } = await load(withWebhook("secretName: S\nmillrace: { previousSecretName: T }\n"));
    expect(problems.map(({ message }) => message)).toEqual([
      'missing key "until": "previousSecretName" is only valid together with it',
    ]);
  });

  test("may be one of twenty; each one beyond is a problem", async () => {
    const webhooks = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `webhooks/w${String(i).padStart(2, "0")}.yaml`,
          TOKEN_WEBHOOK,
        ]),
      );
    expect(await problemsOf({ ...FACTORY, ...webhooks(20) })).toEqual([]);
    expect(await problemsOf({ ...FACTORY, ...webhooks(22) })).toEqual([
      "FF_INVALID_DOCUMENT webhooks/w20.yaml:1:1",
      "FF_INVALID_DOCUMENT webhooks/w21.yaml:1:1",
    ]);
  });
});
