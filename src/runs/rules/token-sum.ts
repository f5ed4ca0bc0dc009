/** All tokens of some usage: input and output, with what was read from a cache. */
export function tokensOf(usages: readonly { inputTokens: number; outputTokens: number }[]): number {
  return usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
}
