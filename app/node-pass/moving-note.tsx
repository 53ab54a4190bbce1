import type { ReactNode } from "react";
import { Icon } from "../ui/icon.tsx";

/** Says who may move all passes of the wallet, with a warning if that is anyone else. */
export function MovingNote({ operators }: { operators: string[] | null }) {
  if (!operators) {
    return (
      <p className="text-hint text-ink-3">
        This contract cannot list who may move all of your passes. Your wallet shows what you have allowed.
      </p>
    );
  }
  if (operators.length === 0) return <p className="text-hint text-ink-3">Nobody else may move all of your passes.</p>;
  return (
    <MovingWarning title="Somebody else may move all of your passes" movers={operators}>
      Marketplaces ask for that to sell for you. If you have not allowed it, revoke it in your wallet.
    </MovingWarning>
  );
}

type MovingWarningProps = {
  title: string;
  /** In full, so that they can be compared. */
  movers: string[];
  children: ReactNode;
};

/** Says who else may move what belongs to the member, and what to do about it. */
export function MovingWarning({ title, movers, children }: MovingWarningProps) {
  return (
    <div className="flex gap-2.5 rounded-control bg-warn-soft px-3 py-2.5 text-small forced-colors:border">
      <Icon name="alert" className="mt-0.5 size-4.5 shrink-0 text-warn" />
      <div className="grid min-w-0 gap-1">
        <p className="font-strong">{title}</p>
        <ul className="grid gap-1">
          {movers.map((address) => (
            <li key={address} className="num text-hint wrap-anywhere">
              {address}
            </li>
          ))}
        </ul>
        <p className="text-ink-2">{children}</p>
      </div>
    </div>
  );
}
