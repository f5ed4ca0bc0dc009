import { Millrace } from "../../../src/client/client.ts";

/** The public API of the server that this page came from. The browser adds the session's cookie. */
export const millrace = new Millrace({ baseUrl: window.location.origin });
export {
  ApiError,
  AuthenticationError,
  ConnectionError,
  type Models,
  NotFoundError,
  PreconditionFailedError,
} from "../../../src/client/client.ts";
