import { MillraceError } from "../../errors/error.ts";
import { isUid, isUuid } from "../../id.ts";

/** The uid that the path names. @throws MillraceError `invalid_request` for what cannot be one */
export function uidInPath({ path: { uid } }: { path: { uid: string } }): string {
  if (isUid(uid)) return uid;
  throw malformed(uid, "a uid", "22 letters and digits", "uid");
}

/** The UUID that the path names, in its usual small letters. @throws MillraceError `invalid_request` */
export function uuidInPath<Name extends string>(
  { path }: { path: Record<NoInfer<Name>, string> },
  parameter: Name,
): string {
  const given = path[parameter];
  const uuid = given.toLowerCase();
  if (isUuid(uuid)) return uuid;
  throw malformed(given, "an id", "a UUID", parameter);
}

function malformed(given: string, what: string, expected: string, field: string): MillraceError {
  return new MillraceError("invalid_request", `"${given}" is not ${what}: expected ${expected}.`, {
    extra: { field },
  });
}
