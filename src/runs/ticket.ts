export interface Ticket {
  id: string;
  ticket: number;
}

/** For how long a run is whose; a worker that is alive renews it. */
export interface Lease {
  worker: string;
  expiresAt: string;
  /** The request of a worker that asks for it; it may come again. */
  request?: string;
}
