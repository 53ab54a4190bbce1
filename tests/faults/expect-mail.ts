import type { ReceivedEmail } from "../support/servers/mail-server.ts";
import type { Report } from "./fault.ts";
import { inSeconds } from "./outage.ts";
import { until } from "./until.ts";

const idOf = (raw: string) => /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? "";

/** Expects that every promised email arrives, and is the same email however often it came. */
export async function expectMail(report: Report, promised: string[], received: () => ReceivedEmail[], seconds: number) {
  const emails = () => Map.groupBy(received(), ({ to }) => to[0] ?? "");
  const missing = () => promised.filter((to) => !emails().has(to)).length;
  const took = await until(() => missing() === 0, seconds);
  report.expect(
    `${promised.length} mails were promised, ${missing()} of them did not come within ${seconds} s (${inSeconds(took)})`,
    promised.length > 0 && missing() === 0,
  );
  const own = promised.map((to) => emails().get(to) ?? []);
  const twice = own.filter((each) => new Set(each.map(({ raw }) => idOf(raw))).size > 1).length;
  report.expect(`each is one mail, however often it was sent (${twice} are two)`, twice === 0);
}
