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
import type { ShellMember } from "../shell-member.ts";
import { MemberBadge } from "./member-badge.tsx";
import { SIDEBAR_ID, useSidebar } from "./sidebar-context.tsx";
import { SidebarLink, SidebarRow, sidebarRowClass } from "./sidebar-link.tsx";

type SidebarProps = {
  /** Null for a visitor, who may only read the public pages. */
  member: ShellMember | null;
  /** Shown at the foot while the sidebar is expanded. */
  foot: ReactNode;
};

/**
 * The way through the product: 14.25 rem wide, 4 rem as a bar of icons, and below 768 px an 18 rem panel that slides in.
 * The panel is a popover, so it opens and closes without a script.
 */
export function Sidebar({ member, foot }: SidebarProps) {
  return (
    <aside id={SIDEBAR_ID} popover="auto" aria-label="Sidebar" className={PANEL}>
      <div className="flex items-center gap-2 px-2 pt-1 pb-4.5">
        <Logo to="/dashboard" nameClassName="md:group-data-[sidebar=icons]/shell:sr-only" />
        <span className="ms-auto rounded-tag border border-line-strong px-1.25 pt-1 pb-0.75 font-mono text-tag leading-none font-bold tracking-[0.08em] text-ink-2 md:group-data-[sidebar=icons]/shell:hidden">
          {member?.whitelisted ? brand.stage.whitelisted : brand.stage.open}
        </span>
        <button
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
          <SidebarLink key={to} to={to} label={label} icon={icon} disabled={!member?.onboarded} />
        ))}
        <hr className="my-2.5 border-line" />
        {NAVIGATION.filter(({ audience }) => audience === "anyone").map(({ to, label, icon }) => (
          <SidebarLink key={to} to={to} label={label} icon={icon} disabled={false} />
        ))}
        {member ? <LogOutRow /> : <SidebarLink to="/auth" label="Sign in" icon="logIn" disabled={false} />}
      </nav>
      <div className="mt-auto grid grid-cols-[minmax(0,1fr)] gap-2.5 px-2 pt-3 pb-0.5 md:group-data-[sidebar=icons]/shell:px-0">
        {member?.person && (
          <div className="md:group-data-[sidebar=icons]/shell:hidden">
            <MemberBadge {...member.person} />
          </div>
        )}
        {foot && <div className="md:group-data-[sidebar=icons]/shell:hidden">{foot}</div>}
        <div className="flex min-h-7 items-center justify-between md:group-data-[sidebar=icons]/shell:justify-center">
          <span className="text-note text-ink-3 md:group-data-[sidebar=icons]/shell:hidden">
            {brand.copyright}
            <DemoTag />
          </span>
          <SidebarToggle />
        </div>
      </div>
    </aside>
  );
}

const PANEL =
  "inset-y-0 start-0 end-auto m-0 h-dvh max-h-none w-72 max-w-full flex-col gap-0.5 overflow-y-auto border-0 border-e border-line bg-paper px-3 py-3.5 text-ink -translate-x-full transition-[translate,display,overlay] duration-200 ease-calm transition-discrete open:flex open:translate-x-0 starting:open:-translate-x-full backdrop:bg-backdrop print:hidden md:sticky md:top-0 md:flex md:w-auto md:translate-x-0 md:transition-none";

function LogOutRow() {
  const { open } = useSidebar();
  return (
    <Tooltip text="Log out" side="right" enabled={!open} className="block">
      <DialogTrigger dialog={LOG_OUT_DIALOG} fallbackHref="/auth/logout" className={sidebarRowClass}>
        <SidebarRow icon="logOut" label="Log out" />
      </DialogTrigger>
    </Tooltip>
  );
}

/** Also Ctrl or Cmd and b. */
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
          className="grid size-7 place-items-center rounded-small text-ink-3 transition-colors duration-100 hover:bg-sunken hover:text-ink"
        >
          <Icon name="panel" className="size-4" strokeWidth={1.75} />
        </button>
      </Tooltip>
    </PreferenceForm>
  );
}
