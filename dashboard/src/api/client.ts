import { Millrace } from "../../../src/client/client.ts";
import { BASE } from "./base.ts";

/** The public API of the server that this page came from. The browser adds the session's cookie. */
export const millrace = new Millrace({
  baseUrl: `${window.location.origin}${BASE}`,
  fetch: fetchAsPerson,
});
export {
  ApiError,
  AuthenticationError,
  ConnectionError,
  type Models,
  NotFoundError,
  newIdempotencyKey,
  PreconditionFailedError,
} from "../../../src/client/client.ts";

/** What the server goes by (`src/api/http/api-header.ts`). */
const ACTIVITY_HEADER = "millrace-activity";

/** Anyone who has not touched the page for so long may have left it. */
const PRESENT_FOR_MS = 60_000;

/** Anyone who opens the page is there. */
let touchedAt = Date.now();

for (const event of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
  window.addEventListener(
    event,
    () => {
      touchedAt = Date.now();
    },
    { capture: true, passive: true },
  );
}

/** Asks the server, and says whether a person is there: that alone keeps an idle session alive. */
function fetchAsPerson(request: Request): Promise<Response> {
  const isThere = document.visibilityState === "visible" && Date.now() - touchedAt < PRESENT_FOR_MS;
  if (isThere) request.headers.set(ACTIVITY_HEADER, "person");
  return fetch(request);
}
