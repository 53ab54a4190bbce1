import type { NodePassToken } from "../../server/node-pass/contract.ts";
import { ContentImage } from "../content/content-image.tsx";
import { Icon } from "../ui/icon.tsx";
import { Pill } from "../ui/pill.tsx";
import { formatDay } from "../ui/time.tsx";
import { MovingWarning } from "./moving-note.tsx";
import { formatTokenId } from "./quantity.ts";

/** One pass: what it looks like, whether it is active, and who else may move it. */
export function TokenRow({ activated, approved, details, id, metadata }: NodePassToken) {
  return (
    <li className="flex gap-3.5 border-b border-line py-3.5">
      <ContentImage
        link={metadata?.image ?? null}
        className="size-14 rounded-control border border-line bg-sunken text-ink-3"
      >
        <Icon name="gift" className="size-5.5" />
      </ContentImage>
      <div className="grid min-w-0 grow content-start gap-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-strong wrap-anywhere">{metadata?.name ?? `Pass ${formatTokenId(id)}`}</span>
          {metadata?.name && (
            <span className="num text-hint text-ink-3" title={id}>
              {formatTokenId(id)}
            </span>
          )}
          {activated !== null && (
            <Pill tone={activated ? "good" : "mute"}>{activated ? "Activated" : "Not activated"}</Pill>
          )}
        </p>
        {details && <Details {...details} />}
        {metadata?.description && <p className="text-small wrap-anywhere text-ink-2">{metadata.description}</p>}
        {approved && (
          <div className="mt-1.5">
            <MovingWarning title="Somebody else may move this pass" movers={[approved]}>
              If you have not allowed that, revoke it in your wallet.
            </MovingWarning>
          </div>
        )}
      </div>
    </li>
  );
}

function Details({ activatedAt, mintedAt, tier }: NonNullable<NodePassToken["details"]>) {
  const facts = [
    tier,
    mintedAt && inOneLine(`minted ${formatDay(mintedAt)}`),
    activatedAt && inOneLine(`activated ${formatDay(activatedAt)}`),
  ].filter(Boolean);
  return facts.length > 0 && <p className="text-small wrap-anywhere text-ink-2">{facts.join(" · ")}</p>;
}

const inOneLine = (words: string) => words.replaceAll(" ", "\u00A0");
