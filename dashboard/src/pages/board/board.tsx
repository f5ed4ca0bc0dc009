import { useMemo, useState } from "react";
import { useParams, useSearchParams } from "wouter";
import type { Models } from "../../api/models.ts";
import { useFactory } from "../../frame/use-factory.ts";
import { useMay } from "../../frame/use-role.ts";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNotice } from "../../parts/problem-notice.tsx";
import { EmptyState } from "../../parts/tables/empty-state.tsx";
import { Skeleton } from "../../parts/tables/skeleton.tsx";
import { BoardColumns } from "./board-columns.tsx";
import { BoardFilterBar } from "./board-filter-bar.tsx";
import { boardFiltersOf, filterTexts } from "./board-filters.ts";
import { StartTask } from "./start-task.tsx";
import { useBoard } from "./use-board.ts";
import { useMoves } from "./use-moves.ts";

/** The tasks of a factory by their stages, live. */
export function Board() {
  const { factory: name = "" } = useParams<{ factory: string }>();
  const { factories } = useFactory();
  const factory = factories.find((each) => each.name === name || each.uid === name);
  const mayOperate = useMay("operator");
  const [isStarting, setStarting] = useState(false);
  return (
    <Page
      title="Board"
      lead="Tasks by stage. Tasks that wait for a person come first."
      actions={
        factory &&
        mayOperate && (
          <Button kind="main" onPress={() => setStarting(true)}>
            Start task
          </Button>
        )
      }
    >
      {factory ? <FactoryBoard key={factory.uid} factory={factory} /> : <Skeleton rows={6} />}
      {factory && isStarting && <StartTask factory={factory} onClose={() => setStarting(false)} />}
    </Page>
  );
}

function FactoryBoard({ factory }: { factory: Models["Factory"] }) {
  const [search] = useSearchParams();
  const filters = useMemo(() => boardFiltersOf(search), [search]);
  const moves = useMoves();
  const board = useBoard(factory.uid, filters, moves.stages);
  const isFiltered = filterTexts(filters).length > 0;
  const cards = [...board.columns.values()].flat();
  return (
    <>
      <BoardFilterBar filters={filters} authors={board.authors} />
      {moves.refusal && <Refusal refusal={moves.refusal} />}
      {board.error && <ProblemNotice error={board.error} onRetry={board.retry} />}
      {board.isCut && (
        <p role="note">
          The board shows the 500 open tasks that were updated last. Use the filters to find others.
        </p>
      )}
      {board.isPending && <Skeleton rows={6} />}
      {!board.isPending && !board.error && cards.length === 0 && !isFiltered ? (
        <NoTasks factory={factory.name} />
      ) : (
        !board.isPending && <BoardColumns board={board} moves={moves} factory={factory.name} />
      )}
    </>
  );
}

function NoTasks({ factory }: { factory: string }) {
  return (
    <EmptyState
      title="No tasks yet"
      command={`millrace runs create --factory ${factory} "Fix the failing build."`}
    >
      A task is a piece of work that this factory takes from triage to completion. Each prompt that is
      dispatched to the factory becomes a task, and its foreman hands the work out to the other agents:
    </EmptyState>
  );
}

/** Why a card is back where it was. */
function Refusal({ refusal }: { refusal: NonNullable<ReturnType<typeof useMoves>["refusal"]> }) {
  if ("error" in refusal) return <ProblemNotice error={refusal.error} />;
  return <p role="alert">{refusal.text}</p>;
}
