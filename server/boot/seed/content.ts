import type { Job } from "../../agent-insights/jobs.ts";
import type { ContentKind } from "../../agent-insights/contract.ts";
import type { Random } from "./random.ts";

const TITLES: Record<ContentKind, [string, ...string[]]> = {
  post: [
    "Running a node on an old laptop: six months on",
    "What a decentralized data network pays for",
    "Notes from the community call",
    "Which regions answer fastest this week",
    "How I keep my node online through power cuts",
    "Open data sets worth gathering next",
    "Storage prices, compared again",
    "A beginner's map of machine identity",
  ],
  comment: [
    "Re: is a home connection enough?",
    "Re: which board do you use?",
    "Re: data quality of last week's jobs",
    "Re: my node lost a day of beats",
    "Re: privacy of gathered profiles",
    "Re: invite links for a whole team",
    "Re: numbers from the southern hemisphere",
  ],
  profile: [
    "Open hardware maker, Porto",
    "Weather station operator, Tromsø",
    "Civic data archivist, Nairobi",
    "Transit watcher, Osaka",
    "Local news desk, Valparaíso",
    "Repair café, Ghent",
  ],
};

/** Invents a job of a member's node that finished at this time, with a piece of content. */
export function inventJob(random: Random, userId: string, finishedAt: Date): Job {
  const kind = random.pick(["post", "comment", "comment", "profile"]);
  return {
    userId,
    reference: random.hex(16),
    finishedAt,
    receivedAt: finishedAt,
    resultSize: random.integer(2_000, 180_000),
    items: [{ kind, reference: random.hex(16), title: random.pick(TITLES[kind]) }],
  };
}
