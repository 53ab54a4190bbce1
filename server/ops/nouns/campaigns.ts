import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import * as z from "zod";
import { OPERATOR } from "../../administration/actor.ts";
import { importCompletions } from "../../campaigns/completion-file.ts";
import { recordCompletions } from "../../campaigns/completions.ts";
import {
  CampaignChange,
  CampaignId,
  CompletionFile,
  Completions,
  NewCampaign,
  type Campaign,
  type CompletionOutcome,
} from "../../campaigns/contract.ts";
import { changeCampaign, createCampaign, endCampaign, readCampaigns } from "../../campaigns/service.ts";
import { formatCount } from "../../format-count.ts";
import { changing, reading, WrongUse, type Noun } from "../operation.ts";
import { resolveTyped } from "../typed-path.ts";

const OPTIONS = {
  name: "text",
  type: "text",
  formUrl: "text",
  bonusPoints: "number",
  mandatory: "flag",
  buttonText: "nullable",
  taskNumber: "number",
  startsAt: "nullable",
  endsAt: "nullable",
} as const;

const TIMES = "[--starts-at <time>] [--ends-at <time>]";
const MORE = `[--type <type>] [--mandatory] [--button-text <text>] ${TIMES}`;

const FORMATS: Record<string, string> = { ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl" };

export const campaigns: Noun = {
  summary: "rewards that members can claim, and who has completed them",
  verbs: {
    create: changing({
      usage: `<id> --name <name> --bonus-points <number> --form-url <https address> --task-number <number> ${MORE} [--no-email-members]`,
      summary: "creates one, and emails members when it starts; write times as 2026-12-01T00:00:00Z",
      words: ["id"],
      options: { ...OPTIONS, emailMembers: "flag" },
      input: NewCampaign,
      change: createCampaign,
      describe: (campaign) => [describeCampaign(campaign)],
    }),
    change: changing({
      usage: "<id> [any option of create but the last, --no-mandatory, or none for a time or the button's text]",
      summary: "changes one, including when it runs",
      words: ["id"],
      options: OPTIONS,
      input: CampaignChange.extend({ id: CampaignId }).refine(
        // The id is one of the keys.
        (given) => Object.keys(given).length > 1,
        "Say what to change, as with --ends-at <time>.",
      ),
      change: (deps, act, { id, ...change }) => changeCampaign(deps, act, { id, change }),
      describe: (campaign) => [describeCampaign(campaign)],
    }),
    end: changing({
      usage: "<id>",
      summary: "ends one now; members can still claim what they completed",
      words: ["id"],
      input: z.object({ id: CampaignId }),
      change: endCampaign,
      describe: (campaign) => [describeCampaign(campaign)],
    }),
    list: reading({
      usage: "",
      summary: "lists all of them, running or not",
      input: z.object({}),
      read: (deps) => readCampaigns(deps, OPERATOR),
      describe: (list) => [...list.map(describeCampaign), `${list.length} in all.`],
    }),
    complete: changing({
      usage: "<id> <email or id of a member>… [--completed-at <time>]",
      summary: "records that members have completed one",
      words: ["campaignId", "members…"],
      options: { completedAt: "text" },
      prepare: ({ members, campaignId, completedAt }) => ({
        completions: z
          .array(z.string())
          .parse(members)
          .map((member) => ({ member, campaignId, completedAt })),
      }),
      input: Completions,
      async change(deps, act, completions) {
        const { recorded, results } = await recordCompletions(deps, act, completions);
        const members = completions.completions.map(({ member }) => member);
        return {
          recorded,
          results: results.map(({ outcome, message }, index) => ({ member: members[index] ?? "", outcome, message })),
        };
      },
      describe: ({ results }) => results.map(({ member, message }) => `${member}  ${message}`),
      isRefused: ({ results }) => results.some(isRefused),
    }),
    import: changing({
      usage: "<file.csv or file.jsonl>",
      summary: "records completions from a file: member, campaignId and, if known, completedAt",
      words: ["file"],
      prepare: ({ file }, settings) => readCompletionFile(resolveTyped(String(file), settings)),
      input: CompletionFile,
      change: importCompletions,
      describe: ({ recorded, lines }) => [
        ...lines.filter(isRefused).map(({ line, message }) => `line ${line}  ${message}`),
        `${recorded} recorded, ${lines.filter(({ outcome }) => outcome === "already").length} already recorded, ` +
          `${lines.filter(isRefused).length} refused.`,
      ],
      isRefused: ({ lines }) => lines.some(isRefused),
    }),
  },
};

const isRefused = ({ outcome }: { outcome: CompletionOutcome }) => outcome !== "recorded" && outcome !== "already";

const describeCampaign = ({ id, state, name, bonusPoints, startsAt, endsAt }: Campaign) =>
  `${id}  ${state}  ${name}  ${formatCount(bonusPoints, "point")}${startsAt ? `  from ${startsAt}` : ""}${endsAt ? `  until ${endsAt}` : ""}`;

async function readCompletionFile(path: string) {
  const format = FORMATS[extname(path).toLowerCase()];
  if (!format) throw new WrongUse("Name a file that ends in .csv, .jsonl or .ndjson.");
  try {
    return { format, text: await readFile(path, "utf8") };
  } catch (cause) {
    throw new WrongUse(`${path} cannot be read: ${cause instanceof Error ? cause.message : ""}`, { cause });
  }
}
