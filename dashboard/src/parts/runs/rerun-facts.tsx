import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { rerunsQuery } from "../../api/run-queries.ts";
import { Fact } from "../facts.tsx";
import { RelativeTime } from "../time/relative-time.tsx";
import { RUN_WORDS } from "../tones.ts";
import { hasEnded } from "./has-ended.ts";

/** The run that a run repeats, and the runs that repeat it: facts of a run. */
export function RerunFacts({ run: { run_id, rerun_of, state } }: { run: Models["RunItem"] }) {
  const { data: reruns = [] } = useQuery({ ...rerunsQuery(run_id), enabled: hasEnded(state) });
  return (
    <>
      {rerun_of !== undefined && (
        <Fact name="Repeats">
          <Link href={`/runs/${rerun_of}`}>{rerun_of}</Link>
        </Fact>
      )}
      {reruns.length > 0 && (
        <Fact name="Run again">
          {reruns.map((rerun) => (
            <div key={rerun.run_id}>
              <Link href={`/runs/${rerun.run_id}`}>{RUN_WORDS[rerun.state]}</Link>{" "}
              <RelativeTime at={rerun.created_at} />
            </div>
          ))}
        </Fact>
      )}
    </>
  );
}
