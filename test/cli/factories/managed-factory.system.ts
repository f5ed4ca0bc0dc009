import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { listeningTo, managedBy, serveManaged } from "../../given/managed.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";

const kept = sharedByFile(serveManaged);

/** A command against the server that keeps the factory, which has to end well unless told. */
async function millrace(args: string[], { input = "", code = 0 } = {}) {
  const env = { MILLRACE_SERVER: kept().server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const ended = await run([...args], env, input);
  expect([ended.code, ended.said]).toEqual([code, expect.any(String)]);
  return ended;
}

const inFactory = (...args: string[]) => [...args, "--factory", "default"];

describe("webhooks", () => {
  test("are created, rotated, disabled, enabled and deleted, and what is shown once is printed", async () => {
    const { printed, said } = await millrace(inFactory("webhooks", "create", "ci"));
    const [url = "", secret = ""] = printed.split("\n");
    expect(said).toContain("This is the only time that the bearer token is shown");
    expect(await kept().deliver(url, secret)).toBe(202);

    const rotated = (await millrace(inFactory("webhooks", "rotate-secret", "ci"))).printed.split("\n");
    expect(await kept().deliver(url, secret)).toBe(401);
    expect(await kept().deliver(url, rotated[1])).toBe(202);
    expect((await millrace(inFactory("webhooks", "disable", "ci"))).printed).toContain("senders get 404");
    expect(await kept().deliver(url, rotated[1])).toBe(404);
    await millrace(inFactory("webhooks", "enable", "ci"));
    expect(await kept().deliver(url, rotated[1])).toBe(202);
    expect((await millrace(inFactory("webhooks", "delete", "ci"))).printed).toContain("Deleted webhook");
    expect(await kept().deliver(url, rotated[1])).toBe(404);
    await millrace(inFactory("webhooks", "enable", "ci"), { code: 5 });
  });

  test("can accept the old secret for some time, and say who still uses it", async () => {
    const [url = "", old = ""] = (await millrace(inFactory("webhooks", "create", "rolled"))).printed.split(
      "\n",
    );
    const rotation = await millrace(inFactory("webhooks", "rotate-secret", "rolled", "--overlap", "24h"));
    const [, secret = ""] = rotation.printed.split("\n");
    expect(rotation.said).toMatch(/The previous secret still works until 2\d{3}-\d\d-\d\dT/);
    const shown = async () => (await millrace(inFactory("webhooks", "show", "rolled"))).printed;
    expect(await shown()).toContain("no delivery in the log used it");
    expect([await kept().deliver(url, old), await kept().deliver(url, secret)]).toEqual([202, 202]);
    expect(await shown()).toMatch(/accepted until 2\S+, used:\s+\d+s ago by 127\.0\.0\.1 \(node\)/);
    const listed = (await millrace(inFactory("deliveries", "list", "--webhook", "rolled", "--json"))).printed;
    const [, proved] = JSON.parse(listed) as { delivery_id: string }[];
    const delivery = await millrace(inFactory("deliveries", "show", proved?.delivery_id ?? ""));
    expect(delivery.printed).toMatch(/authenticated with: +the previous secret/);
    const ended = await millrace(inFactory("webhooks", "end-overlap", "rolled"));
    expect(ended.printed).toContain('Webhook "rolled" accepts only its current secret.');
    expect([await kept().deliver(url, old), await kept().deliver(url, secret)]).toEqual([401, 202]);
    expect(await shown()).not.toContain("previous secret");
    const refused = await millrace(inFactory("webhooks", "rotate-secret", "rolled", "--overlap", "1y"), {
      code: 1,
    });
    expect(refused.said).toContain(
      "expected a number of minutes, hours or days such as 30m, 24h or 7d, at most 30d",
    );
    await millrace(inFactory("webhooks", "delete", "rolled"));
  });

  test("whose provider issues the secret are created in two steps, the secret coming from a file or a pipe", async () => {
    const first = await millrace(inFactory("webhooks", "create", "pay", "--signature-scheme", "stripe"));
    expect(first.said).toContain("`millrace webhooks rotate-secret pay --secret-file FILE`");
    await millrace(inFactory("webhooks", "rotate-secret", "pay", "--secret-file", "-"), {
      input: "whsec_1\n",
    });
    expect((await kept().webhooks()).find(({ name }) => name === "pay")?.status).toBe("active");
    const off = await millrace(
      inFactory("webhooks", "create", "off", "--signature-scheme", "stripe", "--disabled"),
    );
    expect(off.said).toContain("`millrace webhooks rotate-secret off --secret-file FILE`");
    const file = join(temporaryFolder(), "secret");
    writeFileSync(file, "whsec_2\n");
    const options = [
      "--auth-mode",
      "signature",
      "--signature-scheme",
      "github",
      "--secret-name",
      "HUB",
      "--disabled",
    ];
    const json = await millrace(
      inFactory(
        "webhooks",
        "create",
        "hub",
        ...options,
        "--secret-file",
        file,
        "--delivery-id-header",
        "X-Id",
        "--json",
      ),
    );
    expect(JSON.parse(json.printed)).toMatchObject({
      auth_mode: "signature",
      secret_name: "HUB",
      delivery_id_header: "X-Id",
      status: "disabled",
    });
    expect(json.printed).not.toContain("whsec_2");
  });

  test("that are refused say why, with the exit code of a refusal", async () => {
    const { said } = await millrace(inFactory("webhooks", "create", "x/y"), { code: 1 });
    expect(said).toContain("is not a valid webhook name");
    await millrace(inFactory("webhooks", "create", "x", "--secret-file", "-"), { code: 2 });
  });
});

describe("automations", () => {
  test("are written from a file or a pipe, and deleted", async () => {
    const input = listeningTo("ci");
    const set = inFactory("automations", "set", "report", "--file", "-");
    expect((await millrace(set, { input })).printed).toBe('Automation "report" is active.\n');
    await millrace(set, { input: listeningTo("ci", "Changed.") });
    expect((await millrace(inFactory("automations", "show", "report"))).printed).toContain("Changed.");
    const broken = await millrace(set, { input: "no front matter", code: 1 });
    expect(broken.said).toContain("automations/report/automation.md:1:1");
    await millrace(inFactory("automations", "delete", "report"));
    await millrace(inFactory("automations", "delete", "report"), { code: 5 });
  });

  test("that are refused are reported with each of their problems", async () => {
    const input = "---\ntriggers: []\nowner: me\n---\nReport.\n";
    const { said } = await millrace(inFactory("automations", "set", "two", "--file", "-"), {
      input,
      code: 1,
    });
    expect(said).toContain("error FF_INVALID_VALUE automations/two/automation.md:2:11");
    expect(said).toContain("error FF_UNKNOWN_FIELD automations/two/automation.md:3:1");
  });
});

describe("factories", () => {
  test("are made, take a whole folder in one commit, and give it back", async () => {
    expect((await millrace(["factories", "create", "whole"])).printed).toBe('Created factory "whole".\n');
    await millrace(["factories", "create", "whole"], { code: 6 });
    const folder = folderWith({
      ...FACTORY,
      "README.md": "Not a part of it.\n",
      "skills/help/SKILL.md": "---\nname: help\n---\nHelp.\n",
      "skills/help/blob": Buffer.from([0xff, 0xfe, 0x00]),
    });
    const imported = await millrace([
      "import",
      folder,
      "--factory",
      "whole",
      "--message",
      "Begin with what there is",
    ]);
    expect(imported.printed).toContain('The factory is now named "acme"');
    const acme = managedBy(kept().server, "acme");
    expect(await acme.git("log", "--format=%s", "-1", "main")).toBe("Begin with what there is");
    const smaller = folderWith(FACTORY);
    await millrace(["import", smaller, "--factory", "acme", "--yes"]);
    expect((await acme.git("ls-tree", "-r", "--name-only", "main")).split("\n").sort()).toEqual(
      Object.keys(FACTORY).sort(),
    );
    expect((await millrace(["factories", "list"])).printed).toMatch(/^acme +managed +synced /m);
    const again = join(temporaryFolder(), "again");
    await millrace(["export", "acme", "--output", again]);
    const before = await acme.git("rev-parse", "main^{tree}");
    expect((await millrace(["import", again, "--factory", "acme"])).printed).not.toContain("now");
    expect(await acme.git("rev-parse", "main^{tree}")).toBe(before);
  });

  test("that are suspended are reported to refuse changes, and a rollback reports its commit", async () => {
    await millrace(["factories", "create", "held"]);
    const held = managedBy(kept().server, "held");
    const begun = await held.git("rev-parse", "main");
    expect((await millrace(["suspend", "held"])).printed).toContain("changes are refused");
    expect((await millrace(["resume", "held"])).printed).toContain("accepts changes again");
    const back = await millrace(["rollback", "held", "--to", begun]);
    expect(back.printed).toContain("in a new commit");
    expect(back.printed).not.toContain("Fix the branch");
    const none = join(temporaryFolder(), "none");
    await millrace(["export", "held", "--output", none]);
    await millrace(["import", none, "--factory", "held"]);
  });
});
