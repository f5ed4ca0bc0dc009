import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { listening } from "./port.ts";

/** An authority of a company's own, and hosts that it vouches for. */
export interface OwnAuthority {
  /** The file of its certificate. */
  file: string;
  /** Makes a certificate for the name of a host. */
  certify(name: string): { key: Buffer; cert: Buffer };
  /** Ends TLS for a name before a server on a port of the loopback. @returns the port */
  endTls(name: string, port: number): Promise<number>;
}

/** Makes an authority that no machine trusts by itself. */
export function ownAuthority(): OwnAuthority {
  const folder = temporaryFolder("millrace-authority");
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "ignore" });
  const anew = ["-newkey", "rsa:2048", "-nodes", "-subj"];
  openssl(
    "req",
    "-x509",
    "-days",
    "2",
    ...anew,
    "/CN=Acme CA",
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.pem"),
  );

  function certify(name: string) {
    openssl("req", ...anew, `/CN=${name}`, "-keyout", at(`${name}.key`), "-out", at(`${name}.csr`));
    writeFileSync(at(`${name}.ext`), `subjectAltName=DNS:${name}`);
    openssl(
      ...["x509", "-req", "-days", "1", "-in", at(`${name}.csr`), "-out", at(`${name}.pem`)],
      ...["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-extfile", at(`${name}.ext`)],
    );
    return { key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`)) };
  }

  return {
    file: at("ca.pem"),
    certify,
    async endTls(name, port) {
      const sockets = new Set<{ destroy(): void }>();
      const server = createServer(certify(name), (secure) => {
        const plain = connect(port, "127.0.0.1");
        for (const [socket, other] of [
          [secure, plain],
          [plain, secure],
        ] as const) {
          sockets.add(socket);
          socket.on("error", () => other.destroy());
          socket.pipe(other);
        }
      });
      server.on("tlsClientError", () => {});
      onFinished(() => {
        for (const socket of sockets) socket.destroy();
        server.close();
      });
      return listening(server);
    },
  };
}
