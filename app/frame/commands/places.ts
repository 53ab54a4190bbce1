import type { IconName } from "../../ui/icon.tsx";

/** A place within a page, and the words people search for it by. */
export type Place = { to: string; label: string; icon: IconName; words: string };

/** The places within the pages of a member who is onboarded. */
export const MEMBER_PLACES: Place[] = [
  { to: "/profile#wallet", label: "Wallet", icon: "link", words: "connect link change disconnect metamask address" },
  {
    to: "/profile#identity",
    label: "Smart Account and Machine ID",
    icon: "person",
    words: "smart machine did identity peaq create",
  },
  { to: "/profile#devices", label: "Your machines", icon: "monitor", words: "node device key start install run" },
  {
    to: "/profile#password",
    label: "Your email and password",
    icon: "person",
    words: "change address sign in login security",
  },
  { to: "/profile#sessions", label: "Where you are signed in", icon: "monitor", words: "sessions devices sign out" },
  { to: "/profile#campaign-mail", label: "Campaign emails", icon: "person", words: "email newsletter unsubscribe" },
  { to: "/profile#your-data", label: "Download your data", icon: "down", words: "export copy privacy json" },
  { to: "/profile/delete", label: "Delete your account", icon: "alert", words: "remove close erase" },
];
