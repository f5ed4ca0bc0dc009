import type { Router } from "express";
import { isUuid } from "../id.ts";
import type { RunStore } from "../runs/run.ts";

/**
 * `/runs/{id}`, where session links lead: a plain page with the run's title and state, and how to read the rest. The id
 * in the link is what opens it, so it shows nothing else.
 */
export function runPageRoute(router: Router, { runs }: { runs: Pick<RunStore, "find"> }): void {
  router.get("/runs/:id", async (request, response) => {
    const { id } = request.params;
    const run = isUuid(id) ? await runs.find(id) : undefined;
    const title = run ? run.title : "There is no such run";
    const rest = run
      ? `<p>State: <strong>${run.state}</strong></p><p>Read what the agent wrote:</p><pre>millrace runs logs ${run.id}</pre>`
      : "<p>The link may be cut off, or the run has been deleted.</p>";
    response
      .status(run ? 200 : 404)
      .type("html")
      .send(
        `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
          `<title>${escapeHtml(title)} · millrace</title><h1>${escapeHtml(title)}</h1>${rest}</html>`,
      );
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
