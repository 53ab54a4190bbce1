import type { ReactNode } from "react";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { closePopover } from "../../ui/popover.ts";
import { Tooltip } from "../../ui/tooltip.tsx";
import { useSidebar } from "./sidebar-context.tsx";
import { Link } from "../../ui/link.tsx";

/** An icon and its label. While the sidebar is a bar of icons, only screen readers have the label. */
export function SidebarRow({ icon, label, children }: { icon: IconName; label: string; children?: ReactNode }) {
  return (
    <>
      <Icon name={icon} />
      <span>{label}</span>
      {children}
    </>
  );
}

type SidebarLinkProps = {
  to: string;
  label: string;
  icon: IconName;
  /** The path of the page that is shown. */
  shown?: string | undefined;
  /** Why it leads nowhere, if it does not. */
  disabled?: string | false | undefined;
};

/** A link to a page in the sidebar. If disabled, it leads nowhere and says why. */
export function SidebarLink({ to, label, icon, shown, disabled }: SidebarLinkProps) {
  const { open } = useSidebar();
  if (disabled)
    return (
      <Tooltip text={disabled} side="right" className="block">
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid, jsx-a11y/no-redundant-roles, jsx-a11y/control-has-associated-label -- a disabled link has no address, and then its role is not implied; its row is its label */}
        <a role="link" aria-disabled="true" tabIndex={0} className="sidebar-row">
          <SidebarRow icon={icon} label={label}>
            <span className="sr-only">. {disabled}</span>
          </SidebarRow>
        </a>
      </Tooltip>
    );
  return (
    <Tooltip text={label} side="right" enabled={!open} className="block">
      <Link to={to} onClick={closePopover} aria-current={shown === to ? "page" : undefined} className="sidebar-row">
        <SidebarRow icon={icon} label={label} />
      </Link>
    </Tooltip>
  );
}
