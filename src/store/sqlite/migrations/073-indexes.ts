import type { Migration } from "../database.ts";

export const indexes: Migration = {
  name: "073-indexes",
  serversMustKnow: "054-several-servers",
  sql: `
    -- By these, runs, deliveries and factories are deleted without a look at every tag, attachment and task.
    CREATE INDEX run_tags_of_run ON run_tags (number);
    CREATE INDEX run_attachments_of_delivery ON run_attachments (delivery_id) WHERE delivery_id IS NOT NULL;
    CREATE INDEX tasks_of_factory ON tasks (factory_uid);
  `,
};
