import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { Modal } from "../../ui/dialog.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { formatCount } from "../../ui/number/number.ts";
import { rankCommands } from "./rank-commands.ts";
import { isCommand, type Opening } from "./shortcut-keys.ts";
import { useCommands, type Command } from "./use-commands.ts";

/**
 * Props of the command menu. They pass in what the page has already loaded, so that the menu's code does not include
 * it.
 */
export type MenuProps = {
  signedIn: boolean;
  /** The pages that the reader may go to. */
  pages: { to: string; label: string; icon: IconName; words: string; audience: "anyone" | "member" }[];
  sidebar: { open: boolean; toggle: () => void };
  /** The id of the dialog that asks before logging out. */
  logOutDialog: string;
  /** For the referral link. Null if there is none. */
  personalCode: string | null;
  onOpen: (opening: Opening) => void;
  onClose: () => void;
};

/** A combobox of everything the reader can do (ARIA APG: editable combobox with list autocomplete), in a dialog. */
export function CommandMenu(props: MenuProps) {
  const [shown, setShown] = useState(true);
  const chosen = useRef<Command>(undefined);

  function choose(command: Command) {
    if (command.isAtOnce) command.run();
    else chosen.current = command;
    setShown(false);
  }
  // Runs the command only now: the focus is back where it was, and another dialog can open.
  function finish() {
    props.onClose();
    chosen.current?.run();
  }

  return (
    <Modal
      shown={shown}
      aria-label="Commands"
      onClose={finish}
      className="mx-auto mt-[12dvh] mb-auto w-[calc(100%-2rem)] max-w-120 overflow-hidden rounded-dialog bg-surface text-ink shadow-dialog forced-colors:border"
    >
      <Combobox commands={useCommands(props)} onChoose={choose} onLeave={() => setShown(false)} />
    </Modal>
  );
}

type ComboboxProps = { commands: Command[]; onChoose: (command: Command) => void; onLeave: () => void };

function Combobox({ commands, onChoose, onLeave }: ComboboxProps) {
  const id = useId();
  const [query, setQuery] = useState("");
  const [position, setPosition] = useState(0);
  const found = rankCommands(commands, query);
  const active = found[position];
  const optionId = (index: number) => `${id}-${index}`;

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length > 0) setPosition((position + step + found.length) % found.length);
    else if (event.key === "Enter" && active && !event.nativeEvent.isComposing) onChoose(active);
    else if (isCommand(event, "k")) onLeave();
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4.5 focus-within:border-ink">
        <Icon name="search" className="size-4 shrink-0 text-ink-3" />
        <input
          role="combobox"
          aria-label="Search commands"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={active && optionId(position)}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search pages, actions and questions"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setPosition(0);
          }}
          onKeyDown={onKeyDown}
          className="h-13 w-full bg-transparent text-heading text-ink outline-none"
        />
        <kbd className="rounded-tag border border-line px-1.5 py-0.5 font-mono text-note text-ink-3">Esc</kbd>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot be controlled from a field beside it */}
      <div id={`${id}-list`} role="listbox" aria-label="Commands" className="max-h-[60dvh] overflow-y-auto p-2">
        {found.map((command, index) => (
          <CommandOption
            key={command.label}
            id={optionId(index)}
            command={command}
            isActive={index === position}
            onPoint={() => setPosition(index)}
            onChoose={() => onChoose(command)}
          />
        ))}
      </div>
      <output className={found.length > 0 ? "sr-only" : "block px-4.5 pb-5 text-center text-ink-2"}>
        {found.length === 0 ? `Nothing matches “${query}”.` : formatCount(found.length, "result")}
      </output>
    </>
  );
}

type OptionProps = {
  id: string;
  command: Command;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
};

function CommandOption({ id, command, isActive, onPoint, onChoose }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field beside the list has the keyboard
    <div
      ref={option}
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element belongs in a select, which this is not
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onPointerMove={isActive ? undefined : onPoint}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className="flex min-h-9 cursor-pointer py-1.5 items-center gap-3 rounded-control px-2.5 text-ink-2 aria-selected:bg-sunken aria-selected:text-ink forced-colors:aria-selected:outline"
    >
      <Icon name={command.icon} className="size-4 shrink-0 stroke-[1.75]" />
      {command.label}
    </div>
  );
}
