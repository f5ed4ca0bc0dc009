import { errorMessage } from "../../errors/error.ts";
import { SourceError } from "../revision.ts";

/** What git says, at the start of a line, of a repository that a crash left half-written. */
const DAMAGE: readonly RegExp[] = [
  /^(fatal|error): (.*: )?Unable to create '.*\.lock': File exists/im,
  /^(fatal|error): (loose |packed )?object (file )?\S+ (\(stored in .*\) )?is (empty|corrupt)/im,
  /^(fatal|error): (bad object|bad tree object|unable to read (sha1 file|tree)|invalid sha1 pointer) /im,
  /^(fatal|error): (inflate: data stream error|unable to unpack \S+ header|packfile .* (is far too short|does not match))/im,
  /^fatal: not a git repository: '/im,
  // The remote was replaced by one with hashes of another length.
  /^fatal: mismatched algorithms: client /im,
];

/** Whether a failure says that the mirror is damaged. What we say ourselves of a remote is no word about the mirror. */
export function isMirrorDamage(thrown: unknown): boolean {
  if (thrown instanceof SourceError) return false;
  const said = errorMessage(thrown);
  return DAMAGE.some((phrase) => phrase.test(said));
}
