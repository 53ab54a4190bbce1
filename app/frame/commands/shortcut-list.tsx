import { storeCookie } from "../../cookies/plain-cookie.ts";
import { plainKeysCookie, readPlainKeys } from "../../page/preferences.ts";
import { Dialog } from "../../ui/dialog.tsx";
import type { MenuProps } from "./command-menu.tsx";

/** Every shortcut of the product. */
export function ShortcutList({ onClose }: Pick<MenuProps, "onClose">) {
  // Only rendered in a browser, so the keyboard is known.
  const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
  return (
    <Dialog shown cross title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-3">
        <Shortcut keys={[command, "K"]}>Open the command menu</Shortcut>
        <Shortcut keys={[command, "B"]}>Collapse or expand the sidebar</Shortcut>
        <Shortcut keys={["?"]}>Show this list</Shortcut>
        <Shortcut keys={["Esc"]}>Close what is open</Shortcut>
      </dl>
      <PlainKeysChoice />
    </Dialog>
  );
}

/** Takes effect at once, for as long as the browser keeps the cookie. */
function PlainKeysChoice() {
  return (
    <div className="border-t border-line pt-4">
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          aria-describedby="plain-keys-hint"
          defaultChecked={readPlainKeys(document.cookie)}
          onChange={({ currentTarget }) => storeCookie(plainKeysCookie(currentTarget.checked))}
          className="mt-0.5"
        />
        Open this list with the ? key
      </label>
      <p id="plain-keys-hint" className="mt-1 text-hint text-ink-2">
        Turn this off if you use speech input or press keys by accident. The command menu opens the list, too.
      </p>
    </div>
  );
}

function Shortcut({ keys, children }: { keys: string[]; children: string }) {
  return (
    <>
      <dt className="text-ink-2">{children}</dt>
      <dd className="flex justify-end gap-1">
        {keys.map((key) => (
          <kbd
            key={key}
            className="min-w-6 rounded-tag border border-line-strong bg-sunken px-1.5 py-0.5 text-center font-mono text-note"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </>
  );
}
