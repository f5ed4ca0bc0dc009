import { MAX_AUDIENCE } from "../../runs/rules/run-audience.ts";
import { instant, text } from "../http/shapes.ts";

/** What is said of the tokens with which runs prove who they are. */
export const oidcModels = {
  IdentityTokenRequest: {
    type: "object",
    additionalProperties: false,
    required: ["audience"],
    properties: {
      audience: {
        type: "string",
        minLength: 1,
        maxLength: MAX_AUDIENCE,
        pattern: "^[ -~]*$",
        description:
          "Who the token is for, as the service expects it in the claim aud, for example sts.amazonaws.com: at most 200 printable ASCII characters.",
      },
    },
  },
  IdentityToken: {
    type: "object",
    additionalProperties: false,
    required: ["token", "expires_at"],
    properties: {
      token: { ...text, description: "A JSON Web Token, which is not stored." },
      expires_at: instant,
    },
  },
  IdentityKeyChange: {
    type: "object",
    additionalProperties: false,
    properties: {
      revoke: {
        type: "boolean",
        description:
          "Whether all previous keys are removed immediately, so that no service accepts tokens that they have signed after it has read the keys again.",
      },
    },
  },
  IdentityKey: {
    type: "object",
    additionalProperties: false,
    required: ["key_id"],
    properties: { key_id: { ...text, description: "The kid of the tokens that the key signs." } },
  },
} as const;
