import { REFERRAL_CODE_LENGTH } from "../../server/referrals/contract.ts";
import { formatNumber } from "../ui/number/number.ts";
import { describeDuration, describeInterval } from "./duration.ts";
import type { Entry } from "./entry.ts";

/** What earns points. */
export const pointsQuestions: Record<"Points" | "Heartbeats and your node" | "Referrals" | "Rewards", Entry[]> = {
  Points: [
    {
      slug: "earn-points",
      question: "How do I earn points?",
      answer: ({ pointsPerHeartbeat, referralPoints }) =>
        `Your node sends a heartbeat while it runs, and each one that counts earns ${formatNumber(pointsPerHeartbeat)} points. You also earn ${formatNumber(referralPoints)} points for each friend who becomes active, a bonus for each reward you complete, and points for content you gather.`,
      general:
        "Your node sends a heartbeat while it runs, and each one that counts earns points. You also earn points for each friend who becomes active, a bonus for each reward you complete, and points for content you gather.",
    },
    {
      slug: "content-points",
      question: "What do profiles, posts and comments earn?",
      answer: ({ contentPoints: { profile, post, comment }, contentPointsPerDay }) =>
        `A profile that your node gathers earns ${formatNumber(profile)} points, a post ${formatNumber(post)} and a comment ${formatNumber(comment)}. All that it gathers on one day (UTC) earns ${formatNumber(contentPointsPerDay)} points at most; what comes beyond is kept and earns nothing. They count as Others in your points log.`,
      general:
        "Each one that your node gathers earns points, up to a number of points a day. They count as Others in your points log.",
    },
    {
      slug: "day-begins",
      question: "When does a day begin in the charts?",
      answer: "At midnight UTC, for everyone. Times in lists are shown in your own time zone.",
    },
    {
      slug: "points-corrected",
      question: "Can points be taken back?",
      answer:
        "Nothing in the points log is ever changed or removed. Where something was counted by mistake, a correction is added as a row of its own and says what it corrects.",
    },
  ],
  "Heartbeats and your node": [
    {
      slug: "heartbeat",
      question: "What is a heartbeat?",
      answer: ({ heartbeatIntervalSeconds, pointsPerHeartbeat }) =>
        `A short message from your node that says it is connected. One heartbeat counts ${describeInterval(heartbeatIntervalSeconds)} and earns ${formatNumber(pointsPerHeartbeat)} points; more in the same time do no harm and earn nothing.`,
      general:
        "A short message from your node that says it is connected. One counts in each interval; more in the same time do no harm and earn nothing.",
    },
    {
      slug: "start-node",
      question: "How do I start my node?",
      answer:
        "Open Agent Insights, make a key for your machine, and run the command that is shown there. It needs Node.js 20 or newer; it installs the node and starts it. The page tells you as soon as we hear your node. To start it together with your machine, install it as a service. You can make more keys on your profile, under Your machines.",
    },
    {
      slug: "offline",
      question: "What happens while my node is offline?",
      answer: ({ lateHeartbeatSeconds }) =>
        `A node that runs but cannot reach us keeps its heartbeats and sends them later. They still count up to ${describeDuration(lateHeartbeatSeconds)} after the fact. A node that is switched off earns nothing.`,
      general:
        "A node that runs but cannot reach us keeps its heartbeats and sends them later. A node that is switched off earns nothing.",
    },
    {
      slug: "node-stopped",
      question: "How do I notice that my node has stopped?",
      answer:
        "Agent Insights shows when it last beat, and every quarter of an hour of the last week. On your profile you can ask for a mail when no heartbeat has come for 1, 3, 12 or 24 hours.",
    },
    {
      slug: "refused-heartbeat",
      question: "Why was a heartbeat refused?",
      answer: ({ lateHeartbeatSeconds }) =>
        `Its time was in the future or more than ${describeDuration(lateHeartbeatSeconds)} ago. Check the clock of your machine. Or it came with a key that you have revoked. Agent Insights lists the latest refusals, each with its reason.`,
      general:
        "Its time was in the future or too long ago. Check the clock of your machine. Or it came with a key that you have revoked. Agent Insights lists the latest refusals, each with its reason.",
    },
    {
      slug: "two-machines",
      question: "Do two machines earn twice as much?",
      answer: ({ heartbeatIntervalSeconds }) =>
        `No. Heartbeats are counted for you, not for each machine: one ${describeInterval(heartbeatIntervalSeconds)}, whichever machine sent it. A second one still helps when the first is offline.`,
      general:
        "No. Heartbeats are counted for you, not for each machine. A second one still helps when the first is offline.",
    },
  ],
  Referrals: [
    {
      slug: "friend-bonus",
      question: "What does my friend get for using my link?",
      answer: ({ referralPoints }) =>
        `A friend who joins with your link starts with ${formatNumber(referralPoints)} extra points.`,
      general: "A friend who joins with your link starts with extra points.",
    },
    {
      slug: "referral-reward",
      question: "What do I get for inviting a friend?",
      answer: ({ referralPoints, heartbeatsRequired }) =>
        `${formatNumber(referralPoints)} points for each friend who has sent ${formatNumber(heartbeatsRequired)} heartbeats and linked a wallet, once you claim them.`,
      general: "Points for each friend who has sent enough heartbeats and linked a wallet, once you claim them.",
    },
    {
      slug: "pending-referral",
      question: "Why is a referral still pending?",
      answer: ({ heartbeatsRequired }) =>
        `A referral can be claimed once your friend has sent ${formatNumber(heartbeatsRequired)} heartbeats and has linked a wallet.`,
      general: "A referral can be claimed once your friend has sent enough heartbeats and has linked a wallet.",
    },
    {
      slug: "referral-link",
      question: "Where is my referral link?",
      answer: `On your dashboard, under Refer a Friend. It ends in your personal code of ${REFERRAL_CODE_LENGTH} characters, which never changes.`,
    },
    {
      slug: "invite-myself",
      question: "Can I invite myself?",
      answer:
        "No. Invitations that look like ones to oneself, such as from the same browser, are held until somebody has looked at them, and earn nothing meanwhile.",
    },
  ],
  Rewards: [
    {
      slug: "heartbeat-reward",
      question: "What is the heartbeat reward?",
      answer: ({ heartbeatsRequired, heartbeatReward }) =>
        `After your first ${formatNumber(heartbeatsRequired)} heartbeats you can claim ${formatNumber(heartbeatReward)} points, once.`,
      general: "A bonus that you can claim once, after your first heartbeats.",
    },
    {
      slug: "claim-reward",
      question: "When can I claim a reward?",
      answer:
        "As soon as what it asks for is done. Each reward can be claimed once, and its points are in your log at once.",
    },
  ],
};
