import { optional, required } from "./setting.ts";
import { oneOf, text } from "./values.ts";

/** Settings of what requests reach: with a key, and without one. */
export const accessSettings = {
  publicValidate: required({
    env: "MILLRACE_PUBLIC_VALIDATE",
    inFile: true,
    parse: oneOf(["on", "off"] as const),
    fallback: "off",
    help: "whether anybody may check definition files over HTTP without a key: on or off",
  }),
  defaultFactory: optional({
    env: "MILLRACE_DEFAULT_FACTORY",
    inFile: true,
    parse: text,
    help: "name or uid of the factory of runs that an unlimited key asks for without naming a factory or an agent",
  }),
} as const;
