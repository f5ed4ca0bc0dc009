import type { DeliveryStore } from "../ingress/delivery.ts";
import type { PullRequestAuthor } from "../ingress/linked-authors.ts";
import type { Database } from "./database.ts";

/** A workflow run is linked to a handful of pull requests. */
const MOST_ASKED = 50;

/** Who opened which pull request, as deliveries have told each factory. */
export function pullRequestAuthors(db: Database): Pick<DeliveryStore, "findAuthors" | "listAuthors"> {
  return {
    async findAuthors(factoryUid, pullRequests) {
      const authors: string[] = [];
      for (const { repository, number } of pullRequests.slice(0, MOST_ASKED)) {
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
  };
}

/** Remembers an author for as long as the store lives: GitHub tells of old pull requests too. */
export async function rememberAuthor(
  db: Database,
  factoryUid: string,
  { repository, number, author }: PullRequestAuthor,
): Promise<void> {
  await db.run(
    `INSERT INTO pull_request_authors (factory_uid, repository, number, author) VALUES ($1, $2, $3, $4)
     ON CONFLICT (factory_uid, repository, number) DO NOTHING`,
    [factoryUid, repository, number, author],
  );
}
