import type { ReactNode } from "react";
import { brand } from "../../../brand.ts";
import { DialogTrigger } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { DemoTag } from "../../page/demo.tsx";
import { LOG_OUT_DIALOG } from "../../session/log-out-dialog.tsx";
import { Logo } from "../../ui/logo.tsx";
import { PreferenceForm } from "../../page/preference-form.tsx";
import { NAVIGATION } from "../navigation.ts";
import { useShownPage } from "../page-outline.tsx";
import type { ShellMember } from "../shell-member.ts";
import { MemberBadge } from "./member-badge.tsx";
import { SIDEBAR_ID, useSidebar } from "./sidebar-context.tsx";
import { SidebarLink, SidebarRow } from "./sidebar-link.tsx";

type SidebarProps = {
  /** Null for a visitor, who may only read the public pages. */
  member: ShellMember | null;
  /** Shown at the foot while the sidebar is expanded. */
  foot: ReactNode;
};

/**
 * The product's navigation: 14.25 rem wide, 4 rem as a bar of icons, and below 768 px an 18 rem panel that slides in.
 * The panel is a popover, so it opens and closes without a script.
 */
export function Sidebar({ member, foot }: SidebarProps) {
  const shown = useShownPage()?.path;
  const disabled =
    !member?.onboarded && (member ? "Available once your account is set up" : "Sign in to open this page");
  return (
    <aside id={SIDEBAR_ID} popover="auto" aria-label="Sidebar" className="sidebar">
      <div className="flex items-center gap-2 px-2 pt-1 pb-4.5">
        <Logo to="/dashboard" nameClassName="md:group-data-[sidebar=icons]/shell:sr-only" />
        <span className="sidebar-stage when-wide">
          {member?.whitelisted ? brand.stage.whitelisted : brand.stage.open}
        </span>
        <button
          ref={takeFocus}
          type="button"
          popoverTarget={SIDEBAR_ID}
          popoverTargetAction="hide"
          aria-label="Close the menu"
          className="grid size-8 place-items-center rounded-control text-ink-2 md:hidden"
        >
          <Icon name="close" className="size-4.25" />
        </button>
      </div>
      <nav aria-label="Main" className="grid gap-0.5">
        {NAVIGATION.filter(({ audience }) => audience === "member").map(({ to, label, icon }) => (
          <SidebarLink key={to} to={to} label={label} icon={icon} shown={shown} disabled={disabled} />
        ))}
        <hr className="my-2.5 border-line" />
        {NAVIGATION.filter(({ audience }) => audience === "anyone").map(({ to, label, icon }) => (
          <SidebarLink key={to} to={to} label={label} icon={icon} shown={shown} />
        ))}
        {member ? <LogOutRow /> : <SidebarLink to="/auth" label="Sign in" icon="logIn" />}
      </nav>
      <div className="sidebar-foot">
        {member?.person && (
          <div className="when-wide">
            <MemberBadge {...member.person} />
          </div>
        )}
        {foot && <div className="when-wide">{foot}</div>}
        <div className="sidebar-end">
          <span className="when-wide text-note text-ink-3">
            {brand.copyright}
            <DemoTag />
          </span>
          <SidebarToggle />
        </div>
      </div>
    </aside>
  );
}

/**
 * Focuses the button when the panel opens. A script sets the attribute, which would take the focus at once if it were
 * in the document.
 */
const takeFocus = (button: Element | null) => button?.setAttribute("autofocus", "");

function LogOutRow() {
  const { open } = useSidebar();
  return (
    <Tooltip text="Log out" side="right" enabled={!open} className="block">
      <DialogTrigger dialog={LOG_OUT_DIALOG} fallbackHref="/auth/logout" className="sidebar-row">
        <SidebarRow icon="logOut" label="Log out" />
      </DialogTrigger>
    </Tooltip>
  );
}

/** Toggles the sidebar, as Ctrl or Cmd and b do. */
function SidebarToggle() {
  const { open, toggle } = useSidebar();
  const label = open ? "Collapse the sidebar" : "Expand the sidebar";
  return (
    <PreferenceForm
      action="/shell/sidebar"
      field={{ name: "open", value: String(!open) }}
      onApply={toggle}
      className="max-md:hidden"
    >
      <Tooltip text={label} side="right">
        <button
          type="submit"
          aria-label={label}
          aria-expanded={open}
          aria-controls={SIDEBAR_ID}
          aria-keyshortcuts="Control+B Meta+B"
          className="sidebar-toggle"
        >
          <Icon name="panel" className="size-4 stroke-[1.75]" />
        </button>
      </Tooltip>
    </PreferenceForm>
  );
}
