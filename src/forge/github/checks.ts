import type { Annotation, CheckResult, OpenCheck } from "../repository-forge.ts";
import type { GithubApi } from "./api.ts";

/** GitHub takes so many with one request, and adds those of each to the ones before. */
const ANNOTATIONS_PER_REQUEST = 50;
/** Nobody reads more, and each fifty are a request. */
const MAX_ANNOTATIONS = 500;
const MAX_TITLE = 255;
const MAX_MESSAGE_BYTES = 64 * 1024;
/** GitHub counts characters; in bytes it is on the safe side. */
const MAX_SUMMARY_BYTES = 65_535;

export interface CheckRunOptions {
  name: string;
  commit: string;
  title: string;
  /** Comes back in hooks about it, and tells its own check runs from those of others. */
  reference: string;
  detailsUrl: string | undefined;
}

/** Begins a check run, or goes on with one that was begun and not ended. https://docs.github.com/en/rest/checks/runs */
export async function beginCheckRun(api: GithubApi, options: CheckRunOptions): Promise<OpenCheck> {
  const id = (await takeUpLeftOver(api, options)) ?? (await createRun(api, options));
  return { conclude: (result) => concludeRun(api, id, result) };
}

/** A server that was ended in between left one behind. One with annotations is closed: they would be shown twice. */
async function takeUpLeftOver(api: GithubApi, options: CheckRunOptions): Promise<number | undefined> {
  const { name, commit, reference } = options;
  const { data } = await api.ask((request, repository) =>
    request("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
      ...repository,
      ref: commit,
      check_name: name,
      status: "in_progress",
      filter: "all",
    }),
  );
  const own = data.check_runs.filter(({ external_id }) => external_id === reference);
  const usable = own.find(({ output }) => output.annotations_count === 0);
  for (const { id } of own) {
    if (id !== usable?.id) await concludeRun(api, id, ABANDONED);
  }
  return usable?.id;
}

const ABANDONED: CheckResult = {
  conclusion: "cancelled",
  title: "Check not finished",
  summary: "The server stopped during this check; a new check replaces it.",
  annotations: [],
};

async function createRun(
  api: GithubApi,
  { name, commit, title, reference, detailsUrl }: CheckRunOptions,
): Promise<number> {
  const { data } = await api.ask((request, repository) =>
    request("POST /repos/{owner}/{repo}/check-runs", {
      ...repository,
      name,
      head_sha: commit,
      external_id: reference,
      status: "in_progress",
      output: { title: cutText(title, MAX_TITLE), summary: title },
      ...(detailsUrl === undefined ? {} : { details_url: detailsUrl }),
    }),
  );
  return data.id;
}

/** All batches but the last leave it open, so that it is not read before it is whole. */
async function concludeRun(api: GithubApi, id: number, result: CheckResult): Promise<void> {
  const { conclusion, annotations } = result;
  const shown = annotations.slice(0, MAX_ANNOTATIONS).map(toGithub);
  const output = { title: cutText(result.title, MAX_TITLE), summary: summaryOf(result) };
  for (let at = 0; ; at += ANNOTATIONS_PER_REQUEST) {
    const isLast = at + ANNOTATIONS_PER_REQUEST >= shown.length;
    const batch = shown.slice(at, at + ANNOTATIONS_PER_REQUEST);
    await api.ask((request, repository) =>
      request("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", {
        ...repository,
        check_run_id: id,
        ...(isLast ? { status: "completed", conclusion } : { status: "in_progress" }),
        output: { ...output, annotations: batch },
      }),
    );
    if (isLast) return;
  }
}

function toGithub({ path, line, column, level, title, message }: Annotation) {
  return {
    path,
    start_line: line,
    end_line: line,
    start_column: column,
    end_column: column,
    annotation_level: level,
    title: cutText(title, MAX_TITLE),
    message: cutBytes(message, MAX_MESSAGE_BYTES),
  };
}

function summaryOf({ summary, annotations }: CheckResult): string {
  const left = annotations.length - MAX_ANNOTATIONS;
  const note =
    left > 0 ? `\n\nThe first ${MAX_ANNOTATIONS} of ${annotations.length} annotations are shown.` : "";
  const room = MAX_SUMMARY_BYTES - Buffer.byteLength(note);
  if (Buffer.byteLength(summary) <= room) return summary + note;
  const end = "\n\nThe rest did not fit here: run `millrace plan --pull-request` to see the full plan.";
  const cut = cutBytes(summary, room - Buffer.byteLength(end));
  return cut.slice(0, Math.max(cut.lastIndexOf("\n"), 0)) + end + note;
}

function cutText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** At most so many bytes, and no half of a character. */
function cutBytes(text: string, longest: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= longest) return text;
  return bytes.toString("utf8", 0, longest).replace(/\ufffd+$/, "");
}
