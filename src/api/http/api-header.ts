/**
 * The header by which an answer of this API is told from that of any other server: a proxy's error page, or a service
 * that listens on the same port.
 */
export const API_HEADER = "millrace-api";
/** The version of the API that answers. */
export const API_VERSION = "v1";
/** The header by which our own clients say what they are: `cli` or `web`. */
export const CLIENT_HEADER = "millrace-client";
/**
 * The header by which the dashboard says that a person is there: somebody has touched the page in the last minute. What a
 * page asks for by itself does not have it, and keeps no idle session alive.
 */
export const ACTIVITY_HEADER = "millrace-activity";
