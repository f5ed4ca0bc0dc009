import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { payloadQuery } from "../../api/queries.ts";
import { Choice } from "../forms/field.tsx";
import { Loaded } from "../tables/loaded.tsx";
import { CopyButton } from "./copyable.tsx";
import { Json } from "./json.tsx";
import styles from "./payload.module.css";
import { ScrollText } from "./scroll-text.tsx";

const VIEWS = [
  { value: "tree", label: "Tree" },
  { value: "raw", label: "Raw" },
];

/** The body of an accepted delivery: as a tree, or as the bytes that came. It is text, whatever is in it. */
export function Payload({ factory, deliveryId }: { factory: string; deliveryId: string }) {
  const query = useQuery(payloadQuery(factory, deliveryId));
  const [view, setView] = useState("tree");
  return (
    <section className={styles.payload} aria-label="Payload">
      <div className={styles.head}>
        <h3>Payload</h3>
        <Choice label="Show as" isLabelHidden value={view} onChange={setView} options={VIEWS} />
        {query.data !== undefined && <CopyButton text={query.data} what="the payload" />}
      </div>
      <Loaded query={query}>
        {(text) =>
          view === "raw" ? <ScrollText label="Raw payload" text={text} /> : <Json value={JSON.parse(text)} />
        }
      </Loaded>
    </section>
  );
}
