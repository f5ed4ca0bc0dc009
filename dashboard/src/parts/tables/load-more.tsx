import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "../button.tsx";
import styles from "./load-more.module.css";

/** Brings the next page of a list; nothing when there is none. */
export function LoadMore({
  query,
}: {
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}) {
  if (!query.hasNextPage) return null;
  return (
    <div className={styles.more}>
      <Button isSmall onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
        Show older
      </Button>
    </div>
  );
}
