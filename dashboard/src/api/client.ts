import { Millrace } from "../../../src/client/client.ts";
import { BASE } from "./base.ts";
import { fetchAsPerson } from "./person.ts";

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
