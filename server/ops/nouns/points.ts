import { adjustPoints } from "../../adjustments/adjustment.ts";
import { Adjustment } from "../../adjustments/contract.ts";
import { PointsCategory } from "../../points/contract.ts";
import { changing, type Noun } from "../operation.ts";

export const points: Noun = {
  summary: "points that are given or taken by hand",
  verbs: {
    adjust: changing({
      usage: `<email or id> --points=<number> --key <name> [--category <${PointsCategory.options.join(", ")}>]`,
      summary: "posts a row that says the reason to the member; by the same key once; category Others unless given",
      words: ["member"],
      options: { points: "number", key: "text", category: "text" },
      input: Adjustment,
      change: adjustPoints,
      describe: ({ email, changed, points: amount }) => [
        changed ? `${email}: ${amount} points.` : `Nothing done: ${email} has an adjustment by this key.`,
      ],
    }),
  },
};
