import { useState } from "react";
import type { Models } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { openLater } from "../../parts/time/later.tsx";
import { redeliverDialog } from "./redeliver-later.ts";

/** Sends an accepted delivery again, after what that would start was shown. */
export function Redeliver({ delivery }: { delivery: Models["Delivery"] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall onPress={() => void openLater(redeliverDialog, () => setOpen(true))}>
        Redeliver
      </Button>
      {isOpen && <redeliverDialog.Part deliveries={[delivery]} onClose={() => setOpen(false)} />}
    </>
  );
}
