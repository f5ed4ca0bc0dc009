import { ref } from "../http/operation.ts";

/** Names are shown in tables and logs, so nothing in them moves a cursor or breaks a line. */
export const name = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^(?!\\s+$)[^\\p{Cc}\\p{Cs}]*$",
  description: "At most 200 characters, no control characters, and not only spaces.",
};

/** Neither an argument of a program nor every database can carry a NUL character. */
export const plain = {
  type: "string",
  pattern: "^[^\\u0000]*$",
  description: "Text without NUL characters.",
};
export const optionalPlain = { ...plain, type: ["string", "null"] };
export const notEmpty = { ...plain, minLength: 1 };

export const secrets = { type: "array", items: ref("SecretReference") };
export const skills = { type: "array", items: notEmpty };
