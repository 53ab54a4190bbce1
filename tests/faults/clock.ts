import { existsSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMailServer } from "../support/servers/mail-server.ts";
import type { Fault } from "./fault.ts";
import { expectMail } from "./expect-mail.ts";
import { runOutage } from "./outage.ts";

/** Debian's libfaketime, which gives a process a different time, and can change it at any moment. */
const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

const HOUR = 3600;

export const clock: Fault = {
  name: "clock",
  title: "The servers' clocks jump an hour ahead and back, then an hour back and ahead",
  times: 2,
  findObstacle: () =>
    existsSync(LIBRARY) ? undefined : "it needs libfaketime (apt-get install --no-install-recommends libfaketime)",
  finds: /mails were promised/,
  planted: {
    file: "server/mail/outbox.ts",
    from: "dueAt: dueAtOnce(now())",
    to: "dueAt: now()",
  },
  async run(report, options) {
    const mail = await startMailServer();
    const folder = await mkdtemp(join(tmpdir(), "nodebeat-clock-"));
    const file = join(folder, "offset");
    const jumpTo = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}`);
    jumpTo(0);
    let jumps = 0;
    try {
      await runOutage(report, options, {
        stage: {
          settings: {
            LD_PRELOAD: LIBRARY,
            FAKETIME_TIMESTAMP_FILE: file,
            FAKETIME_CACHE_DURATION: "1",
            // The monotonic clock continues, as on a machine whose clock is corrected.
            FAKETIME_DONT_FAKE_MONOTONIC: "1",
            SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
            MAIL_FROM: "a@nodebeat.test",
          },
        },
        begin: () => jumpTo(jumps++ % 2 === 0 ? HOUR : -HOUR),
        end: () => jumpTo(0),
        seconds: 8,
        recovery: 3,
        // A form that was shown an hour before or after it is sent may have to be sent again.
        allows: ({ status, what }) => status === 422 && (what === "sign-in" || what === "forgot"),
        after: (_, load) => expectMail(report, load.promised.mails, () => mail.received, 20),
      });
    } finally {
      mail.close();
      await rm(folder, { recursive: true });
    }
  },
};
