import type { PointsRules } from "../../server/points/contract.ts";
import { apiContext, logContext, type PageContext } from "../page/context.ts";

/**
 * The points rules in force. Null when the API does not tell them: public pages are there also when nothing else is.
 */
export async function readRules(context: PageContext): Promise<PointsRules | null> {
  const log = context.get(logContext);
  try {
    const rules = await context.get(apiContext).points.rules();
    if (!rules) log.error({}, "The API does not have the call for the points rules");
    return rules;
  } catch (error) {
    log.error({ err: error }, "A page is made without the points rules");
    return null;
  }
}
