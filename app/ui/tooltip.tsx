import { useEffect, useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";

const DELAY = 700;
const SKIP_DELAY = 300;
const GAP = 8;

/** How long the pointer may take from the named element to the bubble, in milliseconds. */
const GRACE = 150;

/** The open bubble. There is only one. */
let open: HTMLElement | undefined;
/** When the last bubble closed, in milliseconds. Within the skip delay, the next one opens at once. */
let lastClosed = -Infinity;

type TooltipProps = {
  text: string;
  side?: "right" | "bottom";
  /** Set to false to show nothing, for example when the text is already beside the icon. */
  enabled?: boolean;
  className?: string;
  children: ReactNode;
};

/**
 * Names its content after 700 ms of hovering or keyboard focus (delays: product specification, section 9). The pointer
 * may move onto the bubble, and Escape closes it from anywhere (WCAG 1.4.13).
 */
export function Tooltip({ text, side = "bottom", enabled = true, className, children }: TooltipProps) {
  const trigger = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  function wait(then: () => void, delay: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(then, delay);
  }
  function show() {
    if (!trigger.current?.isConnected) return;
    close();
    flushSync(() => setNeeded(true));
    if (!bubble.current) return;
    open = bubble.current;
    open.showPopover();
    place(open, trigger.current.getBoundingClientRect(), side);
    addEventListener("keydown", closeOnEscape);
  }
  function schedule() {
    clearTimeout(timer.current);
    if (!enabled || (open && open === bubble.current)) return;
    wait(show, open?.isConnected || performance.now() - lastClosed < SKIP_DELAY ? 0 : DELAY);
  }
  function hide() {
    clearTimeout(timer.current);
    if (open && open === bubble.current) close();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only listens to events from its content
    <span
      ref={trigger}
      className={className}
      onPointerEnter={schedule}
      onPointerLeave={() => wait(hide, GRACE)}
      onPointerDown={hide}
      // Ignores focus by click: a reader who has clicked knows what it is.
      onFocus={({ target }) => target.matches(":focus-visible") && schedule()}
      onBlur={hide}
    >
      {children}
      {/* Hidden from assistive technology: the content already has this text as its name or description. */}
      {isNeeded && (
        <span ref={bubble} popover="manual" aria-hidden className="bubble">
          {text}
        </span>
      )}
    </span>
  );
}

function close() {
  if (!open) return;
  if (open.matches(":popover-open")) open.hidePopover();
  open = undefined;
  lastClosed = performance.now();
  removeEventListener("keydown", closeOnEscape);
}

function closeOnEscape({ key }: KeyboardEvent) {
  if (key === "Escape") close();
}

function place(bubble: HTMLElement, anchor: DOMRect, side: "right" | "bottom") {
  const { width, height } = bubble.getBoundingClientRect();
  const left = side === "right" ? anchor.right + GAP : anchor.left + (anchor.width - width) / 2;
  const top = side === "right" ? anchor.top + (anchor.height - height) / 2 : anchor.bottom + GAP;
  bubble.style.left = `${Math.max(GAP, Math.min(left, document.documentElement.clientWidth - width - GAP))}px`;
  bubble.style.top = `${Math.max(GAP, Math.min(top, document.documentElement.clientHeight - height - GAP))}px`;
}
