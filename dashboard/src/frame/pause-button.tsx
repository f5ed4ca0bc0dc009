import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Models } from "../api/client.ts";
import { pausesQuery } from "../api/queries.ts";
import { Button } from "../parts/button.tsx";
import { later, openLater } from "../parts/time/later.tsx";
import { useMay, useMayForServer } from "./use-role.ts";

const dialog = later(async () => (await import("./pause-dialog.tsx")).PauseDialog);

interface PauseButtonProps {
  /** What to pause; empty for the server. */
  what: Pick<Models["NewPause"], "factory" | "webhook" | "automation">;
  /** How the window names it. */
  name: string;
  /** In a row of a table. */
  isSmall?: boolean;
}

/** Pauses something after a reason was asked for. It is not there while that is paused, or for who may not. */
export function PauseButton({ what, name, isSmall = false }: PauseButtonProps) {
  const { data: pauses = [] } = useQuery(pausesQuery);
  const [isOpen, setOpen] = useState(false);
  const mayOperate = useMay("operator");
  const mayForServer = useMayForServer("operator");
  // Beside the buttons of its factories, only the name says what a button of the server pauses.
  const isServer = what.factory === undefined;
  const may = isServer ? mayForServer : mayOperate;
  if (!may || pauses.some((pause) => isOf(pause, what))) return null;
  return (
    <>
      <Button
        {...(isSmall ? { isSmall, kind: "quiet", "aria-label": `Pause ${name}` } : {})}
        onPress={() => openLater(dialog, () => setOpen(true))}
      >
        {isServer ? "Pause the server" : "Pause"}
      </Button>
      {isOpen && <dialog.Part what={what} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function isOf(pause: Models["Pause"], { factory, webhook, automation }: PauseButtonProps["what"]): boolean {
  if (webhook !== undefined) return pause.webhook_uid === webhook;
  if (automation !== undefined) return pause.automation_id === automation;
  if (factory !== undefined) return pause.scope === "factory" && pause.factory === factory;
  return pause.scope === "server";
}
