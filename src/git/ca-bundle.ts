import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { installFile } from "./install-file.ts";

type Environment = Record<string, string | undefined>;

/** Where distributions keep the authorities that the machine trusts. */
const SYSTEM_BUNDLES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/**
 * The authorities that git trusts when Node gets more of them by `NODE_EXTRA_CA_CERTS`: git takes one file, which has to
 * have those of the machine too.
 * @returns the path of a file in the folder; nothing when there are no more, or they cannot be read
 */
export async function installCaBundle(gitFolder: string, env: Environment): Promise<string | undefined> {
  const extra = env.NODE_EXTRA_CA_CERTS;
  if (!extra) return undefined;
  // Node goes on without a file that it cannot read, and warns of it.
  const own = await readFile(extra, "utf8").catch(() => undefined);
  if (own === undefined) return undefined;
  return installFile(gitFolder, "authorities.pem", `${await readTrusted(env)}\n${own}\n`, 0o600);
}

/** What git would go by alone. */
async function readTrusted({ GIT_SSL_CAINFO, SSL_CERT_FILE }: Environment): Promise<string> {
  for (const path of [GIT_SSL_CAINFO, SSL_CERT_FILE, ...SYSTEM_BUNDLES]) {
    const found = path ? await readFile(path, "utf8").catch(() => undefined) : undefined;
    if (found !== undefined) return found;
  }
  return rootCertificates.join("\n");
}
