import * as z from "zod";
import { checkLedger, describeDifference, rebuildLedger } from "../../points/ledger/rebuild.ts";
import { formatCount } from "../../format-count.ts";
import { changing, reading, type Noun } from "../operation.ts";

export const ledger: Noun = {
  summary: "the sums of points, heartbeats and referrals",
  verbs: {
    check: reading({
      usage: "",
      summary: "compares every stored sum with its rows; exits with 1 if one differs",
      input: z.object({}),
      read: async ({ db, report }) => (await checkLedger(db, report)).map(describeDifference),
      describe: (differences) => [
        ...differences,
        differences.length === 0
          ? "No difference: every sum is what the ledger says."
          : `${formatCount(differences.length, "difference")}. Correct them with: npm run ops -- ledger rebuild --reason <why>`,
      ],
      isRefused: (differences) => differences.length > 0,
    }),
    rebuild: changing({
      usage: "",
      summary: "corrects sums that differ, in one transaction per member",
      input: z.object({}),
      change: async (deps, act) => (await rebuildLedger(deps, act)).map(describeDifference),
      describe: (differences) => [...differences, `${formatCount(differences.length, "difference")} corrected.`],
    }),
  },
};
