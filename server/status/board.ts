import { brand } from "../../brand.ts";
import { PART_NAMES, PartId, type Incident, type State, type StatusPart, type StatusReport } from "./contract.ts";
import { describeDays } from "./history.ts";
import { DOWN, UP, worst, type Grade, type Seen } from "./judge.ts";
import type { DayRow } from "./queries.ts";

/** The past, and what other processes have seen, as read from the database. */
export type History = {
  /** The time until which days are counted. */
  until: Date;
  days: DayRow[];
  /** What any process has last seen of each part, within the last minutes. */
  latest: Partial<Record<PartId, Seen>>;
  incidents: Incident[];
};

type Past = ReadonlyMap<PartId, ReturnType<typeof describeDays>>;

export type Board = ReturnType<typeof createBoard>;

type BoardOptions = {
  now: () => Date;
  /** The parts that exist here. A process in front of another backend only knows the API. */
  parts?: readonly PartId[];
  /** Whether there is a database that keeps the history. */
  hasHistory?: boolean;
};

/** How long what was seen or read counts as current, in milliseconds. */
const FRESH = 3 * 60_000;

const STATES: Record<Grade, State> = { 0: "up", 1: "degraded", 2: "down" };
const GRADES: Record<Incident["impact"], State> = { notice: "up", degraded: "degraded", down: "down" };

/**
 * Creates the status board, in the memory of the process. Requests for the status need nothing from the database, so
 * they are answered while it is unavailable.
 */
export function createBoard({ now, parts = PartId.options, hasHistory = true }: BoardOptions) {
  let seen: { at: Date; parts: Partial<Record<PartId, Seen>> } | undefined;
  let history: { at: Date; known: History; past: Past } | undefined;
  let onChange: (() => void) | undefined;

  const isFresh = (at: Date | undefined) => at !== undefined && now().getTime() - at.getTime() < FRESH;

  /** Returns what this process has seen of a part or, failing that, what another process has. */
  function findSeen(part: PartId): Seen | undefined {
    const own = isFresh(seen?.at) ? seen?.parts[part] : undefined;
    return own ?? (isFresh(history?.at) ? history?.known.latest[part] : undefined);
  }

  function describePart(id: PartId): StatusPart {
    const found = findSeen(id);
    const state = found ? STATES[found.grade] : "unknown";
    const past = history?.past.get(id) ?? { days: [], uptime: null };
    return { id, name: PART_NAMES[id], state, lagSeconds: found?.lagSeconds ?? null, ...past };
  }

  const gradeOf = (id: PartId) => findSeen(id)?.grade ?? UP;
  const isReadOnly = () => findSeen("database")?.isReadOnly ?? false;
  const openIncidents = () => history?.known.incidents.filter(({ resolvedAt }) => resolvedAt === null) ?? [];

  function report(): StatusReport {
    const described = parts.map(describePart);
    const states = [...described.map(({ state }) => state), ...openIncidents().map(({ impact }) => GRADES[impact])];
    return {
      state: findWorst(states),
      at: now().toISOString(),
      isReadOnly: isReadOnly(),
      parts: described,
      incidents: history?.known.incidents ?? [],
      history: hasHistory ? (isFresh(history?.at) ? "current" : "stale") : "none",
    };
  }

  /** Describes, in this order: the worst open incident, measured trouble, or an incident for information only. */
  function notice(): string | undefined {
    const open = openIncidents();
    const trouble = open.find(({ impact }) => impact === "down") ?? open.find(({ impact }) => impact === "degraded");
    return trouble?.title ?? describeTrouble() ?? open[0]?.title;
  }

  /** Describes the parts in the worst state. Returns undefined if all are up. */
  function describeTrouble(): string | undefined {
    if (isReadOnly()) return "Everything can be read, but nothing can be changed or recorded right now";
    const grade = worst(...parts.map(gradeOf));
    if (grade === UP) return undefined;
    const bad = parts.filter((id) => gradeOf(id) === grade);
    const names = bad.map((id) => PART_NAMES[id]).join(", ");
    return grade === DOWN
      ? `Some of ${brand.name} is down: ${names}`
      : `Some of ${brand.name} is slow or fails at times: ${names}`;
  }

  return {
    report,
    /** A line for members while something is wrong. */
    notice,
    /** Records the current state of the parts that this process checks. */
    see(found: Partial<Record<PartId, Seen>>) {
      seen = { at: now(), parts: found };
    },
    remember(known: History) {
      // Several hundred rows of days are summed up here, once, instead of for every request.
      const past = new Map(parts.map((part) => [part, describeDays(known.days, part, known.until)]));
      history = { at: now(), known, past };
    },
    /** Makes the sampler read the database again soon. */
    refresh: () => onChange?.(),
    onRefresh(listener: () => void) {
      onChange = listener;
    },
  };
}

const ORDER: State[] = ["down", "degraded", "unknown", "up"];

const findWorst = (states: State[]): State => ORDER.find((state) => states.includes(state)) ?? "unknown";
