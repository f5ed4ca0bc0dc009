// A definition with many automations, in a folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FACTORY =
  "schemaVersion: v1alpha1\nname: bench\nrepositories: [{ owner: a, name: b }]\nagentDefaults: { harness: { type: command, model: none } }\nmillrace: { repositories: optional }\n";

/** An automation that listens to a webhook, with a filter of its own. */
export const automation = (webhook, index, kind = `k${index}`) => `---
triggers:
  - provider: webhook
    event: received
    millrace: { webhooks: [${webhook}] }
    filter:
      payload:
        kind: [${kind}]
        pull_request: { state: [open], labels: { not_in: [wip] } }
---
Handle the event of kind ${index}.
`;

/** The files of a definition by path. @param textOf the text of each automation by its number */
export function manyAutomations({ webhooks, automations, textOf }) {
  const files = {
    "factory.yaml": FACTORY,
    "agents/boss/agent.md": "---\nagentType: FOREMAN\n---\nYou do the work.\n",
  };
  for (const name of webhooks) files[`webhooks/${name}.yaml`] = "secretName: BENCH_SECRET\n";
  for (let index = 0; index < automations; index += 1)
    files[`automations/a${index}/automation.md`] = textOf(index);
  return files;
}

export function writeFiles(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
