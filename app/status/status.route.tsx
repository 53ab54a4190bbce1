import { IMPACT_NAMES, HISTORY_DAYS, type StatusPart } from "../../server/status/contract.ts";
import { statusContext } from "../page/context.ts";
import { pageMeta } from "../page/page-meta.ts";
import type { Route } from "./+types/status.route";
import { drawDays, drawLegend, describeDays } from "./draw-days.ts";
import { statusPage } from "./page.ts";
import { StatusPage } from "./status-page.tsx";

export const meta = pageMeta(statusPage);

/**
 * Loads the public page from memory, so that it works whatever is down. Days are drawn here, because a drawing is less
 * to send.
 */
export function loader({ context }: Route.LoaderArgs) {
  const { incidents, parts, ...report } = context.get(statusContext)();
  const nameOf = (id: string | null) => parts.find((part) => part.id === id)?.name ?? null;
  return {
    ...report,
    // Read here to keep the contract, and zod with it, out of the browser.
    historyDays: HISTORY_DAYS,
    legend: drawLegend(),
    parts: parts.map(drawPart),
    incidents: incidents.map((incident) =>
      Object.assign({}, incident, { impact: IMPACT_NAMES[incident.impact], part: nameOf(incident.part) }),
    ),
  };
}

/** Caches drawings by their array of days. All requests get the same array until the days are counted again. */
const drawn = new WeakMap<StatusPart["days"], ReturnType<typeof draw>>();

const draw = (days: StatusPart["days"]) => ({ bars: drawDays(days), words: describeDays(days) });

function drawPart({ days, ...part }: StatusPart) {
  const known = drawn.get(days) ?? draw(days);
  drawn.set(days, known);
  return { ...part, ...known };
}

export default function StatusRoute({ loaderData }: Route.ComponentProps) {
  return <StatusPage {...loaderData} />;
}
