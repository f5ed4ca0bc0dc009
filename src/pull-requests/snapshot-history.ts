import type { PullRequestSnapshot, PullRequestState } from "./pull-request.ts";

/** Of snapshots of one second, the later state counts: forges do not say which of them came first. */
const RANK: Readonly<Record<PullRequestState, number>> = { draft: 0, open: 1, closed: 2, merged: 3 };

interface Known<Value> {
  value: Value;
  /** When the pull request was so, by the forge's clock. */
  at: string;
}

/** How a pull request was, as its deliveries say, in whatever order they come. */
export class SnapshotHistory {
  readonly #fields = new Map<keyof PullRequestSnapshot, Known<unknown>>();
  #state: Known<PullRequestState> | undefined;

  add(snapshot: PullRequestSnapshot): void {
    const { updatedAt: at, state } = snapshot;
    for (const [name, value] of Object.entries(snapshot) as [keyof PullRequestSnapshot, unknown][]) {
      if (value !== null && at >= (this.#fields.get(name)?.at ?? "")) this.#fields.set(name, { value, at });
    }
    if (!this.#state || isLater({ value: state, at }, this.#state)) this.#state = { value: state, at };
  }

  /** How it is now: of each field, what was said last. @returns null when nothing was said */
  latest(): PullRequestSnapshot | null {
    if (!this.#state) return null;
    const state = this.#state.value;
    const isOpen = state === "open" || state === "draft";
    return {
      title: this.#valueOf("title"),
      author: this.#valueOf("author"),
      state,
      openedAt: this.#valueOf("openedAt"),
      mergedAt: state === "merged" ? this.#valueOf("mergedAt") : null,
      closedAt: isOpen ? null : this.#valueOf("closedAt"),
      updatedAt: this.#valueOf("updatedAt") ?? this.#state.at,
      additions: this.#valueOf("additions"),
      deletions: this.#valueOf("deletions"),
      changedFiles: this.#valueOf("changedFiles"),
      commits: this.#valueOf("commits"),
    };
  }

  #valueOf<Name extends keyof PullRequestSnapshot>(name: Name): PullRequestSnapshot[Name] | null {
    return (this.#fields.get(name)?.value as PullRequestSnapshot[Name] | undefined) ?? null;
  }
}

/** What is merged stays so. */
function isLater(one: Known<PullRequestState>, other: Known<PullRequestState>): boolean {
  if (other.value === "merged") return false;
  if (one.value === "merged" || one.at > other.at) return true;
  return one.at === other.at && RANK[one.value] > RANK[other.value];
}
