import { useQuery } from "@tanstack/react-query";
import { CirclePause, Hourglass } from "lucide-react";
import { type Models, millrace } from "../api/client.ts";
import { holdsQuery, pausesQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { announce } from "../parts/announcer.tsx";
import { Button } from "../parts/button.tsx";
import { ProblemNotice } from "../parts/problem-notice.tsx";
import { RelativeTime } from "../parts/time/relative-time.tsx";
import { exactTime } from "../parts/time/time-text.ts";
import { useAction } from "../parts/use-action.ts";
import styles from "./note.module.css";
import { useMay, useMayForServer } from "./use-role.ts";

/** What is paused or held, on every page: a pause that someone forgot looks like a server that starts nothing. */
export function PauseNotes() {
  const { data: pauses = [] } = useQuery(pausesQuery);
  const { data: holds = [] } = useQuery(holdsQuery);
  return (
    <div role="status">
      {pauses.map((pause) => (
        <PauseNote key={pause.id} pause={pause} />
      ))}
      {holds.map((hold) => (
        <HoldNote key={hold.id} hold={hold} />
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

/** Until when a model's provider has runs wait. */
function HoldNote({ hold }: { hold: Models["Hold"] }) {
  const mayOperate = useMay("operator");
  const { id, credential, model, factory, until, reason } = hold;
  const held = `the model ${model} with the credential ${credential}`;
  const ending = useAction({
    send: () => millrace.holds.end(id),
    onDone: () => announce(`Ended the hold of ${held}.`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: holdsQuery.queryKey }),
  });
  return (
    <div className={styles.note}>
      <Hourglass size={16} aria-hidden />
      <p>
        Runs {factory && `of the factory ${factory} `}for {held} wait until{" "}
        <time dateTime={until}>{exactTime(until)}</time>: {reason}
      </p>
      {mayOperate && (
        <Button
          isSmall
          onPress={() => ending.run()}
          isPending={ending.isPending}
          aria-label={`End the hold of ${held}`}
        >
          End hold
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
