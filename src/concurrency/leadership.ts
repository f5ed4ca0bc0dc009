/** Which of several servers does what one alone may do, or need do only once: schedules, notices to forges, pruning. */
export interface Leadership {
  /** Whether it is this server, at this moment. Ask before each piece of work: a server that was paused leads no more. */
  isLeader(): boolean;
  /** Has this called whenever this server has begun to lead. @returns what ends that */
  onLeading(listener: () => void): () => void;
}

/** Where there is one server, it leads. */
export const ALWAYS_LEADER: Leadership = { isLeader: () => true, onLeading: () => () => {} };
