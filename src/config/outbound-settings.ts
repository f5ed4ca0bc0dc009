import { required } from "./setting.ts";
import { networkList } from "./values.ts";

/** Settings of what the server sends to addresses that definitions and settings name. */
export const outboundSettings = {
  outboundAllow: required({
    env: "MILLRACE_OUTBOUND_ALLOW",
    inFile: true,
    parse: networkList,
    fallback: "",
    help: "private addresses or networks that notifications and outbound webhooks may be sent to, separated by commas",
  }),
} as const;
