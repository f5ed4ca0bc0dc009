import { required } from "./setting.ts";
import { oneOf } from "./values.ts";

/** Settings that open to anybody what needs a key otherwise. */
export const accessSettings = {
  publicValidate: required({
    env: "MILLRACE_PUBLIC_VALIDATE",
    inFile: true,
    parse: oneOf(["on", "off"] as const),
    fallback: "off",
    help: "whether anybody may check definition files over HTTP without a key: on or off",
  }),
} as const;
