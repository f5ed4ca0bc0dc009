import { errorMessage, MillraceError } from "../../errors/error.ts";

/** What an examination of one thing came to. */
export interface DoctorFinding {
  /** What was looked at, in a word or two. */
  check: string;
  status: "ok" | "warning" | "error";
  message: string;
  /** What to do about it; for those that are not ok. */
  remedy?: string;
}

export const ok = (check: string, message: string): DoctorFinding => ({ check, status: "ok", message });

export const warning = (check: string, message: string, remedy: string): DoctorFinding => ({
  check,
  status: "warning",
  message,
  remedy,
});

export const problem = (check: string, message: string, remedy: string): DoctorFinding => ({
  check,
  status: "error",
  message,
  remedy,
});

/** An examination that cannot be carried out is a finding too: it says why. */
export async function examined(
  check: string,
  look: () => Promise<DoctorFinding | DoctorFinding[]>,
): Promise<DoctorFinding[]> {
  try {
    const found = await look();
    return Array.isArray(found) ? found : [found];
  } catch (error) {
    const remedy = error instanceof MillraceError ? error.remedy : undefined;
    return [
      problem(check, sentence(errorMessage(error)), remedy ?? "Fix this, then run millrace doctor again."),
    ];
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
