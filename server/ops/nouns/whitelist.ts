import { OPERATOR } from "../../administration/actor.ts";
import {
  WhitelistChange,
  WhitelistQuery,
  type WhitelistChanges,
  type WhitelistStanding,
} from "../../whitelist/contract.ts";
import { checkWhitelisted, readWhitelist, setWhitelisted } from "../../whitelist/service.ts";
import { oneMember } from "./one-member.ts";
import { changing, reading, type Noun } from "../operation.ts";

const emails = { usage: "<email>…", words: ["emails…"], input: WhitelistChange.pick({ emails: true }) };

const WORDS = { changed: "done", unchanged: "no change needed", unknown: "no member has this address" };

const describeChanges = ({ results }: WhitelistChanges) =>
  results.map(({ email, outcome }) => `${email}  ${WORDS[outcome]}`);
const hasUnknown = ({ results }: WhitelistChanges) => results.some(({ outcome }) => outcome === "unknown");

export const whitelist: Noun = {
  summary: "members who see TESTNET and have to accept the Terms of Service",
  verbs: {
    set: changing({
      ...emails,
      summary: "adds members",
      change: (deps, act, input) => setWhitelisted(deps, act, { ...input, whitelisted: true }),
      describe: describeChanges,
      isRefused: hasUnknown,
    }),
    unset: changing({
      ...emails,
      summary: "removes members",
      change: (deps, act, input) => setWhitelisted(deps, act, { ...input, whitelisted: false }),
      describe: describeChanges,
      isRefused: hasUnknown,
    }),
    list: reading({
      usage: "[--limit <number>] [--after <id>]",
      summary: "lists who is on it, in the order in which they joined",
      options: { limit: "number", after: "text" },
      input: WhitelistQuery,
      read: (deps, query) => readWhitelist(deps, OPERATOR, query),
      describe: ({ members, next }) => [
        ...members.map(describeStanding),
        next ? `More: --after ${next}` : members.length === 0 ? "Nobody." : "That is all.",
      ],
    }),
    check: reading({
      ...oneMember,
      summary: "shows whether a member is on it, since when and by whom",
      read: (deps, question) => checkWhitelisted(deps, OPERATOR, question),
      describe: (standing) => [describeStanding(standing)],
    }),
  },
};

function describeStanding({ id, email, isWhitelisted, since, by }: WhitelistStanding): string {
  if (!isWhitelisted) return `${id}  ${email}  not whitelisted`;
  const doer = by && (by.email ?? by.id ?? `the ${by.kind}`);
  return `${id}  ${email}  whitelisted${since ? `  since ${since}` : ""}${doer ? `  by ${doer}` : ""}`;
}
