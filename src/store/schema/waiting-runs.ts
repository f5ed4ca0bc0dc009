// Own file: the tables of runs are long enough without it.

/** The runs that wait, and who comes next. It goes with a new store, behind the runs. */
export const WAITING_RUNS = `
  -- Waiting runs by what they demand: who claims finds the oldest of each, however many wait for another worker.
  CREATE INDEX runs_waiting_by_placement ON runs ((CASE WHEN state = 'QUEUED' THEN placement END), run_id)
  WHERE (CASE WHEN state = 'QUEUED' THEN placement END) IS NOT NULL;
  -- Waiting runs in lanes: those of one automation, webhook and placement that no worker has had yet, and those that one has had.
  -- A lane that has to wait is stepped over as a whole, however many runs are in it. The state is inside the expression, because a
  -- condition on it would lead to the index of all states.
  CREATE INDEX runs_waiting_in_lanes ON runs (
    (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
       COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END ||
       CASE WHEN placement = '' THEN '' ELSE ' ' || placement END END),
    run_id)
  WHERE (CASE WHEN state = 'QUEUED' THEN COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
           COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END ||
           CASE WHEN placement = '' THEN '' ELSE ' ' || placement END END) IS NOT NULL;
  -- Waiting runs by who has them next: all of one placement together, in it those of a factory, in them those of an automation. Its
  -- lanes are those of runs_waiting_in_lanes, whose placement comes last.
  CREATE INDEX runs_in_turn ON runs (
    (CASE WHEN state = 'QUEUED' THEN placement || ' ' || COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
       COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END),
    (COALESCE(queue_at, created_at)), run_id)
  WHERE (CASE WHEN state = 'QUEUED' THEN placement || ' ' || COALESCE(factory_uid, '') || '/' || COALESCE(automation_uid, '') || '/' ||
           COALESCE(webhook_uid, '') || CASE WHEN first_claimed_at IS NULL THEN '' ELSE '+' END END) IS NOT NULL;

  -- Who has had turns: by who executes them, factories ('/') and the automations of a factory. The smallest start comes
  -- next, and its next start is where its last turn finished, or the largest start where that is later.
  CREATE TABLE claim_turns (
    executor   TEXT NOT NULL,
    parent     TEXT NOT NULL,
    owner      TEXT NOT NULL,
    start_tag  REAL NOT NULL,
    finish_tag REAL NOT NULL,
    taken_at   TEXT NOT NULL,
    PRIMARY KEY (executor, parent, owner)
  ) WITHOUT ROWID;
  CREATE INDEX claim_turns_by_age ON claim_turns (taken_at);
`;
