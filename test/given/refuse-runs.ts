import { POSTGRES_URL } from "./postgres.ts";
import type { Server } from "./server.ts";
import { storeOf } from "./store.ts";

/** Has the database of a server refuse runs of this title, which is a failure that nobody foresaw. */
export async function refuseRunsTitled(title: string, server: Server): Promise<void> {
  const { connection } = await storeOf(server);
  await connection.run(
    POSTGRES_URL === undefined
      ? `CREATE TRIGGER refused BEFORE INSERT ON runs WHEN NEW.title = '${title}'
         BEGIN SELECT RAISE(ABORT, 'this row cannot be written'); END`
      : `ALTER TABLE runs ADD CONSTRAINT refused CHECK (title <> '${title}')`,
  );
}
