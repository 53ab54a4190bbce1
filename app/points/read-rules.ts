import type { PointsRules } from "../../server/points/contract.ts";
import { apiContext, logContext, type PageContext } from "../page/context.ts";

/**
 * Reads the points rules in force. Returns null if the API does not provide them: public pages work even if nothing
 * else does.
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
