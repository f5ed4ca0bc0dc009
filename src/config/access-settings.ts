import { optional, required } from "./setting.ts";
import { oneOf, text } from "./values.ts";

/** Settings of what requests reach: with a key, and without one. */
export const accessSettings = {
  publicValidate: required({
    env: "MILLRACE_PUBLIC_VALIDATE",
    inFile: true,
    parse: oneOf(["on", "off"] as const),
    fallback: "off",
    help: "allow validation of definition files over HTTP without an API key: on or off",
  }),
  defaultFactory: optional({
    env: "MILLRACE_DEFAULT_FACTORY",
    inFile: true,
    parse: text,
    help: "factory (name or UID) for runs that an unlimited API key creates without a factory or an agent",
  }),
} as const;
