import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { sidebarCookie } from "../../page/preferences.ts";
import { storeCookie } from "../../cookies/plain-cookie.ts";
import { closePopover } from "../../ui/popover.ts";
import { isCommand } from "../commands/shortcut-keys.ts";

/** The id of the sidebar's element. Below 768 px, its buttons open it as a popover. */
export const SIDEBAR_ID = "sidebar";

const NARROW = "(width < 768px)";

type Sidebar = {
  /** Whether it is expanded or a bar of icons. Does not affect the slide-in panel of small screens. */
  open: boolean;
  toggle: () => void;
};

const SidebarContext = createContext<Sidebar | null>(null);

/** Returns the sidebar's state. Throws outside its provider (product specification, section 8). */
export function useSidebar(): Sidebar {
  const sidebar = use(SidebarContext);
  if (!sidebar) throw new Error("useSidebar must be used within a SidebarProvider.");
  return sidebar;
}

/** Keeps whether the sidebar is expanded, also in its cookie. Ctrl or Cmd and b toggle it. */
export function SidebarProvider({ initiallyOpen, children }: { initiallyOpen: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(initiallyOpen);

  const toggle = useCallback(() => {
    if (matchMedia(NARROW).matches) {
      document.getElementById(SIDEBAR_ID)?.togglePopover();
    } else {
      storeCookie(sidebarCookie(!open));
      setOpen(!open);
    }
  }, [open]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event, "b")) return;
      event.preventDefault();
      toggle();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [toggle]);
  useEffect(closeWhenWide, []);

  return <SidebarContext value={useMemo(() => ({ open, toggle }), [open, toggle])}>{children}</SidebarContext>;
}

/** Closes an open panel when the window grows past 768 px. It would stay in the top layer. */
function closeWhenWide() {
  const narrow = matchMedia(NARROW);
  const close = () => {
    if (!narrow.matches) closePopover();
  };
  narrow.addEventListener("change", close);
  return () => narrow.removeEventListener("change", close);
}
