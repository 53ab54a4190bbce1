import { track } from "../../analytics/events.ts";
import { applyTheme, useTheme } from "../../page/theme.tsx";
import { referralLink } from "../../referrals/referral-link.ts";
import { openDialog } from "../../ui/dialog.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { NEW_DOCUMENT } from "../../ui/link.tsx";
import { showToast } from "../../ui/toast/toast.ts";
import type { MenuProps } from "./command-menu.tsx";
import { MEMBER_PLACES, type Place } from "./places.ts";
import { useQuestions } from "./use-questions.ts";

export type Command = {
  label: string;
  icon: IconName;
  words?: string;
  isOnlyFound?: boolean;
  run: () => void;
  /**
   * Whether to run it in the press that chooses it, and not after the menu has closed. Safari does not allow copying
   * later.
   */
  isAtOnce?: boolean;
};

/** Returns everything that the reader can do from here. */
export function useCommands({ pages, sidebar, signedIn, personalCode, logOutDialog, onOpen }: MenuProps): Command[] {
  const questions = useQuestions();
  const theme = useTheme() === "dark" ? "light" : "dark";

  const isOnboarded = pages.some(({ audience }) => audience === "member");
  const asVisitor = [goTo("/auth", "Sign in", "logIn", "log in"), goTo("/auth/signup", "Create an account", "person")];

  return [
    ...pages.map(({ to, label, icon, words }) => goTo(to, label, icon, words)),
    ...(signedIn ? [] : asVisitor),
    ...(personalCode ? [copyReferralLink(personalCode)] : []),
    { label: `Use the ${theme} theme`, icon: theme === "dark" ? "moon" : "sun", run: () => applyTheme(theme) },
    { label: sidebar.open ? "Collapse the sidebar" : "Expand the sidebar", icon: "panel", run: sidebar.toggle },
    { label: "Show keyboard shortcuts", icon: "help", words: "keys help", run: () => onOpen("shortcuts") },
    ...(signedIn ? [openLogOut(logOutDialog)] : []),
    ...(isOnboarded ? [...MEMBER_PLACES.map(find), DOWNLOAD_LOG] : []),
    ...questions.map(find),
  ];
}

const goTo = (to: string, label: string, icon: IconName, words?: string): Command => ({
  label,
  icon,
  ...(words && { words }),
  run: () => follow(to),
});

const find = ({ to, label, icon, words }: Place): Command => ({ ...goTo(to, label, icon, words), isOnlyFound: true });

/** Follows a real link, so that it leads nowhere while the reader is offline, as every other link does. */
function follow(to: string, way = "") {
  const link = document.createElement("a");
  link.href = to;
  link.dataset["follow"] = way;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Downloads a file, so the page stays. */
const DOWNLOAD_LOG: Command = {
  label: "Download the points log as CSV",
  icon: "down",
  words: "export file spreadsheet",
  isOnlyFound: true,
  run: () => follow("/points/export", NEW_DOCUMENT),
};

const copyReferralLink = (personalCode: string): Command => ({
  label: "Copy referral link",
  icon: "link",
  words: "invite friend share",
  run: () => void copyLink(personalCode),
  isAtOnce: true,
});

async function copyLink(personalCode: string) {
  try {
    await navigator.clipboard.writeText(referralLink(location.origin, personalCode));
    track({ event: "referral_link_copied", personal_code: personalCode });
    showToast("Referral link copied", { tone: "success" });
  } catch {
    showToast("Your browser did not allow copying.", { tone: "error" });
  }
}

const openLogOut = (id: string): Command => ({
  label: "Log out",
  icon: "logOut",
  words: "sign out leave",
  run: () => openDialog(id),
});
