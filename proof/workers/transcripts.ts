import type { EndedRun } from "./runs-verdict.ts";
import type { Site } from "./site.ts";
import type { Start } from "./witnesses.ts";

/** How many transcripts have exactly the bytes that agents wrote. */
export interface ComparedTranscripts {
  whole: number;
  /** Of runs that were cut off: what arrived is how the record begins. */
  parts: number;
  /** Of runs whose output may have been lost in part: what is there is what agents wrote, with gaps. */
  gaps: number;
  /** A sentence for each that differs. */
  different: string[];
}

/** What millrace has noted in between, on lines of its own. */
const NOTE = /^\[millrace: .*\n/gm;

/**
 * Holds the transcript of every run against the bytes that its agents have written to their records too.
 * @param mayHaveGaps whether what a run's agents wrote may have been lost in part
 */
export async function compareTranscripts(
  site: Site,
  runs: readonly EndedRun[],
  mayHaveGaps: (run: EndedRun, transcript: string) => boolean = () => false,
): Promise<ComparedTranscripts> {
  const { text, witnesses } = site;
  const found: ComparedTranscripts = { whole: 0, parts: 0, gaps: 0, different: [] };
  const starts = witnesses.starts();
  const ends = witnesses.endTimes();
  for (const run of runs) {
    const { run_id, state } = run;
    const own = starts.filter(({ run }) => run === run_id).sort((a, b) => a.turn - b.turn);
    if (own.length === 0) continue;
    const shown = await text(`/agent/runs/${run_id}/transcript`);
    const transcript = shown.replaceAll(NOTE, "");
    const records = own.map((start) => witnesses.record(start).toString());
    const isWhole =
      state === "SUCCEEDED" &&
      own.every((start) => ends.has(turnOf(start))) &&
      !(await wasCutOff(site, run_id));
    if (isWhole && transcript === records.join("")) found.whole += 1;
    else if (!isWhole && own.length === 1 && records[0]?.startsWith(transcript)) found.parts += 1;
    else if (mayHaveGaps(run, shown) && isWithin(transcript, records.join(""))) found.gaps += 1;
    else if (isWhole || own.length === 1)
      found.different.push(
        `the transcript of ${run_id} (${state}, ${own.length} turns) differs from what its agent wrote: ${differenceOf(transcript, records.join(""))}`,
      );
  }
  return found;
}

function turnOf({ run, turn }: Start): string {
  return `${run}.${turn}`;
}

/** Whether a text is another one of which pieces are missing. */
function isWithin(text: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === text[at]) at += 1;
  return at === text.length;
}

function differenceOf(transcript: string, record: string): string {
  let at = 0;
  while (at < transcript.length && transcript[at] === record[at]) at += 1;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 80));
  return `at character ${at} of ${transcript.length} and ${record.length}: ${around(transcript)}, expected ${around(record)}`;
}

/** Whether a turn of a run has ended with an error, after which another one has succeeded. */
async function wasCutOff({ api }: Site, run: string): Promise<boolean> {
  const timeline = `/agent/runs/${run}/timeline?limit=500`;
  const { events } = await api<{ events: { event_type: string }[] }>("GET", timeline);
  return events.some(({ event_type }) => event_type === "oz_run_errored");
}
