import { onFinished } from "./cleanup.ts";
import { POSTGRES_URL, postgresClient } from "./postgres.ts";

/** Takes one database away from all that use it, as a failover of PostgreSQL does, and gives it back. */
export async function postgresOutage(url: string) {
  const name = new URL(url).pathname.slice(1);
  const administrator = await postgresClient(POSTGRES_URL ?? "");
  const allow = (isAllowed: boolean) =>
    administrator.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${isAllowed}`);
  onFinished(() => allow(true));
  return {
    async begin() {
      await allow(false);
      await administrator.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
        name,
      ]);
    },
    end: () => allow(true),
  };
}
