import { expect, test } from "vitest";
import { settingsForges } from "../../src/sources/settings-forges.ts";

const app = { id: "4711", privateKey: { env: "KEY" } };

function forgesOf(baseUrl: string, api?: string) {
  const vault = { open: async () => new Map<string, string>() };
  const home = { baseUrl, app, ...(api === undefined ? {} : { api }) };
  return settingsForges(
    { config: { forges: { home } } as never, vault, env: {} },
    { usableBy: async () => new Set() },
  );
}

test.each([["https://git.example.com"], ["ssh://git@git.example.com"], ["git@git.example.com:"]])(
  "an app of %s, without an api, is refused rather than asked for at github.com",
  (baseUrl) => {
    expect(() => forgesOf(baseUrl)).toThrow(/forges\.home\.app requires forges\.home\.api/);
    expect(() => forgesOf(baseUrl, "https://git.example.com/api/v3")).not.toThrow();
  },
);

test.each([["https://github.com"], ["ssh://git@github.com"], ["git@github.com:"]])(
  "an app of %s needs no api",
  (baseUrl) => {
    expect(() => forgesOf(baseUrl)).not.toThrow();
  },
);
