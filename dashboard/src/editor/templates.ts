/** What new files begin with: small, and valid where that can be. */
export const AUTOMATION = (webhook: string | undefined) =>
  `---
triggers:
  - provider: webhook
    event: received
    millrace: { webhooks: [${webhook === undefined ? "" : quoted(webhook)}] }
---
Say what the agent has to do. The body of the delivery is in event-payload.json.
`;

export const AGENT = `---
description: What this agent is for.
---
You are an agent of this factory. Say here how you work.
`;

export const FOREMAN = `---
description: Takes what comes in, and does it or hands it on.
agentType: FOREMAN
---
You are the foreman of this factory. Say here how you work.
`;

export const FACTORY = (name: string) => `schemaVersion: v1alpha1
name: ${name}
# What the agents work on. \`owner/name\` is found by the forges: of the server's millrace.yaml.
repositories:
  - { owner: acme, name: shop }
agentDefaults:
  # The server's agent command, or the name of a harness of its millrace.yaml.
  harness: { type: command, model: none }
millrace:
  # Runs go without what the server has no forge for. Take this away where agents need their repositories.
  repositories: optional
`;

export const RUNNER = `description: What this runner is for.
platform: { os: linux, linux: { dockerImage: "node:20" } }
setupCommands: []
`;

/** A name may have marks that mean something in YAML. */
function quoted(name: string): string {
  return /^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name);
}
