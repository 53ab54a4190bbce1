import type * as z from "zod";
import { readContentPointsHistory } from "../../server/agent-insights/contract.ts";
import {
  PointsRules,
  exportPointsLog,
  readPointsHistory,
  readPointsLog,
  readPointsLogDetail,
  readPointsRules,
  type PointsLogEntry,
  type PointsRange,
} from "../../server/points/contract.ts";
import type { Caller, OptionalCaller, Sender } from "../api/call.ts";
import { utcTime } from "./loose-responses.ts";

type LogQuery = z.output<typeof readPointsLog.query>;

/** Creates the calls about the member's points: where they came from, and by which rules. */
export function createPointsClient(call: Caller, callIfOffered: OptionalCaller, send: Sender) {
  return {
    rules: () => readRules(callIfOffered),
    async history(range: PointsRange) {
      const answer = await call(readPointsHistory, { query: { range } });
      const { history } = answer;
      return history?.data ? { ...answer, history: { ...history, data: utcTime.each(history.data, "date") } } : answer;
    },
    log: (query: LogQuery) => readLog(call, query),
    detail: (id: string) => call(readPointsLogDetail, { params: { id } }),
    /** Returns the file as it arrives. Its reader may take as long as they like. */
    exportLog: (query: z.input<typeof exportPointsLog.query>) => send(exportPointsLog, { query }),
    /** Null if the backend does not provide it. */
    content: (query: z.output<typeof readContentPointsHistory.query>) =>
      callIfOffered(readContentPointsHistory, { query }),
  };
}

async function readLog(call: Caller, query: LogQuery) {
  const answer = await call(readPointsLog, { query });
  const entries = utcTime.each(answer.data, "timestamp");
  const isOurs = answer.pointsTotal !== undefined;
  return { ...answer, data: isOurs || !Array.isArray(entries) ? entries : entries.map(leaveUnopened) };
}

/** A backend that sends no sum of the log does not explain its rows either. A link by their id would lead nowhere. */
const leaveUnopened = (entry: PointsLogEntry): PointsLogEntry => entry && { ...entry, id: undefined };

/** Returns null if the backend has no such call, or answers something else. */
const readRules = async (callIfOffered: OptionalCaller): Promise<PointsRules | null> =>
  PointsRules.safeParse(await callIfOffered(readPointsRules, {})).data ?? null;
