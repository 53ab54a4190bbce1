import type { NodePassMinting as Minting, TicketState } from "../../server/node-pass/contract.ts";
import { buttonClass } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { inputClass } from "../ui/controls/field.tsx";

/** Says whether the wallet can mint a pass, and if not, why. Shows the golden ticket for it. */
export function NodePassMinting({ canMint, goldenTicket, ticketState, whitelisted }: Minting) {
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">
        {describeMinting(canMint, whitelisted)} {canMint && TICKETS[ticketState]}
      </p>
      {goldenTicket && <Ticket signature={goldenTicket.signature} />}
    </div>
  );
}

function describeMinting(canMint: boolean | null, whitelisted: boolean | null): string {
  if (canMint) return "Your wallet can mint a pass.";
  if (canMint === null) return "This contract does not say who can mint a pass.";
  if (whitelisted === false) return "Your wallet is not on the list for minting a pass.";
  return "Your wallet cannot mint a pass at the moment.";
}

const TICKETS: Record<TicketState, string> = {
  "not-needed": "You do not need a golden ticket.",
  "not-eligible": "",
  unavailable: "You need a golden ticket, and we have none for you at the moment.",
  ready: "You need your golden ticket to mint it.",
};

function Ticket({ signature }: { signature: string }) {
  return (
    <div className="grid gap-2.5 rounded-control bg-good-soft px-3 py-2.5 forced-colors:border">
      <p className="text-small">
        Enter your <strong className="font-strong">golden ticket</strong> where you mint. It is signed for your wallet
        and good for one pass. Nobody else can use it.
      </p>
      <input readOnly value={signature} aria-label="Golden ticket" className={inputClass("num text-hint")} />
      <CopyButton text={signature} className={buttonClass({ size: "sm" }, "justify-self-start")}>
        {(copied) => (copied ? "Copied!" : "Copy ticket")}
      </CopyButton>
    </div>
  );
}
