import { Button } from "../../ui/controls/button.tsx";
import { SIGN_WORDS, type SignPurpose } from "./sign-words.ts";
import { useObstacle } from "../connect/use-obstacle.ts";
import { useSigning, type Problem, type SigningStep } from "./use-signing.ts";
import { Addresses, Step } from "../step.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useWallet } from "../wallet-state.ts";

type SignDialogProps = { purpose: SignPurpose; linked: string | null; onClose: () => void };

/** Links the connected wallet, or replaces the linked one with it. Says what that means before the wallet opens. */
export function SignDialog({ purpose, linked, onClose }: SignDialogProps) {
  const { title, warning, action } = SIGN_WORDS[purpose];
  const { address, status } = useWallet();
  const connected = status === "connected" ? address : null;
  const obstacle = useObstacle(purpose, { linked, connected });
  const { account, step, problem, sign, close } = useSigning(purpose, onClose);
  const isBusy = step !== "ready";

  return (
    <Dialog shown cross title={title} onClose={close}>
      <Addresses rows={rowsOf(purpose, linked, account ?? connected ?? "Not connected")} />
      <p className="text-ink-2">{warning}</p>
      <Progress step={step} problem={obstacle ?? problem} />
      <div className="flex justify-end gap-2.5">
        <Button onClick={close}>Not now</Button>
        <Button variant="ink" disabled={obstacle !== null} aria-disabled={isBusy} onClick={() => !isBusy && sign()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

function rowsOf(purpose: SignPurpose, linked: string | null, connected: string): [string, string][] {
  if (purpose === "link" || !linked) return [["Wallet", connected]];
  return [
    ["Linked now", linked],
    ["Connected", connected],
  ];
}

const STEPS: Record<Exclude<SigningStep, "ready">, Problem> = {
  preparing: { title: "One moment", text: "We are preparing the message to sign." },
  signing: {
    title: "Sign in your wallet",
    text: "It shows the message. Signing costs nothing. If it does not show, open it from the browser's toolbar.",
  },
  saving: { title: "Signed", text: "The signature is being checked." },
};

/** Rendered before it has any text, so that screen readers announce the text. */
function Progress({ step, problem }: { step: SigningStep; problem: Problem | null }) {
  return (
    <>
      <Step tone="busy" {...(step !== "ready" && STEPS[step])} />
      {step === "ready" && problem && <Step tone="bad" {...problem} />}
    </>
  );
}
