// Own file: all statements on one table.
import type { DeliveryStore } from "../../ingress/delivery.ts";
import type { PullRequestAuthor } from "../../ingress/linked-authors.ts";
import type { Database } from "../sqlite/database.ts";

/** A workflow run is linked to a handful of pull requests. */
const MAX_ASKED = 50;

/** Who opened which pull request, as deliveries have told each factory. */
export function pullRequestAuthors(
  db: Database,
): Pick<DeliveryStore, "findAuthors" | "listAuthors" | "forgetAuthors"> {
  return {
    async findAuthors(factoryUid, pullRequests) {
      const authors: string[] = [];
      for (const { repository, number } of pullRequests.slice(0, MAX_ASKED)) {
        const row = await db.first<{ author: string }>(
          "SELECT author FROM pull_request_authors WHERE factory_uid = $1 AND repository = $2 AND number = $3",
          [factoryUid, repository, number],
        );
        if (row) authors.push(row.author);
      }
      return authors;
    },
    listAuthors: (factoryUid) =>
      db.all<PullRequestAuthor>(
        "SELECT repository, number, author FROM pull_request_authors WHERE factory_uid = $1",
        [factoryUid],
      ),
    forgetAuthors: (before, limit) =>
      db.run(
        `DELETE FROM pull_request_authors WHERE (factory_uid, repository, number) IN (
           SELECT factory_uid, repository, number FROM pull_request_authors
           WHERE told_at < $1 ORDER BY told_at LIMIT $2)`,
        [before, limit],
      ),
  };
}

/** Remembers an author as the newest delivery says it: a login can be renamed, and a repository made again. */
export async function rememberAuthor(
  db: Database,
  factoryUid: string,
  { repository, number, author }: PullRequestAuthor,
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO pull_request_authors (factory_uid, repository, number, author, told_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (factory_uid, repository, number) DO UPDATE SET author = excluded.author, told_at = excluded.told_at`,
    [factoryUid, repository, number, author, at],
  );
}
