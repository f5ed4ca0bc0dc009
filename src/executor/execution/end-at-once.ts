/** Why programs of a turn are ended that get no time to end by themselves: somebody else may soon execute the run. */
export class EndAtOnce extends Error {
  override name = "EndAtOnce";
}
