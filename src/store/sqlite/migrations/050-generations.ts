import type { Migration } from "../database.ts";

export const generations: Migration = {
  name: "050-generations",
  sql: `
    -- The number of the last change of any factory: whoever serves factories from memory compares it.
    CREATE TABLE factory_generation (value INTEGER NOT NULL);
    INSERT INTO factory_generation (value) VALUES (0);
    -- The number of the last change of what the factory serves. It stays 0 until something is applied.
    ALTER TABLE factories ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
    -- Each delivery asks for it, and the row of a factory may have many problems in it.
    CREATE UNIQUE INDEX factory_generations ON factories (uid, generation);
  `,
};
