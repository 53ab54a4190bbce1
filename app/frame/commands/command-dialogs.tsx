import { CommandMenu, type MenuProps } from "./command-menu.tsx";
import type { Opening } from "./shortcut-keys.ts";
import { ShortcutList } from "./shortcut-list.tsx";

/** What is only loaded once somebody asks for it: the menu or the list of shortcuts. */
export function CommandDialogs({ opening, ...menu }: MenuProps & { opening: Opening }) {
  return opening === "menu" ? <CommandMenu {...menu} /> : <ShortcutList onClose={menu.onClose} />;
}
