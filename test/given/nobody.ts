import { onFinished } from "./cleanup.ts";

/** The superuser may do everything, so a test of what a user may not do goes on as somebody else. */
export function actAsNobody(): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(65_534);
  onFinished(() => process.seteuid?.(0));
}
