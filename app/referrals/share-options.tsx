import { brand } from "../../brand.ts";
import { Button, buttonClass } from "../ui/controls/button.tsx";
import { useHydrated } from "remix-utils/use-hydrated";
import { qrCodePath } from "../page/drawn-code.ts";

type ShareOptionsProps = {
  code: string;
  link: string;
  /** The text that goes with the link. */
  message: string;
};

/** Shows the link as a QR code, and shares it by email and chat. All of this works without a script. */
export function ShareOptions({ code, link, message }: ShareOptionsProps) {
  const qrCode = qrCodePath(code);
  return (
    <div className="mt-4.5 flex flex-wrap items-center gap-x-6 gap-y-4 border-t border-line pt-4.5">
      {qrCode && (
        <img
          src={`${qrCode}.svg`}
          width={132}
          height={132}
          alt={`QR code of your referral link, with the code ${code}`}
          className="rounded-control border border-line"
        />
      )}
      <div className="grid min-w-0 grow basis-72 gap-3.5">
        <ul aria-label="Share your link by" className="flex flex-wrap gap-2.5">
          <li>
            <a href={emailHref(link, message)} className={buttonClass()}>
              Email
            </a>
          </li>
          {listChats(link, message).map(({ name, href }) => (
            <li key={name}>
              <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
                {name}
                <span className="sr-only"> (opens in a new tab)</span>
              </a>
            </li>
          ))}
          <DeviceShare link={link} message={message} />
        </ul>
        {qrCode && (
          <p className="text-small text-ink-3">
            Friends can scan this code. To print it, download it{" "}
            <a href={`${qrCode}.svg`} download={`${brand.name.toLowerCase()}-${code}.svg`} className="underline">
              as SVG
            </a>{" "}
            or{" "}
            <a href={`${qrCode}.png`} download={`${brand.name.toLowerCase()}-${code}.png`} className="underline">
              as PNG
            </a>
            .
          </p>
        )}
      </div>
    </div>
  );
}

const emailHref = (link: string, message: string) =>
  `mailto:?subject=${encodeURIComponent(message)}&body=${encodeURIComponent(`${message} ${link}`)}`;

/** Lists links that start a chat with the message and the link. */
function listChats(link: string, message: string) {
  const [text, url, both] = [message, link, `${message} ${link}`].map(encodeURIComponent);
  return [
    { name: "WhatsApp", href: `https://wa.me/?text=${both}` },
    { name: "Telegram", href: `https://t.me/share/url?url=${url}&text=${text}` },
    { name: "X", href: `https://x.com/intent/post?text=${text}&url=${url}` },
  ];
}

/** Offers the device's other ways of sharing, if the browser supports that. */
function DeviceShare({ link, message }: Pick<ShareOptionsProps, "link" | "message">) {
  const canShare = useHydrated() && "share" in navigator;
  if (!canShare) return null;
  return (
    <li>
      <Button
        // Rejects if the member cancels. Then nothing is shared, and there is nothing to say.
        onClick={() => void navigator.share({ title: brand.name, text: message, url: link }).catch(() => {})}
      >
        More…
      </Button>
    </li>
  );
}
