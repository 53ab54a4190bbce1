import { brand } from "../../brand.ts";
import { PART_NAMES, PartId, type Incident, type State, type StatusPart, type StatusReport } from "./contract.ts";
import { describeDays } from "./history.ts";
import { DOWN, UP, worst, type Grade, type Seen } from "./judge.ts";
import type { DayRow } from "./queries.ts";

/** What the database says of the time before now, and of what other processes have seen. */
export type History = {
  /** Until when days are counted. */
  until: Date;
  days: DayRow[];
  /** The latest that anybody has seen of a part, in the last minutes. */
  latest: Partial<Record<PartId, Seen>>;
  incidents: Incident[];
};

type Past = ReadonlyMap<PartId, ReturnType<typeof describeDays>>;

export type Board = ReturnType<typeof createBoard>;

type BoardOptions = {
  now: () => Date;
  /** What there is here: a front knows the API alone. */
  parts?: readonly PartId[];
  /** Whether there is a database to keep a history in. */
  hasHistory?: boolean;
};

/** Milliseconds after which what was seen or read is not of now any more. */
const FRESH = 3 * 60_000;

const STATES: Record<Grade, State> = { 0: "up", 1: "degraded", 2: "down" };
const GRADES: Record<Incident["impact"], State> = { notice: "up", degraded: "degraded", down: "down" };

/**
 * The status, in the memory of the process: whoever asks for it asks nothing of the database, and is answered while it
 * is away.
 */
export function createBoard({ now, parts = PartId.options, hasHistory = true }: BoardOptions) {
  let seen: { at: Date; parts: Partial<Record<PartId, Seen>> } | undefined;
  let history: { at: Date; known: History; past: Past } | undefined;
  let onChange: (() => void) | undefined;

  const isFresh = (at: Date | undefined) => at !== undefined && now().getTime() - at.getTime() < FRESH;

  /** What this process has seen itself counts; of other parts, what another one has. */
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

  /** In this order: the worst open incident, then trouble that was measured, then an incident for information only. */
  function notice(): string | undefined {
    const open = openIncidents();
    const trouble = open.find(({ impact }) => impact === "down") ?? open.find(({ impact }) => impact === "degraded");
    return trouble?.title ?? describeTrouble() ?? open[0]?.title;
  }

  /** Of parts, the worst; undefined where all are up. */
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
    /** One line for members while something is not as it should be. */
    notice,
    /** Takes down how the parts that this process looks at are now. */
    see(found: Partial<Record<PartId, Seen>>) {
      seen = { at: now(), parts: found };
    },
    remember(known: History) {
      // The days of some hundred rows are counted now, not for each of all who ask until the next time.
      const past = new Map(parts.map((part) => [part, describeDays(known.days, part, known.until)]));
      history = { at: now(), known, past };
    },
    /** Has what the database says read again soon. */
    refresh: () => onChange?.(),
    whenStale(listener: () => void) {
      onChange = listener;
    },
  };
}

const ORDER: State[] = ["down", "degraded", "unknown", "up"];

const findWorst = (states: State[]): State => ORDER.find((state) => states.includes(state)) ?? "unknown";
