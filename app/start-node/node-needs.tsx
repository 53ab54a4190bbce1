import { packageOf } from "./node-command.ts";

/** Says what a machine needs for the node, and where the program comes from. */
export function NodeNeeds({ address }: { address: string }) {
  return (
    <ul className="grid list-disc gap-1 ps-5 text-small text-ink-2">
      <li>
        The machine needs{" "}
        <a href="https://nodejs.org/en/download" target="_blank" rel="noreferrer" className="underline">
          Node.js 20.3 or newer<span className="sr-only"> (opens in a new tab)</span>
        </a>
        , which includes <code className="num">npx</code>.
      </li>
      <li>
        It connects to <span className="num wrap-anywhere">{address}</span>. You don’t need to open a port.
      </li>
      <li>
        The program comes from{" "}
        <a href={packageOf(address)} download className="num underline wrap-anywhere">
          {packageOf(address)}
        </a>
        . It is one file of JavaScript that you can read, and it installs nothing else.
      </li>
    </ul>
  );
}
