import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { useShownPage } from "../page-outline.tsx";
import { closeSidebarPanel, useSidebar } from "./sidebar-context.tsx";

export const sidebarRowClass =
  "group/row flex h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-start font-book text-ink-2 no-underline transition-colors duration-100 hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:text-ink-3/70 aria-disabled:hover:text-ink-3/70 aria-[current]:bg-surface aria-[current]:font-strong aria-[current]:text-ink aria-[current]:shadow-card aria-[current]:inset-ring aria-[current]:inset-ring-line forced-colors:aria-[current]:outline forced-colors:aria-disabled:text-[GrayText]";

/** An icon and its label; the label is only heard while the sidebar is a bar of icons. */
export function SidebarRow({ icon, label, children }: { icon: IconName; label: string; children?: ReactNode }) {
  return (
    <>
      <Icon name={icon} className="size-4.25 shrink-0 group-aria-[current]/row:text-pulse" strokeWidth={1.75} />
      <span className="truncate md:group-data-[sidebar=icons]/shell:sr-only">{label}</span>
      {children}
    </>
  );
}

type SidebarLinkProps = { to: string; label: string; icon: IconName; disabled: boolean };

/** A page of the sidebar. Disabled, it is a link that leads nowhere and says why. */
export function SidebarLink({ to, label, icon, disabled }: SidebarLinkProps) {
  const { open } = useSidebar();
  const shown = useShownPage();
  if (disabled)
    return (
      <Tooltip text={REASON} side="right" className="block">
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid, jsx-a11y/no-redundant-roles, jsx-a11y/control-has-associated-label -- a disabled link has no address, and then its role is not implied; its row is its label */}
        <a role="link" aria-disabled="true" tabIndex={0} className={sidebarRowClass}>
          <SidebarRow icon={icon} label={label}>
            <span className="sr-only">. {REASON}</span>
          </SidebarRow>
        </a>
      </Tooltip>
    );
  return (
    <Tooltip text={label} side="right" enabled={!open} className="block">
      <Link
        to={to}
        prefetch="intent"
        onClick={closeSidebarPanel}
        aria-current={shown?.path === to ? "page" : undefined}
        className={sidebarRowClass}
      >
        <SidebarRow icon={icon} label={label} />
      </Link>
    </Tooltip>
  );
}

const REASON = "Available once your account is set up";
