import type { RequestHandler, Router } from "express";
import type { AnonymousLimit } from "../limits/anonymous-limit.ts";
import { docsPagesRoute } from "./docs-pages.ts";
import { errorPagesRoute } from "./error-pages.ts";

/** The pages that explain this program: of its error codes, and its documentation. Anybody may ask for them. */
export function textPagesRoute(router: Router, { anonymousLimit }: { anonymousLimit: AnonymousLimit }): void {
  const admitted: RequestHandler = (request, _response, next) => {
    anonymousLimit.admitToPage(request);
    next();
  };
  router.use(["/errors", "/docs"], admitted);
  errorPagesRoute(router);
  docsPagesRoute(router);
}
