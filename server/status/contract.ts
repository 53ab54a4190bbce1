import * as z from "zod";
import { because } from "../administration/contract.ts";
import { endpoint, Instant } from "../http/contract.ts";

/** The parts that are checked, in the order in which they are shown. */
export const PART_NAMES = {
  api: "API",
  database: "Database",
  heartbeats: "Heartbeats",
  chain: "Chain",
  mail: "Email",
} as const;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const PartId = z.enum(Object.keys(PART_NAMES) as [keyof typeof PART_NAMES], "Name a part of the status page.");
export type PartId = z.infer<typeof PartId>;

/** "unknown" if nobody has checked within the last minutes. */
export const State = z.enum(["up", "degraded", "down", "unknown"]);
export type State = z.infer<typeof State>;

/** How many days are kept and shown, including today. */
export const HISTORY_DAYS = 90;

const minutes = z.number().int();

export const StatusDay = z.object({
  /** In UTC. */
  date: z.iso.date(),
  /** Minutes by the state that was seen in them. */
  up: minutes,
  degraded: minutes,
  down: minutes,
  /** Minutes that passed without a check, since the first check ever. */
  unknown: minutes,
});
export type StatusDay = z.infer<typeof StatusDay>;

export const StatusPart = z.object({
  id: PartId,
  name: z.string(),
  state: State,
  /** For heartbeats: the time within which 95 of 100 are recorded. Null if none came. */
  lagSeconds: z.number().nullable(),
  /** In percent: the minutes in which the part was up or degraded, out of all minutes since the first check ever. */
  uptime: z.number().nullable(),
  /** The oldest first. Empty if no history is kept. */
  days: z.array(StatusDay),
});
export type StatusPart = z.infer<typeof StatusPart>;

export const Impact = z.enum(["notice", "degraded", "down"], "Use notice, degraded or down.");
export type Impact = z.infer<typeof Impact>;

/** What readers see for each impact. */
export const IMPACT_NAMES: Record<Impact, string> = {
  notice: "For your information",
  degraded: "Slow or failing",
  down: "Down",
};

export const Incident = z
  .object({
    id: z.string(),
    title: z.string(),
    part: PartId.nullable(),
    impact: Impact,
    startedAt: z.iso.datetime(),
    resolvedAt: z.iso.datetime().nullable(),
    /** The latest first. */
    updates: z.array(z.object({ at: z.iso.datetime(), text: z.string() })),
  })
  .meta({ id: "Incident" });
export type Incident = z.infer<typeof Incident>;

export const StatusReport = z
  .object({
    /** The worst state of the parts and of the open incidents. */
    state: State,
    at: z.iso.datetime(),
    /** Whether everything can be read, but nothing can be changed or recorded. */
    isReadOnly: z.boolean(),
    parts: z.array(StatusPart),
    /** Open incidents and those resolved in the last 90 days, the latest first. */
    incidents: z.array(Incident),
    /**
     * Whether days and incidents are current: "stale" while the database is unavailable or takes no writes, "none"
     * without a database.
     */
    history: z.enum(["current", "stale", "none"]),
  })
  .meta({ id: "Status" });
export type StatusReport = z.infer<typeof StatusReport>;

export const readStatus = endpoint("GET /status.json", {
  access: "anyone",
  summary: "The state of each part now and over 90 days, and incidents",
  response: StatusReport,
});

const title = z.string("Enter a title.").trim().min(1, "Enter a title.").max(120, "Use 120 characters at most.");
const text = z
  .string("Enter what is known.")
  .trim()
  .min(1, "Enter what is known.")
  .max(2000, "Use 2.000 characters at most.");

export const NewIncident = z.object({
  title,
  text,
  part: PartId.nullable().default(null),
  impact: Impact.default("degraded"),
  /** Defaults to now. */
  startedAt: Instant.optional(),
  /** The incident's id, chosen by the caller: reporting it again with the same key does not open another one. */
  key: z.uuid("A key is a UUID.").toLowerCase().optional(),
});
export type NewIncident = z.output<typeof NewIncident>;

export const IncidentName = z.object({
  id: z.uuid("Name an incident by its id, as the list shows it.").toLowerCase(),
});
export type IncidentName = z.infer<typeof IncidentName>;

export const IncidentUpdate = z.object({
  text,
  impact: Impact.optional(),
  /** The update's id, chosen by the caller: sending it again with the same key does not add another one. */
  key: NewIncident.shape.key,
});
export type IncidentUpdate = z.output<typeof IncidentUpdate>;

export const readIncidents = endpoint("GET /api/admin/incidents", {
  access: "administrator",
  summary: "Incidents, the latest first",
  response: z.array(Incident),
});

export const openIncident = endpoint("POST /api/admin/incidents", {
  access: "administrator",
  summary: "Report an incident",
  body: NewIncident.extend(because),
  response: Incident,
  fails: ["CONFLICT"],
});

export const updateIncident = endpoint("POST /api/admin/incidents/{id}", {
  access: "administrator",
  summary: "Publish an update of an incident",
  params: IncidentName,
  body: IncidentUpdate.extend(because),
  response: Incident,
  fails: ["NOT_FOUND", "CONFLICT"],
});

export const resolveIncident = endpoint("POST /api/admin/incidents/{id}/resolve", {
  access: "administrator",
  summary: "Resolve an incident",
  params: IncidentName,
  body: z.object({ text, ...because }),
  response: Incident,
  fails: ["NOT_FOUND", "CONFLICT"],
});
