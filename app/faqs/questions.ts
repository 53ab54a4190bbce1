/** What the Help & FAQs page answers. Figures as in the product specification, section 9. */
export const QUESTIONS = [
  {
    question: "How do I earn points?",
    answer:
      "Your node sends a heartbeat while it runs, and each one earns points. You also earn points when friends you invited become active, and by completing rewards.",
  },
  {
    question: "What does my friend get for using my link?",
    answer: "A friend who joins with your link starts with 1.000 extra points.",
  },
  {
    question: "Why is a referral still pending?",
    answer: "A referral can be claimed once your friend has sent 100 heartbeats and has linked a wallet.",
  },
  {
    question: "Can I change my wallet?",
    answer: "You can link a wallet once and change it once, so choose one that you mean to keep.",
  },
  {
    question: "What is a Machine ID?",
    answer:
      "It is an identity of your machine's own on the identity network. You can create one when your wallet is linked and connected and your node has sent 100 heartbeats.",
  },
  {
    question: "When does a day begin in the charts?",
    answer: "At midnight UTC, for everyone. Times in lists are shown in your own time zone.",
  },
  {
    question: "Can I use Nodebeat on a phone?",
    answer: "A mobile version is coming. For now, please use a desktop computer.",
  },
];
