import type { Router } from "express";
import { docsPagesRoute } from "./docs-pages.ts";
import { errorPagesRoute } from "./error-pages.ts";

/** The pages that explain this program: of its error codes, and its documentation. */
export function textPagesRoute(router: Router): void {
  errorPagesRoute(router);
  docsPagesRoute(router);
}
