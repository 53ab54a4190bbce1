import { REFERRAL_CODE_LENGTH } from "../../server/referrals/contract.ts";
import { formatCount, formatNumber } from "../ui/number/number.ts";
import { describeDuration, describeInterval } from "./duration.ts";
import type { Entry } from "./entry.ts";

/** Questions about what earns points. */
export const pointsQuestions: Record<"Points" | "Heartbeats and your node" | "Referrals" | "Rewards", Entry[]> = {
  Points: [
    {
      slug: "earn-points",
      question: "How do I earn points?",
      words: "get collect income money",
      answer: ({ pointsPerHeartbeat, referralPoints }) =>
        `Your node sends heartbeats while it runs, and each one that counts earns ${formatCount(pointsPerHeartbeat, "point")}. You also earn ${formatNumber(referralPoints)} points for each friend who becomes active, a bonus for each reward you complete, and points for content your node gathers.`,
      general:
        "Your node sends heartbeats while it runs, and each one that counts earns points. You also earn points for each friend who becomes active, a bonus for each reward you complete, and points for content your node gathers.",
    },
    {
      slug: "content-points",
      question: "What do profiles, posts and comments earn?",
      words: "content data scrape limit maximum",
      answer: ({ contentPoints: { profile, post, comment }, contentPointsPerDay }) =>
        `Each profile your node gathers earns ${formatNumber(profile)} points, each post ${formatNumber(post)} and each comment ${formatNumber(comment)}. Together they earn up to ${formatCount(contentPointsPerDay, "point")} a day (UTC). Anything above that is kept, but earns nothing. These points count as Others in your points log.`,
      general:
        "Each one your node gathers earns points, up to a limit for each day (UTC). These points count as Others in your points log.",
    },
    {
      slug: "day-begins",
      question: "When does a day begin in the charts?",
      words: "time zone timezone start hour",
      answer: "At midnight UTC, for everyone. Times in lists are shown in your own time zone.",
    },
    {
      slug: "points-corrected",
      question: "Can points be taken back?",
      words: "lost missing removed negative minus wrong",
      answer:
        "Only by a correction that you can see. If something was counted by mistake, we add a new entry to the points log that says why. No other entry is changed or removed by it.",
    },
  ],
  "Heartbeats and your node": [
    {
      slug: "heartbeat",
      question: "What is a heartbeat?",
      words: "ping signal beat online",
      answer: ({ heartbeatIntervalSeconds, pointsPerHeartbeat }) =>
        `A short message from your node that says it is connected. One heartbeat counts ${describeInterval(heartbeatIntervalSeconds)} and earns ${formatCount(pointsPerHeartbeat, "point")}. Sending more in that time does no harm, but earns nothing.`,
      general:
        "A short message from your node that says it is connected. One counts in each interval. Sending more in that time does no harm, but earns nothing.",
    },
    {
      slug: "start-node",
      question: "How do I start my node?",
      words: "install setup set up run download npm command begin get started service key",
      answer:
        "Open Agent Insights, create a key for your machine, and run the command that is shown there. It needs Node.js 20.3 or newer; it installs the node and starts it. The page tells you as soon as the first heartbeat arrives. To start your node whenever your machine starts, install it as a service. You can create more keys on your profile, under Your machines.",
    },
    {
      slug: "offline",
      question: "What happens while my node is offline?",
      words: "internet outage down disconnected late power",
      answer: ({ lateHeartbeatSeconds }) =>
        `A node that is running but cannot reach us saves its heartbeats and sends them later. They count for up to ${describeDuration(lateHeartbeatSeconds)}. A node that is switched off earns nothing.`,
      general:
        "A node that is running but cannot reach us saves its heartbeats and sends them later. A node that is switched off earns nothing.",
    },
    {
      slug: "node-stopped",
      question: "How do I know if my node has stopped?",
      words: "notice monitor alert notification email crash down silent uptime",
      answer:
        "Agent Insights shows its last heartbeat and its uptime for the last week, in steps of 15 minutes. On your profile you can ask for an email when no heartbeat has arrived for 1, 3, 12 or 24 hours.",
    },
    {
      slug: "refused-heartbeat",
      question: "Why was a heartbeat refused?",
      words: "rejected error failed invalid",
      answer: ({ lateHeartbeatSeconds }) =>
        `Its time was in the future or more than ${describeDuration(lateHeartbeatSeconds)} ago, so check the clock of your machine. Or it came with a key you have revoked. Agent Insights lists the latest refused heartbeats, with the reason for each.`,
      general:
        "Its time was in the future or too long ago, so check the clock of your machine. Or it came with a key you have revoked. Agent Insights lists the latest refused heartbeats, with the reason for each.",
    },
    {
      slug: "two-machines",
      question: "Do two machines earn twice as much?",
      words: "multiple several second more devices computers",
      answer: ({ heartbeatIntervalSeconds }) =>
        `No. Heartbeats count for you, not for each machine: one ${describeInterval(heartbeatIntervalSeconds)}, whichever machine sent it. A second machine still helps when the first is offline.`,
      general:
        "No. Heartbeats count for you, not for each machine. A second machine still helps when the first is offline.",
    },
  ],
  Referrals: [
    {
      slug: "friend-bonus",
      question: "What does my friend get for using my link?",
      words: "invite bonus sign-up welcome",
      answer: ({ referralPoints }) =>
        `A friend who joins with your link starts with ${formatNumber(referralPoints)} extra points.`,
      general: "A friend who joins with your link starts with extra points.",
    },
    {
      slug: "referral-reward",
      formerly: "pending-referral",
      question: "When do I get points for inviting a friend?",
      words: "pending waiting reward bonus why claimable",
      answer: ({ referralPoints, heartbeatsRequired }) =>
        `When your friend has sent ${formatNumber(heartbeatsRequired)} heartbeats and linked a wallet, you can claim ${formatNumber(referralPoints)} points. Until then the referral is pending, and its row says what is missing.`,
      general:
        "When your friend has sent enough heartbeats and linked a wallet, you can claim points. Until then the referral is pending, and its row says what is missing.",
    },
    {
      slug: "referral-link",
      question: "Where is my referral link?",
      words: "invite code share url address",
      answer: `On your dashboard, under Refer a Friend. It ends in your personal code of ${REFERRAL_CODE_LENGTH} characters, which never changes.`,
    },
    {
      slug: "invite-myself",
      question: "Can I invite myself?",
      words: "second account own same fake held review",
      answer:
        "No. We hold invitations that look like this, for example from the same browser, until somebody has checked them. They earn nothing until then.",
    },
  ],
  Rewards: [
    {
      slug: "heartbeat-reward",
      question: "What is the heartbeat reward?",
      words: "bonus first",
      answer: ({ heartbeatsRequired, heartbeatReward }) =>
        `After your first ${formatNumber(heartbeatsRequired)} heartbeats you can claim ${formatNumber(heartbeatReward)} points, once.`,
      general: "A bonus that you can claim once, after your first heartbeats.",
    },
    {
      slug: "claim-reward",
      question: "When can I claim a reward?",
      words: "bonus collect campaign task",
      answer:
        "As soon as you have done what it asks. You can claim each reward once, and its points appear in your log right away.",
    },
  ],
};
