import { describe, expect, test } from "vitest";
import { proxyOf, proxySecrets, proxyVariables } from "../src/platform/proxies.ts";

const HTTPS_PROXY = "http://proxy.acme.test:3128";
const proxyFor = (url: string, env: Record<string, string>) => proxyOf(new URL(url), env);

describe("a URL is asked", () => {
  test.each([
    ["through the proxy of its scheme", "https://api.github.com/", { HTTPS_PROXY }, HTTPS_PROXY],
    ["without a proxy of another scheme", "https://api.github.com/", { HTTP_PROXY: HTTPS_PROXY }, undefined],
    ["through one for all schemes", "https://api.github.com/", { ALL_PROXY: HTTPS_PROXY }, HTTPS_PROXY],
    [
      "through a proxy that is named without a scheme",
      "https://a.test/",
      { HTTPS_PROXY: "p:1" },
      "http://p:1",
    ],
    [
      "by the small letters of two",
      "https://a.test/",
      { HTTPS_PROXY: "http://p:1", https_proxy: "http://q:2" },
      "http://q:2",
    ],
    ["without a proxy that is set to nothing", "https://a.test/", { HTTPS_PROXY: "" }, undefined],
  ])("%s", (_, url, env, expected) => {
    expect(proxyFor(url, env as Record<string, string>)).toBe(expected);
  });

  test.each([
    ["acme.test", "https://acme.test/", true],
    ["acme.test", "https://git.acme.test/", true],
    [".acme.test", "https://git.acme.test/", true],
    ["*.acme.test", "https://git.acme.test/", true],
    ["acme.test", "https://notacme.test/", false],
    ["a.test, GIT.acme.test", "https://git.acme.test/", true],
    ["acme.test:8443", "https://acme.test:8443/", true],
    ["acme.test:8443", "https://acme.test/", false],
    ["acme.test:443", "https://acme.test/", true],
    ["10.0.0.7", "https://10.0.0.7/", true],
    ["0.0.7", "https://10.0.0.7/", false],
    ["::1", "https://[::1]/", true],
    ["[::1]:443", "https://[::1]/", true],
    ["*", "https://acme.test/", true],
  ])("with NO_PROXY=%s, %s goes without one: %s", (NO_PROXY, url, isWithout) => {
    expect(proxyFor(url, { HTTPS_PROXY, NO_PROXY }) === undefined).toBe(isWithout);
  });
});

test("git gets the variables in the spelling that it takes", () => {
  expect(proxyVariables({ HTTPS_PROXY, http_proxy: "http://p:1", NO_PROXY: "a.test", PATH: "/bin" })).toEqual(
    {
      https_proxy: HTTPS_PROXY,
      http_proxy: "http://p:1",
      no_proxy: "a.test",
    },
  );
});

test("of a proxy's user, every form in which it can be quoted is a secret", () => {
  const secrets = proxySecrets({ HTTPS_PROXY: "http://ann:p%40ss@proxy.acme.test:3128" });
  expect(secrets).toEqual(
    expect.arrayContaining([
      "ann:p%40ss",
      "ann:p@ss",
      "p@ss",
      "p%40ss",
      Buffer.from("ann:p@ss").toString("base64"),
    ]),
  );
  expect(secrets).not.toContain("ann");
  expect(proxySecrets({ HTTPS_PROXY, NO_PROXY: "ann:secret@a.test" })).toEqual([]);
});
