import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY } from "../given/definition.ts";
import { sendRaw } from "../given/raw-http.ts";
import { post } from "../given/sender.ts";
import { waitFor } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const URL_SECRET = "url~safe_secret.1-2";

const stage = sharedByFile(() =>
  serving(
    {
      ...FACTORY,
      "webhooks/link.yaml": "authMode: url_token\nsecretName: LINK_SECRET\n",
      "automations/a.md": automationOn(["link"], { go: [true] }),
    },
    { LINK_SECRET: URL_SECRET },
    { env: { MILLRACE_LOG_LEVEL: "debug" } },
  ),
);

describe("a webhook of the mode url_token", () => {
  test("takes the token as the last segment of its URL, and shows a placeholder for it", async () => {
    const { story } = stage();
    const { url, uid } = await story.webhook("link");
    expect(url).toMatch(/\/webhooks\/w\/[A-Za-z0-9]{22}\/\{token\}$/);
    const answer = await post(url.replace("{token}", URL_SECRET), '{"go":true}');
    expect(answer.status).toBe(202);
    const { delivery_id } = (await answer.json()) as { delivery_id: string };
    expect((await story.endedRunOf(delivery_id)).source).toBe("CUSTOM_WEBHOOK");
    expect((await story.deliveries(uid))[0]?.outcome).toBe("Accepted");
  });

  test("takes it with unreserved characters escaped, which is the same URL", async () => {
    const url = await stage().story.urlOf("link");
    expect((await post(url.replace("{token}", "url%7Esafe_secret%2e1-2"), '{"n":2}')).status).toBe(202);
  });

  test.each([
    ["another token", `${URL_SECRET}x`],
    ["an escaped slash", "url%2Fsafe"],
    ["an escape that is none", "%zz"],
    ["half of a character", "%c3"],
    ["the placeholder", "{token}"],
    [
      "letters that end in the same byte",
      [...URL_SECRET]
        .map((c) => encodeURIComponent(String.fromCodePoint(0x100 + (c.codePointAt(0) ?? 0))))
        .join(""),
    ],
  ])("refuses %s, and writes it nowhere", async (_, token) => {
    const { server, story } = stage();
    const { url, uid } = await story.webhook("link");
    const answer = await post(url.replace("{token}", token), "{}");
    const text = await answer.text();
    expect(answer.status).toBe(401);
    expect(JSON.parse(text).instance).toBe(`/webhooks/w/${uid}/{token}`);
    expect(server.log()).not.toContain(token === "{token}" ? URL_SECRET : token);
  });

  test.each([
    (path: string) => path,
    (path: string) => `/${path}`,
    (path: string) => `/prefix${path}`,
    (path: string) => path.replace("webhooks", "Webhooks"),
    (path: string) => path.replace("/w/", "//w/"),
    (path: string) => path.replace(/\/(?=[^/]*$)/, "%2F"),
    (path: string) => path.replace("/w/", "%2Fw%2F"),
    (path: string) => path.replace(/\/(?=[^/]*$)/, ";"),
    (path: string) => path.replace("webhooks", "webhook"),
    (path: string) => path.replace("/w/", "/"),
  ])("is masked in the log and in answers, also when its URL was mistyped (%#)", async (mistype) => {
    const { server, story } = stage();
    const { url } = await story.webhook("link");
    const path = mistype(new URL(url.replace("{token}", "token-in-a-wrong-place")).pathname);
    const answer = await sendRaw(
      server.url,
      [`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`],
      { answers: 1 },
    );
    expect([401, 404]).toContain(answer.statuses[0]);
    expect(answer.text).not.toContain("token-in-a-wrong-place");
    await waitFor(() => server.log().includes("{token}") || undefined);
    expect(server.log()).not.toContain("token-in-a-wrong-place");
  });

  test("is told from the uid, which the log and answers show", async () => {
    const { server, story } = stage();
    const url = (await story.urlOf("link")).replace("/{token}", "");
    const { pathname } = new URL(url);
    expect(await (await post(url, "{}")).json()).toMatchObject({ status: 401, instance: pathname });
    await waitFor(() => server.log().includes(`"path":"${pathname}"`) || undefined);
  });

  test("refuses an address with more behind the token, or with nothing", async () => {
    const url = (await stage().story.urlOf("link")).replace("/{token}", "");
    expect((await post(`${url}/${URL_SECRET}/x`, "{}")).status).toBe(404);
    expect((await post(`${url}/`, "{}")).status).toBe(404);
    expect((await post(url, "{}")).status).toBe(401);
  });
});
