/**
 * Of a lease, after the last word of whoever gives it: an agent that nobody can take up by then ends, before its run could be given
 * to somebody else.
 */
export const FENCE_AT = 0.7;
