import { randomBytes, webcrypto } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";

/** What vouches for the hosts whose connections end in the proxy of one run, and is trusted in its sandbox alone. */
export interface RunAuthority {
  /** Its certificate, as PEM. */
  certificate: string;
  /** What a server needs to be a host. */
  contextFor(host: string): Promise<SecureContext>;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60_000;
/** A run is shorter; the clock of its machine may be behind. */
const VALID_MS = 30 * DAY_MS;

/** Makes an authority, whose key never leaves this process. */
export async function createRunAuthority(): Promise<RunAuthority> {
  // Loaded where it is needed: it is large, and most runs go without.
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const generateKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const keys = await generateKeys();
  const times = () => ({
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + VALID_MS),
    serialNumber: `01${randomBytes(15).toString("hex")}`,
  });
  const { KeyUsageFlags: usage } = x509;
  const authority = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...times(),
      name: "CN=millrace network proxy of one run",
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(usage.keyCertSign | usage.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  const hostKeys = await generateKeys();
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", hostKeys.privateKey));
  const key = x509.PemConverter.encode(pkcs8, "PRIVATE KEY");

  async function certify(host: string): Promise<SecureContext> {
    const certificate = await x509.X509CertificateGenerator.create(
      {
        ...times(),
        // A common name has 64 characters at most; nobody reads it where there are alternative names.
        subject: "CN=millrace",
        issuer: authority.subject,
        publicKey: hostKeys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(usage.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension([{ type: "dns", value: host }]),
          await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        ],
      },
      webcrypto,
    );
    return createSecureContext({ key, cert: certificate.toString("pem") });
  }

  const contexts = new Map<string, Promise<SecureContext>>();
  return {
    certificate: `${authority.toString("pem")}\n`,
    contextFor(host) {
      const made = contexts.get(host) ?? certify(host);
      contexts.set(host, made);
      return made;
    },
  };
}
