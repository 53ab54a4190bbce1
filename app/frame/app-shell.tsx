import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { HydrateLater } from "../page/hydrate-later.tsx";
import { Header } from "./header.tsx";
import { LogOutDialog } from "../session/log-out-dialog.tsx";
import type { ShellMember } from "./shell-member.ts";
import { SidebarProvider, useSidebar } from "./sidebar/sidebar-context.tsx";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { useLostFocus } from "../ui/lost-focus.ts";
import { SkipLink } from "../ui/skip-link.tsx";
import { WalletBlock } from "./wallet-chip.tsx";

type AppShellProps = {
  /** Null for a visitor of a public page. */
  member: ShellMember | null;
  sidebarOpen: boolean;
  /** The header's button for the next step towards a Machine ID. */
  action?: ReactNode;
  /** Actions for the wallet, in its block at the foot of the sidebar. */
  walletActions?: ReactNode;
  /** Whether a dialog covers the shell and must be answered first. */
  covered?: boolean;
  children: ReactNode;
};

/** Sidebar, header and the page between them. */
export function AppShell({ sidebarOpen, ...props }: AppShellProps) {
  return (
    <SidebarProvider initiallyOpen={sidebarOpen}>
      <Frame {...props} />
    </SidebarProvider>
  );
}

function Frame({ member, action, walletActions, covered, children }: Omit<AppShellProps, "sidebarOpen">) {
  const { open } = useSidebar();
  // For a link that leads to another page where nothing has taken the focus.
  const main = useLostFocus<HTMLElement>(useLocation().key, true);
  return (
    <div inert={covered} data-sidebar={open ? "expanded" : "icons"} className="group/shell shell">
      <SkipLink />
      <Sidebar member={member} foot={member && <WalletBlock address={member.wallet}>{walletActions}</WalletBlock>} />
      <div className="min-w-0">
        <Header member={member} action={action} />
        <main ref={main} id="main" tabIndex={-1} className="page">
          <HydrateLater>{children}</HydrateLater>
        </main>
      </div>
      {member && <LogOutDialog />}
    </div>
  );
}
