import * as z from "zod";
import { checkLedger, describeDifference, rebuildLedger } from "../../points/ledger/rebuild.ts";
import { changing, reading, type Noun } from "../operation.ts";

export const ledger: Noun = {
  summary: "the sums of points, heartbeats and referrals",
  verbs: {
    check: reading({
      usage: "",
      summary: "compares every kept sum with the rows that it sums; exit code 1 where one differs",
      input: z.object({}),
      read: async ({ db, tell }) => (await checkLedger(db, tell)).map(describeDifference),
      describe: (differences) => [
        ...differences,
        differences.length === 0
          ? "No difference: every sum is what the ledger says."
          : `${count(differences)}. Put right with: npm run ops -- ledger rebuild --reason <why>`,
      ],
      isRefused: (differences) => differences.length > 0,
    }),
    rebuild: changing({
      usage: "",
      summary: "writes the right sums where they differ, one transaction a member",
      input: z.object({}),
      change: async (deps, act) => (await rebuildLedger(deps, act)).map(describeDifference),
      describe: (differences) => [...differences, `${count(differences)} put right.`],
    }),
  },
};

const count = ({ length }: string[]) => (length === 1 ? "1 difference" : `${length} differences`);
