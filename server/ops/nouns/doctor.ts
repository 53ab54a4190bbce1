import * as z from "zod";
import { EMAIL_FORM } from "../../http/contract.ts";
import { readEnvLeniently } from "../ops-env.ts";
import { examineAll, type Check } from "../doctor/check.ts";
import { database } from "../doctor/database.ts";
import { replica } from "../doctor/replica.ts";
import { certificates, clock, disk, node } from "../doctor/machine.ts";
import { backends, chain, mail } from "../doctor/neighbours.ts";
import { proxies, settings } from "../doctor/settings.ts";
import { atHome, type Noun } from "../operation.ts";

const ALL = [settings, node, database, replica, mail, chain, backends, disk, clock, certificates, proxies];

export const doctor: Noun = {
  summary: "checks everything that the server needs, and says what to do",
  alone: "check",
  verbs: {
    check: atHome({
      usage: "[--send-to <address>]",
      summary: "exits with 1 if something is broken; shows no secrets; --send-to also sends a test email",
      options: { sendTo: "text" },
      input: z.object({ sendTo: z.email({ ...EMAIL_FORM, error: "That is not an email address." }).optional() }),
      perform: ({ settings }, { sendTo }) => examineAll(ALL, { ...readEnvLeniently(settings), sendTo }),
      describe: (checks) => [...checks.flatMap(describeCheck), "", summarise(checks)],
      isRefused: (checks) => checks.some(({ state }) => state === "broken"),
    }),
  },
};

const describeCheck = ({ name, says, state, todo }: Check) => [
  `${state.padEnd(7)}  ${name}: ${says}`,
  ...(todo ? [`         ${todo}`] : []),
];

function summarise(checks: Check[]): string {
  const count = (wanted: Check["state"]) => checks.filter(({ state }) => state === wanted).length;
  return `${count("broken")} broken, ${count("warning")} with a warning, ${count("ok")} ok.`;
}
