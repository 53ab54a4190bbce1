import { CommandMenu, type MenuProps } from "./command-menu.tsx";
import type { Opening } from "./shortcut-keys.ts";
import { ShortcutList } from "./shortcut-list.tsx";

/** The menu or the list of shortcuts, loaded once someone opens one of them. */
export function CommandDialogs({ opening, ...menu }: MenuProps & { opening: Opening }) {
  return opening === "menu" ? <CommandMenu {...menu} /> : <ShortcutList onClose={menu.onClose} />;
}
