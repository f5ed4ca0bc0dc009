import { useState } from "react";
import type { Models } from "../../api/client.ts";
import { useMay } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { counted } from "../../parts/counted.ts";
import { openLater } from "../../parts/time/later.tsx";
import styles from "./bulk-redeliver.module.css";
import { redeliverDialog } from "./redeliver-later.ts";

type Delivery = Models["Delivery"];

/** So many are redelivered together. */
const MOST = 100;

interface BulkRedeliverProps {
  /** What the list shows. */
  deliveries: readonly Delivery[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
}

/** Whether a delivery can be redelivered. */
export function canRedeliver({ outcome }: Delivery): boolean {
  return outcome === "Accepted";
}

/** Redelivers the chosen deliveries of a list, or all that it shows. */
export function BulkRedeliver({ deliveries, chosen, onChoose }: BulkRedeliverProps) {
  const mayOperate = useMay("operator");
  const [opened, setOpened] = useState<readonly Delivery[]>();
  const redeliverable = deliveries.filter(canRedeliver);
  const selected = redeliverable.filter(({ delivery_id }) => chosen.has(delivery_id));
  if (!mayOperate || redeliverable.length === 0) return null;
  const asked = (selected.length > 0 ? selected : redeliverable).slice(0, MOST);
  const what = selected.length > 0 ? "selected" : "shown";
  return (
    <div className={styles.bar}>
      <Button isSmall onPress={() => void openLater(redeliverDialog, () => setOpened(asked))}>
        Redeliver {asked.length} {what}
      </Button>
      {selected.length > 0 && (
        <Button isSmall kind="quiet" onPress={() => onChoose(new Set())}>
          Clear selection
        </Button>
      )}
      <span className={styles.note} role="status">
        {selected.length > MOST &&
          `At most ${counted(MOST, "delivery", "deliveries")} are redelivered together.`}
      </span>
      {opened && (
        <redeliverDialog.Part
          deliveries={opened}
          onClose={() => setOpened(undefined)}
          onDone={() => onChoose(new Set())}
        />
      )}
    </div>
  );
}
