/** The pages of the sidebar, in order (product specification, section 2). */
export const SIDEBAR_ITEMS = [
  { to: "/dashboard", label: "Dashboard", icon: "dashboard", needsOnboarding: true },
  { to: "/agentinsights", label: "Agent Insights", icon: "chart", needsOnboarding: true },
  { to: "/rewards", label: "Rewards", icon: "gift", needsOnboarding: true },
  { to: "/referrals", label: "Referrals", icon: "friend", needsOnboarding: true },
  { to: "/profile", label: "Profile", icon: "person", needsOnboarding: true },
  { to: "/faqs", label: "Help & FAQs", icon: "help", needsOnboarding: false },
] as const;
