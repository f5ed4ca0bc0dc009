import { expect, test } from "vitest";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, writeFiles } from "../../given/folder.ts";
import { startServer } from "../../given/server.ts";
import type { Factory } from "../../given/story.ts";

const named = (name: string) => ({
  ...FACTORY,
  "factory.yaml": String(FACTORY["factory.yaml"]).replace("name: acme", `name: ${name}`),
});

test("a factory that is named like the uid of another does not stand in for it", async () => {
  const first = folderWith(named("first"));
  const server = await startServer({ sources: [first, folderWith(named("second"))] });
  const sync = (factory: string) => server.api<Factory>("POST", `/factories/${factory}/sync?wait=true`);
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  const synced = await Promise.all(factories.map(({ uid }) => sync(uid)));
  const second = synced.find(({ name }) => name === "second");
  const uid = second?.uid ?? "";

  writeFiles(first, named(uid));
  await sync(synced.find(({ name }) => name === "first")?.uid ?? "");

  expect(await server.api("GET", `/factories/${uid}`)).toMatchObject({ uid, name: "second" });
  expect(await sync(uid)).toMatchObject({ uid, name: "second" });
  const { id } = await server.api<{ id: string }>("POST", "/api-keys", { name: "limited", factories: [uid] });
  const { api_keys } = await server.api<{ api_keys: { id: string; factories: string[] }[] }>(
    "GET",
    "/api-keys",
  );
  expect(api_keys.find((key) => key.id === id)?.factories).toEqual([uid]);
});

test.each(["2020-01-01T00:00:00Z", "2096-12-31T23:59:60Z"])(
  "a key cannot expire at %s",
  async (expires_at) => {
    const server = await startServer({ sources: [folderWith(FACTORY)] });
    await expect(server.api("POST", "/api-keys", { name: "odd", expires_at })).rejects.toThrow(
      "answered 400: ",
    );
  },
);

const errorsOf = ({ sync }: Factory) => sync.problems.filter(({ severity }) => severity === "error");

test("names and aliases share one space: neither may be what another factory is called", async () => {
  const first = folderWith(named("first"));
  const second = folderWith(named("second"));
  const server = await startServer({ sources: [first, second] });
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  const sync = (uid = "") => server.api<Factory>("POST", `/factories/${uid}/sync?wait=true`);
  const synced = await Promise.all(factories.map(({ uid }) => sync(uid)));
  const uidOf = (name: string) => synced.find((factory) => factory.name === name)?.uid;
  const aliased = (name: string, alias: string) => {
    const files = named(name);
    return { ...files, "factory.yaml": `${files["factory.yaml"]}alias: ${alias}\n` };
  };

  writeFiles(second, aliased("second", "First"));
  const taken = await sync(uidOf("second"));
  expect(taken.sync.status).toBe("failed");
  expect(errorsOf(taken)).toMatchObject([
    {
      path: "factory.yaml",
      line: 6,
      message: expect.stringContaining("an alias must not be another factory's name"),
    },
  ]);
  writeFiles(second, aliased("second", "the-other"));
  expect((await sync(uidOf("second"))).sync.status).toBe("synced");
  writeFiles(first, named("The-Other"));
  const renamed = await sync(uidOf("first"));
  expect(errorsOf(renamed)).toMatchObject([
    { path: "factory.yaml", line: 2, message: expect.stringContaining('alias of the factory "second"') },
  ]);
  await expect(server.api("POST", "/factories", { name: "the-other" })).rejects.toThrow("answered 409");
});

test("a factory cannot have a name that looks like another one's, or is its uid", async () => {
  const second = folderWith(named("second"));
  const server = await startServer({ sources: [folderWith(named("beta")), second] });
  const { factories } = await server.api<{ factories: Factory[] }>("GET", "/factories");
  const sync = (uid: string) => server.api<Factory>("POST", `/factories/${uid}/sync?wait=true`);
  const synced = await Promise.all(factories.map(({ uid }) => sync(uid)));
  const uidOf = (name: string) => synced.find((factory) => factory.name === name)?.uid ?? "";

  const looks = ["Beta", "BETA", '"beta "', '" beta"', '"be\\u200Bta"', "ｂｅｔａ"];
  for (const name of [...looks, uidOf("beta"), uidOf("beta").toLowerCase()]) {
    writeFiles(second, named(name));
    const refused = await sync(uidOf("second"));
    expect(refused, name).toMatchObject({ name: "second", sync: { status: "failed" } });
    const why = looks.includes(name) ? "looks like the name" : "is the uid";
    expect(errorsOf(refused), name).toMatchObject([
      { path: "factory.yaml", line: 2, message: expect.stringContaining(`${why} of the factory "beta"`) },
    ]);
  }
  for (const name of ["Beta", "BETA", uidOf("beta")])
    await expect(server.api("POST", "/factories", { name })).rejects.toThrow("answered 409");
  // Its own name may be written in another way.
  writeFiles(second, named("SECOND"));
  expect(await sync(uidOf("second"))).toMatchObject({ name: "SECOND", sync: { status: "synced" } });
});
