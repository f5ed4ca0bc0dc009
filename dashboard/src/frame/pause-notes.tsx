import { useQuery } from "@tanstack/react-query";
import { CirclePause } from "lucide-react";
import { type Models, millrace } from "../api/client.ts";
import { pausesQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { announce } from "../parts/announcer.tsx";
import { Button } from "../parts/button.tsx";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { RelativeTime } from "../parts/time/relative-time.tsx";
import { useAction } from "../parts/use-action.ts";
import styles from "./note.module.css";
import { useMay, useMayForServer } from "./use-role.ts";

/** What is paused, on every page: a pause that someone forgot looks like a server that starts nothing. */
export function PauseNotes() {
  const { data: pauses = [] } = useQuery(pausesQuery);
  return (
    <div role="status">
      {pauses.map((pause) => (
        <PauseNote key={pause.id} pause={pause} />
      ))}
    </div>
  );
}

function PauseNote({ pause }: { pause: Models["Pause"] }) {
  const mayOperate = useMay("operator");
  const mayForServer = useMayForServer("operator");
  const ending = useAction({
    send: () => millrace.pauses.end(pause.id),
    onDone: () => announce(`Unpaused ${pausedThing(pause)}.`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: pausesQuery.queryKey }),
  });
  const mayEnd = pause.scope === "server" ? mayForServer : mayOperate;
  return (
    <div className={styles.note}>
      <CirclePause size={16} aria-hidden />
      <p>
        Runs of {pausedThing(pause)} were paused <RelativeTime at={pause.created_at} />
        {pause.created_by.display_name && ` by ${pause.created_by.display_name}`}
        {pause.reason && `: ${pause.reason}`}. Deliveries are still recorded, and their runs wait.
      </p>
      {mayEnd && (
        <Button
          isSmall
          onPress={() => ending.run()}
          isPending={ending.isPending}
          aria-label={`Unpause ${pausedThing(pause)}`}
        >
          Unpause
        </Button>
      )}
      {ending.error && <ProblemNotice error={ending.error} />}
    </div>
  );
}

/** What a pause holds, in the words of a sentence: `the webhook ci of shop`. */
function pausedThing({ scope, factory, webhook, automation }: Models["Pause"]): string {
  if (scope === "server") return "the server";
  if (scope === "factory") return `the factory ${factory}`;
  return `the ${scope} ${webhook ?? automation} of ${factory}`;
}
