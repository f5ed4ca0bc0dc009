/** What new files begin with: small, and valid where that can be. */
export const AUTOMATION = (webhook: string | undefined) =>
  `---
triggers:
  - provider: webhook
    event: received
    millrace: { webhooks: [${webhook === undefined ? "" : quoted(webhook)}] }
---
`;

/** What someone may write where nothing is written yet. */
export const PROMPT_HINT = "Describe what the agent should do. The delivery body is in event-payload.json.";

export const AGENT = `---
description: What this agent does.
---
You are an agent of this factory. Describe here how you work.
`;

export const FOREMAN = `---
description: Receives incoming work, and does it or delegates it.
agentType: FOREMAN
---
You are the foreman of this factory. Describe here how you work.
`;

export const FACTORY = (name: string) => `schemaVersion: v1alpha1
name: ${name}
# Repositories that the agents work on. The server resolves \`owner/name\` with forges: in its millrace.yaml.
repositories:
  - { owner: acme, name: shop }
agentDefaults:
  # The server's agent command (type: command), or the name of a harness in its millrace.yaml.
  harness: { type: command, model: none }
millrace:
  # Runs start without repositories that the server has no forge for. Remove this if agents need them.
  repositories: optional
`;

export const RUNNER = `description: What this runner provides.
platform: { os: linux, linux: { dockerImage: "node:20" } }
setupCommands: []
`;

/** A name may have marks that mean something in YAML. */
function quoted(name: string): string {
  return /^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name);
}
