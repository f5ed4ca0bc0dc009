import { expect, test } from "vitest";
import { secretEndpoints } from "../../../src/api/admin/secrets.ts";
import type { ApiRequest } from "../../../src/api/http/endpoint.ts";
import { createCursors } from "../../../src/api/http/page.ts";
import { onlyFor } from "../../../src/secrets/rules/scope.ts";
import { createSealer, KEY_BYTES } from "../../../src/secrets/seal.ts";
import { createVault } from "../../../src/secrets/vault.ts";
import { FACTORY } from "../../given/definition.ts";
import { factoriesThatWait } from "../../given/two-servers.ts";

test("a change of who may use a secret is refused if someone else has just changed it", async () => {
  const { factories, store, uid, goOn } = await factoriesThatWait(FACTORY);
  await goOn(1);
  const sealer = createSealer(Buffer.alloc(KEY_BYTES, 1));
  const now = () => new Date();
  const vault = createVault({ store: store.secrets, sealer, outside: {}, ofServer: new Set(), env: {}, now });
  await vault.set("A", "was-mine", onlyFor([uid]), undefined);
  const race = {
    ...vault,
    /** Between what one request has seen and what it writes, another one gives the secret away, with another value. */
    async scopeOf(name: string) {
      const found = await vault.scopeOf(name);
      await vault.set("A", "of-another", onlyFor(["another"]), found);
      return found;
    },
  };
  const { setSecret } = secretEndpoints({
    ...store,
    vault: race,
    factories,
    cursors: createCursors(sealer),
    notifier: { secretChanged: async () => {} },
    outboundSender: { secretChanged: async () => {} },
  });
  const request = {
    caller: { kind: "key", key: { factories: [uid] } },
    path: { name: "A" },
    body: { factories: [uid] },
  } as unknown as ApiRequest<"setSecret">;
  await expect(setSecret.handle(request)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("Someone else has just changed"),
  });
  expect(await vault.scopeOf("A")).toEqual(onlyFor(["another"]));
});
