import { useCallback, useEffect, useState } from "react";
import { LOG_OUT_DIALOG } from "../../session/log-out-dialog.tsx";
import { useSidebar } from "../sidebar/sidebar-context.tsx";
import { NAVIGATION } from "../navigation.ts";
import { Icon } from "../../ui/icon.tsx";
import { showToast } from "../../ui/toast/toast.ts";
import { Tooltip } from "../../ui/tooltip.tsx";
import type { CommandDialogs } from "./command-dialogs.tsx";
import type { ShellMember } from "../shell-member.ts";
import { findOpening, type Opening } from "./shortcut-keys.ts";

/**
 * The button that opens the command menu, and the keys that open it and the list of shortcuts. Both load with their
 * first use.
 */
export function Commands({ member }: { member: ShellMember | null }) {
  const sidebar = useSidebar();
  const [shown, setShown] = useState<{ opening: Opening; Dialogs: typeof CommandDialogs }>();

  const open = useCallback((opening: Opening) => {
    import("./command-dialogs.tsx").then(
      ({ CommandDialogs: Dialogs }) => setShown({ opening, Dialogs }),
      () => showToast("The command menu could not be loaded.", { tone: "error" }),
    );
  }, []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const opening = findOpening(event);
      if (!opening) return;
      event.preventDefault();
      open(opening);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [open]);

  return (
    <>
      <Tooltip text="Commands (Ctrl or Cmd + K)" className="noscript:hidden">
        <button
          type="button"
          aria-label="Commands"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => open("menu")}
          className="icon-button"
        >
          <Icon name="search" className="size-3.5" />
        </button>
      </Tooltip>
      {shown && (
        <shown.Dialogs
          opening={shown.opening}
          signedIn={member !== null}
          personalCode={member?.personalCode ?? null}
          pages={NAVIGATION.filter(({ audience }) => member?.onboarded || audience === "anyone")}
          sidebar={sidebar}
          logOutDialog={LOG_OUT_DIALOG}
          onOpen={open}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}
