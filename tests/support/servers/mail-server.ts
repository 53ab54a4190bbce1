import { once } from "node:events";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type ReceivedEmail = { from: string; to: string[]; raw: string };

/** Starts a real mail server on a free port of this machine. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedEmail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", done);
      stream.on("end", () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        const raw = Buffer.concat(chunks).toString();
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
    ...options,
  });
  // A client's mistakes are for the client to report.
  server.on("error", () => {});
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  return {
    received,
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    close: () => server.close(() => {}),
  };
}
