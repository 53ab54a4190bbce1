import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

/**
 * The table of contents: URL → route module. A route in the shell has a sidebar, and a description in `pages.ts`. A
 * route with `auth` in its id is in the frame without a sidebar (product specification, section 2).
 */
export default [
  index("auth/home.route.ts"),
  layout("auth/auth-frame.route.tsx", [
    route("auth/logout", "auth/log-out.route.tsx"),
    layout("auth/auth-layout.route.tsx", [
      route("auth", "auth/sign-in/sign-in.route.tsx"),
      route("auth/signup", "auth/sign-up/sign-up.route.tsx"),
      route("auth/verify", "auth/verify/verify.route.tsx"),
      route("auth/forgot-password", "auth/reset/forgot-password.route.tsx"),
      route("auth/reset-password", "auth/reset/reset-password.route.tsx"),
    ]),
  ]),

  layout("frame/shell.route.tsx", { id: "shell" }, [
    route("dashboard", "dashboard/dashboard.route.tsx"),
    route("agentinsights", "agent-insights/agent-insights.route.tsx"),
    route("rewards", "rewards/rewards.route.tsx"),
    route("referrals", "referrals/referrals.route.tsx"),
    route("profile", "profile/profile.route.tsx"),
    ...["node-mail", "campaign-mail"].map((path) => route(path, "mail-off/mail-off.route.tsx", { id: path })),
    route("profile/email", "profile/email/change-email.route.tsx"),
    route("profile/delete", "profile/deletion/delete-account.route.tsx"),
    route("faqs", "faqs/faqs.route.tsx"),
    route("status", "status/status.route.tsx"),
    route("terms/:version?", "legal/terms.route.tsx"),
    route("privacy/:version?", "legal/privacy.route.tsx"),
  ]),

  route(".well-known/change-password", "profile/password/change-password.route.ts"),
  route("profile/draft", "profile/keep-draft.route.ts"),
  route("profile/data", "profile/deletion/own-data.route.ts"),
  route("profile/keep", "profile/deletion/keep-account.route.ts"),

  ...["legal/terms", "legal/privacy"].map((path) => route(path, "legal/accept-document.route.ts", { id: path })),
  route("legal/privacy/skip", "legal/skip-privacy.route.ts"),

  route("wallet/:purpose", "wallet/sign/signature.route.ts"),

  route("machine-id", "machine-id/machine-id.route.ts"),

  route("shell/:preference", "frame/preference.route.ts"),
  route("faqs/questions", "faqs/questions.route.ts"),
  route("points/export", "points/export-log.route.ts"),
  route("read/*", "read-proxy/read-proxy.route.ts"),
  route("live", "live/live.route.ts"),
  route("admin/*", "administration/administration.route.tsx"),
  route("*", "frame/not-found.route.tsx"),
] satisfies RouteConfig;
