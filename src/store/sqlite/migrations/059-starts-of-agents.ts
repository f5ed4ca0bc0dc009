import type { Migration } from "../database.ts";

export const startsOfAgents: Migration = {
  name: "059-starts-of-agents",
  serversMustKnow: "054-several-servers",
  sql: `
    -- What the runs of a day are counted by, as runs_of_automation_by_first_claim. In a step of its own, because nobody writes
    -- while a large table is read.
    CREATE INDEX runs_of_agent_by_first_claim ON runs (agent_uid, first_claimed_at)
      WHERE agent_uid IS NOT NULL AND first_claimed_at IS NOT NULL;
  `,
};
