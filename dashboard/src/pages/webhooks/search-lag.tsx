import { useQuery } from "@tanstack/react-query";
import type { DeliveryQuery } from "../../api/models.ts";
import { searchLagQuery } from "../../api/queries.ts";
import { counted } from "../../parts/counted.ts";
import { exactTime } from "../../parts/time/time-text.ts";
import styles from "./bulk-redeliver.module.css";

/** So little is not worth a word: the list is brought up to date meanwhile. */
const WORTH_TELLING_SECONDS = 3;

/** What a search cannot find yet, as far as that matters. */
export function SearchLag({ query }: { query: DeliveryQuery }) {
  const isSearch = query.q !== undefined || query.event !== undefined;
  const { data } = useQuery({ ...searchLagQuery(query), enabled: isSearch });
  if (!isSearch || !data) return null;
  const notes = [
    ...(data.from
      ? [
          `Deliveries received before ${exactTime(data.from)} are being made searchable, and cannot be found yet.`,
        ]
      : []),
    ...(data.seconds > WORTH_TELLING_SECONDS
      ? [`The search is ${counted(data.seconds, "second")} behind.`]
      : []),
  ];
  if (notes.length === 0) return null;
  return (
    <p role="status" className={styles.note}>
      {notes.join(" ")}
    </p>
  );
}
