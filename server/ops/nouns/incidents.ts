import * as z from "zod";
import { OPERATOR } from "../../administration/actor.ts";
import { IncidentName, IncidentUpdate, NewIncident, type Incident } from "../../status/contract.ts";
import { openIncident, readIncidents, resolveIncident, updateIncident } from "../../status/incidents.ts";
import { changing, reading, type Noun } from "../operation.ts";

export const incidents: Noun = {
  summary: "what members read about outages on /status",
  verbs: {
    open: changing({
      usage:
        "<title> --text <what is known> [--part <part>] [--impact <notice, degraded or down>] [--started-at <time>]",
      summary: "reports one to members; parts are api, database, heartbeats, chain and mail",
      words: ["title"],
      options: { text: "text", part: "nullable", impact: "text", startedAt: "text" },
      input: NewIncident,
      change: openIncident,
      describe: (incident) => [describeIncident(incident)],
    }),
    update: changing({
      usage: "<id> --text <what is known> [--impact <notice, degraded or down>]",
      summary: "adds an update for members",
      words: ["id"],
      options: { text: "text", impact: "text" },
      input: IncidentUpdate.extend(IncidentName.shape),
      change: updateIncident,
      describe: (incident) => [describeIncident(incident)],
    }),
    resolve: changing({
      usage: "<id> --text <what it was>",
      summary: "tells members that it is over",
      words: ["id"],
      options: { text: "text" },
      input: IncidentUpdate.pick({ text: true }).extend(IncidentName.shape),
      change: resolveIncident,
      describe: (incident) => [describeIncident(incident)],
    }),
    list: reading({
      usage: "",
      summary: "lists open ones and those of the last 90 days",
      input: z.object({}),
      read: (deps) => readIncidents(deps, OPERATOR),
      describe: (list) => [...list.map(describeIncident), list.length === 0 ? "None." : `${list.length} in all.`],
    }),
  },
};

const describeIncident = ({ id, impact, part, resolvedAt, startedAt, title }: Incident) =>
  `${id}  ${resolvedAt ? `resolved ${resolvedAt}` : "open"}  ${title}  ${part ?? "no part"}  ${impact}  since ${startedAt}`;
