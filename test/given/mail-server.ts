import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onFinished } from "./cleanup.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  user: string | undefined;
  isEncrypted: boolean;
  text: string;
}

/** A mail server on loopback. */
export async function mailServer(
  options: SMTPServerOptions = {},
): Promise<{ port: number; mails: ReceivedMail[] }> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: `${auth.username}:${auth.password}` }),
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (chunk) => (text += chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          isEncrypted: session.secure,
          text,
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  const listening = await new Promise<{ port: number }>((resolve) => {
    const opened = server.listen(0, "127.0.0.1", () => resolve(opened.address() as { port: number }));
  });
  onFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port: listening.port, mails };
}
