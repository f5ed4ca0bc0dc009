import { Link } from "wouter";
import { ApiError, type Models } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { Button } from "../../parts/button.tsx";
import { Actions, Dialog } from "../../parts/forms/dialog.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { type BulkAction, countsOf, runsText, summaryLine } from "./bulk-action.ts";
import styles from "./bulk-dialog.module.css";
import { type BulkResult, useBulk } from "./use-bulk.ts";

type Run = Models["RunItem"];

interface BulkDialogProps {
  bulk: BulkAction;
  runs: readonly Run[];
  onClose: () => void;
}

/** Does something with several runs: first what that means, then how it went with each. */
export function BulkDialog({ bulk, runs, onClose }: BulkDialogProps) {
  const { results, isPending, start, stop } = useBulk(bulk);
  const able = runs.filter((run) => bulk.obstacle(run) === undefined);
  const failed = able.filter(({ run_id }) => isFailure(results.get(run_id)));
  const undone = able.filter(({ run_id }) => !results.has(run_id));
  const hasBegun = isPending || results.size > 0;
  const next = [...failed, ...undone];
  const isDone = !isPending && next.length === 0;
  const close = () => {
    if (hasBegun) void queryClient.invalidateQueries({ queryKey: ["runs"] });
    onClose();
  };
  return (
    <Dialog
      title={able.length === 0 ? bulk.nothing : bulk.title(runsText(able))}
      isOpen
      onClose={close}
      isBusy={isPending}
    >
      <Form onSubmit={() => next.length > 0 && void start(next)}>
        {hasBegun ? (
          <Progress bulk={bulk} total={able.length} results={[...results.values()]} />
        ) : (
          <Summary bulk={bulk} runs={runs} />
        )}
        <Actions>
          {isPending ? (
            <Button onPress={stop}>Stop</Button>
          ) : (
            <Button onPress={close}>{hasBegun ? "Close" : "Go back"}</Button>
          )}
          {/* It stays where it is, so that a double click does not reach the button that closes. */}
          {able.length > 0 && (
            <Button kind={bulk.kind} type="submit" isPending={isPending} isDisabled={isDone}>
              {hasBegun && !isPending && !isDone ? `Try again (${next.length})` : bulk.action}
            </Button>
          )}
        </Actions>
      </Form>
    </Dialog>
  );
}

function Summary({ bulk, runs }: Pick<BulkDialogProps, "bulk" | "runs">) {
  const { factories } = useFactory();
  const able = runs.filter((run) => bulk.obstacle(run) === undefined);
  const unable = runs.filter((run) => bulk.obstacle(run) !== undefined);
  return (
    <>
      {able.length > 0 && <p>{bulk.effect}</p>}
      <Counts counts={countsOf(able, (run) => summaryLine(run, factories))} />
      {unable.length > 0 && (
        <>
          <p>{`Not possible for ${runsText(unable)}:`}</p>
          <Counts counts={countsOf(unable, (run) => bulk.obstacle(run) ?? "")} />
        </>
      )}
    </>
  );
}

function Counts({ counts }: { counts: [line: string, count: number][] }) {
  return (
    <ul className={styles.lines}>
      {counts.map(([line, count]) => (
        <li key={line}>
          <strong>{count}</strong> {line}
        </li>
      ))}
    </ul>
  );
}

interface ProgressProps extends Pick<BulkDialogProps, "bulk"> {
  total: number;
  results: readonly BulkResult[];
}

function Progress({ bulk, total, results }: ProgressProps) {
  const failed = results.filter(isFailure).length;
  return (
    <>
      <p role="status">
        {`${results.length} of ${total} done`}
        {failed > 0 && `, ${failed} failed`}
      </p>
      <progress className={styles.progress} max={total} value={results.length} aria-label="Progress" />
      <ul className={styles.lines}>
        {results.map((result) => (
          <li key={result.run.run_id}>
            <Link href={`/runs/${result.run.run_id}`}>{result.run.title || result.run.run_id}</Link>:{" "}
            <Outcome result={result} done={bulk.done} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Outcome({ result, done }: { result: BulkResult; done: string }) {
  if ("error" in result) return <span className={styles.error}>{errorText(result.error)}</span>;
  if (result.started === undefined) return done;
  return <Link href={`/runs/${result.started}`}>{done}</Link>;
}

function isFailure(result: BulkResult | undefined): boolean {
  return result !== undefined && "error" in result;
}

function errorText(error: unknown): string {
  if (error instanceof ApiError) return error.problem.detail ?? error.problem.title;
  return "The server is not responding.";
}
