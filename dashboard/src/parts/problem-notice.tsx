import { CircleAlert } from "lucide-react";
import { ApiError, ConnectionError } from "../api/client.ts";
import { Button } from "./button.tsx";
import styles from "./problem-notice.module.css";
import { remedyOnPage } from "./remedy-on-page.ts";
import { Copyable } from "./text/copyable.tsx";
import { isOfOtherRequest } from "./use-action.ts";

/** What went wrong, in the server's own words: title, detail, remedy, and the id by which its log knows it. */
export function ProblemNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, remedy, traceId } = wordsFor(error);
  return (
    <div className={styles.notice} role="alert">
      <CircleAlert size={18} aria-hidden />
      <div className={styles.words}>
        <strong>{title}</strong>
        {detail && <p>{detail}</p>}
        {remedy && <p>{remedy}</p>}
        {traceId && (
          <p className={styles.trace}>
            Trace ID <Copyable text={traceId} what="the trace ID" />
          </p>
        )}
        {onRetry && (
          <Button isSmall onPress={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

interface Words {
  title: string;
  detail?: string | undefined;
  remedy?: string | undefined;
  traceId?: string | undefined;
}

function wordsFor(error: unknown): Words {
  if (isOfOtherRequest(error)) {
    return {
      title: "An earlier attempt may have taken effect",
      detail: "Its response was lost, and you have changed the form since then.",
      remedy: "Check whether it took effect. If you send the form again, that is a new request.",
    };
  }
  if (error instanceof ApiError) {
    const { title, detail } = error.problem;
    return { title, detail, remedy: remedyOnPage(error), traceId: error.traceId };
  }
  if (error instanceof ConnectionError) {
    return {
      title: "The server is not responding",
      remedy: "Check that it is running and that you are connected.",
    };
  }
  return {
    title: "This page failed to load",
    detail: error instanceof Error ? error.message : String(error),
    remedy: "Reload it. If it fails again, this is a bug in the dashboard.",
  };
}
