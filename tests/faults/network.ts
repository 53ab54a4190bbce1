import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { startMailServer } from "../support/servers/mail-server.ts";
import { startTcpProxy } from "../support/servers/tcp-proxy.ts";
import type { Fault } from "./fault.ts";
import { expectMail } from "./expect-mail.ts";
import { inSeconds, runOutage } from "./outage.ts";

/** How many slow clients connect at once. */

const SLOW_CLIENTS = 200;
/** In seconds: the time limit for a request's head, the interval of its check, and a margin for a busy machine. */
const HUNG_UP_WITHIN = 15;

/** Sends a request's head one byte at a time, until the server hangs up. Resolves to how long that took. */
async function dribble(url: string): Promise<number> {
  const begun = performance.now();
  const socket: Socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  const head = `GET /auth HTTP/1.1\r\nHost: localhost\r\nX-Slow: ${"a".repeat(10_000)}`;
  let said = 0;
  const saying = setInterval(() => socket.write(head[said++] ?? "a"), 500);
  socket.resume();
  await once(socket, "close");
  clearInterval(saying);
  return performance.now() - begun;
}

const slowClients: Fault = {
  name: "slow-clients",
  title: `${SLOW_CLIENTS} clients send a byte of their request every half second`,
  finds: /has hung up/,
  planted: { file: "server/http/listening/listen.ts", from: "headersTimeout: headers,", to: "headersTimeout: 0," },
  async run(report, options) {
    let slow: Promise<number>[] = [];
    await runOutage(report, options, {
      begin({ url }) {
        slow = Array.from({ length: SLOW_CLIENTS }, () => dribble(url));
      },
      end() {},
      seconds: HUNG_UP_WITHIN,
      recovery: 3,
      async after() {
        const late = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
        const ended = await Promise.all(slow.map((each) => Promise.race([each, late])));
        const longest = Math.max(...ended.map((took) => took ?? Infinity));
        report.expect(
          `the server has hung up on all of them, the last one after ${inSeconds(longest)}`,
          longest < HUNG_UP_WITHIN * 1000,
        );
      },
    });
  },
};

const sliced: Fault = {
  name: "sliced-packets",
  title: "All traffic between clients, the server and the database arrives in pieces of 61 bytes",
  finds: /each was done/,
  planted: {
    file: "server/http/middleware/body-limit.ts",
    from: "receiveBody(() => c.req.arrayBuffer())",
    to: "(c.req.bodyCache.arrayBuffer = c.req.raw.body?.getReader().read().then(({ value }) => value!.slice().buffer))",
  },
  run: (report, options) =>
    runOutage(report, options, {
      begin({ wire }, front) {
        wire.slice(61);
        front.slice(61);
      },
      end({ wire }, front) {
        wire.slice(Infinity);
        front.slice(Infinity);
      },
      seconds: 10,
      recovery: 3,
    }),
};

const mailHangs: Fault = {
  name: "mail-hangs",
  title: "The mail server accepts connections but does not respond, and later responds to new ones",
  finds: /mails were promised/,
  planted: {
    file: "server/mail/smtp.ts",
    from: "greetingTimeout: 10_000, socketTimeout: 20_000",
    to: "greetingTimeout: 600_000, socketTimeout: 600_000",
  },
  async run(report, options) {
    const mail = await startMailServer();
    const way = await startTcpProxy(mail.port);
    try {
      await runOutage(report, options, {
        stage: { settings: { SMTP_URL: `smtp://127.0.0.1:${way.port}`, MAIL_FROM: "a@nodebeat.test" } },
        begin: () => way.hang(),
        end: () => way.forget(),
        seconds: 15,
        recovery: 3,
        // The mail server itself hangs up on silent clients after a minute, which is too late to count.
        after: (_, load) => expectMail(report, load.promised.mails, () => mail.received, 40),
      });
    } finally {
      await way.stop();
      mail.close();
    }
  },
};

export const NETWORK_FAULTS = [slowClients, sliced, mailHangs];
