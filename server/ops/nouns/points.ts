import { adjustPoints } from "../../adjustments/adjustment.ts";
import { Adjustment } from "../../adjustments/contract.ts";
import { PointsCategory } from "../../points/contract.ts";
import { formatCount } from "../../format-count.ts";
import { changing, type Noun } from "../operation.ts";

export const points: Noun = {
  summary: "gives or takes points by hand",
  verbs: {
    adjust: changing({
      usage: `<email or id> --points=<number> --key <name> [--category <${PointsCategory.options.join(", ")}>]`,
      summary:
        "gives or takes points; the member reads the reason; the same key counts once; the category is Others by default",
      words: ["member"],
      options: { points: "number", key: "text", category: "text" },
      input: Adjustment,
      change: adjustPoints,
      describe: ({ email, changed, points: amount }) => [
        changed
          ? `${email}: ${formatCount(amount, "point")}.`
          : `Nothing done: ${email} already has an adjustment with this key.`,
      ],
    }),
  },
};
