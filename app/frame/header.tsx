import type { ReactNode } from "react";
import { CountUp } from "../ui/number/count-up.tsx";
import { Icon } from "../ui/icon.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useShownPage } from "./page-outline.tsx";
import { ScrambledTitle } from "./scrambled-title.tsx";
import { SIDEBAR_ID } from "./sidebar/sidebar-context.tsx";
import { ThemeToggle } from "../page/theme-toggle.tsx";

export type HeaderProps = {
  /** The linked wallet, when there is one. */
  wallet?: ReactNode;
  /** The next step towards a Machine ID. */
  action?: ReactNode;
  /** Null while they are not known, undefined for a visitor. */
  points?: number | null;
  /** The way to the command menu. */
  commands?: ReactNode;
};

/** The 60 px above every page of the product. */
export function Header({ wallet, action, points, commands }: HeaderProps) {
  const title = useShownPage()?.title ?? "";
  return (
    <header className="shown-whole top-0 z-10 flex print:hidden min-h-15 flex-wrap items-center gap-2.5 border-b border-line bg-paper px-4 py-2 md:sticky md:h-15 md:flex-nowrap md:px-7 md:py-0">
      <button
        type="button"
        popoverTarget={SIDEBAR_ID}
        aria-label="Open the menu"
        className="grid size-8.5 place-items-center rounded-control border border-line bg-surface md:hidden"
      >
        <Icon name="menu" className="size-4" />
      </button>
      <div className="me-auto min-w-0 overflow-hidden py-1">
        <ScrambledTitle text={title} />
      </div>
      {wallet && <div className="flex gap-2.5 empty:hidden max-lg:hidden">{wallet}</div>}
      {action && <div className="max-md:order-last max-md:basis-full">{action}</div>}
      {points !== undefined && (
        <span className="inline-flex h-8.5 items-center gap-2 rounded-control border border-line bg-surface px-2.75 text-small">
          {points === null ? (
            <Skeleton className="w-14" />
          ) : (
            <b className="num font-bold">
              <CountUp value={points} />
            </b>
          )}
          <abbr title="points" className="label no-underline">
            PTS
          </abbr>
        </span>
      )}
      {commands}
      <ThemeToggle />
    </header>
  );
}
