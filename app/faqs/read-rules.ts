import type { RouterContextProvider } from "react-router";
import { PointsRules } from "../../server/points/contract.ts";
import { apiContext, logContext } from "../api/context.ts";

/** The points rules in force. Null when the API does not tell them: help is there also when nothing else is. */
export async function readRules(context: Readonly<RouterContextProvider>): Promise<PointsRules | null> {
  try {
    return PointsRules.parse(await context.get(apiContext).points.rules());
  } catch (error) {
    context.get(logContext).error({ err: error }, "The questions are answered without the points rules");
    return null;
  }
}
