import type { ReactNode } from "react";
import { CountUp } from "../ui/number/count-up.tsx";
import { Icon } from "../ui/icon.tsx";
import { Messages } from "../ui/toast/toaster.tsx";
import { Commands } from "./commands/commands.tsx";
import { useShownPage } from "./page-outline.tsx";
import { ScrambledTitle } from "./scrambled-title.tsx";
import type { ShellMember } from "./shell-member.ts";
import { SIDEBAR_ID } from "./sidebar/sidebar-context.tsx";
import { ThemeToggle } from "../page/theme-toggle.tsx";
import { WalletChip } from "./wallet-chip.tsx";

type HeaderProps = {
  /** Null for a visitor. */
  member: ShellMember | null;
  /** The button for the next step towards a Machine ID. */
  action: ReactNode;
};

/**
 * The header above every page, 60 px high. With a large font it is higher, and then does not stick. Its content is as
 * wide as the page below it.
 */
export function Header({ member, action }: HeaderProps) {
  const title = useShownPage()?.title ?? "";
  return (
    <header className="page-header">
      <button type="button" popoverTarget={SIDEBAR_ID} aria-label="Open the menu" className="icon-button md:hidden">
        <Icon name="menu" className="size-4" />
      </button>
      <div className="me-auto min-w-0 overflow-hidden py-1">
        <ScrambledTitle text={title} />
      </div>
      {/* Appears with the first message. It comes first, so that it moves none of the other controls. */}
      <Messages />
      {member && (
        <div className="header-wallet">
          <WalletChip address={member.wallet} />
        </div>
      )}
      {action && <div className="max-md:order-last max-md:basis-full">{action}</div>}
      {member && (
        <span className="chip">
          <b className="num font-bold">
            <CountUp value={member.points} />
          </b>
          <abbr title="points" className="label no-underline">
            PTS
          </abbr>
        </span>
      )}
      <Commands member={member} />
      <ThemeToggle />
    </header>
  );
}
