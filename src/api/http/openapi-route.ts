import type { Router } from "express";
import { API_PREFIX, openApiDocument } from "../document.ts";

/**
 * `GET /api/v1/openapi.json`. Anybody may ask for it, and writing its text takes longer than all else of the request: that is
 * done once.
 */
export function openApiRoute(router: Router, publicUrl: () => string): void {
  let written: { url: string; text: Buffer } | undefined;
  router.get(`${API_PREFIX}/openapi.json`, (_request, response) => {
    const url = publicUrl();
    if (written?.url !== url) written = { url, text: Buffer.from(JSON.stringify(openApiDocument(url))) };
    response.type("json").send(written.text);
  });
}
