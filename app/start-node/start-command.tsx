import type { ReactNode } from "react";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { About } from "../ui/about.tsx";
import { buttonClass } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { inputClass } from "../ui/controls/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { useLostFocus } from "../ui/lost-focus.ts";
import { Time } from "../ui/time.tsx";
import type { CreatedKey } from "./created-key.ts";
import { packageOf, unixCommand, windowsCommand } from "./node-command.ts";
import { NodeNeeds } from "./node-needs.tsx";
import { devicesQuery } from "./reads.ts";

/** Shows the command that starts a node with a new key, and whether we have heard that node. */
export function StartCommand(made: CreatedKey) {
  return (
    <section aria-labelledby="start-command" className="grid gap-3.5">
      <h3 ref={useLostFocus(made.deviceKey)} id="start-command" className="font-bold wrap-anywhere">
        Your command for {made.name}
      </h3>
      <Command system="macOS and Linux" text={unixCommand(made)} />
      <details className="text-small">
        <summary className={SUMMARY}>Windows</summary>
        <Command system="Windows PowerShell" text={windowsCommand(made)} />
      </details>
      <Hearing deviceId={made.deviceId} />
      <p className="text-hint text-ink-3">
        Copy the command now: the key in it is not shown again. The command passes the key in the environment, because
        the option <code className="num">--key</code> shows it to every user of the machine.
      </p>
      <NodeNeeds address={made.address} />
      <ServiceHint {...made} />
    </section>
  );
}

const SUMMARY = "mb-2 w-fit rounded-tag py-0.5 text-ink-3 hover:text-ink";

function Command({ system, text }: { system: string; text: string }) {
  return (
    <figure className="grid justify-items-start gap-2">
      <figcaption className="label">{system}</figcaption>
      <code translate="no" className="num note w-full wrap-anywhere text-ink select-all">
        {text}
      </code>
      <CopyButton text={text} className={buttonClass({ size: "sm", variant: "ink" })}>
        {(copied) => (
          <>
            <span>{copied ? "Copied!" : "Copy command"}</span>
            <About>{`for ${system}`}</About>
          </>
        )}
      </CopyButton>
    </figure>
  );
}

function ServiceHint({ address, deviceKey }: CreatedKey) {
  return (
    <details className="text-small">
      <summary className={SUMMARY}>Run it as a service</summary>
      <div className="grid gap-2 text-ink-2">
        <p>
          The command runs until you close its terminal. To start the node with the machine, install it with{" "}
          <code className="num wrap-anywhere">npm install --global {packageOf(address)}</code> and give your service the
          key. The README in the package has a systemd unit and a container command.
        </p>
        <input
          readOnly
          value={deviceKey}
          aria-label="New key"
          onFocus={(event) => event.currentTarget.select()}
          className={inputClass("num text-hint")}
        />
      </div>
    </details>
  );
}

/** How often to ask, in milliseconds, if the server does not announce news. */
const EVERY_MS = 5000;

/** Shows that the machine has sent a heartbeat as soon as it has. */
function Hearing({ deviceId }: { deviceId: string }) {
  const { data } = useQuery({
    ...devicesQuery(useRead()),
    refetchInterval: ({ state }) => (findBeat(state.data, deviceId) ? false : EVERY_MS),
  });
  const beat = findBeat(data, deviceId);
  return (
    <output className="flex items-center gap-2">
      {beat ? (
        <State key="heard" icon="done" className="text-good">
          <strong className="font-strong">We hear your node.</strong> Last heartbeat <Time dateTime={beat} />.
        </State>
      ) : (
        <State key="waiting" icon="pulse" className="text-ink-3">
          Waiting for the first heartbeat. <span className="noscript:hidden">This page shows it within seconds.</span>
          {/* With a query: on the profile, only the fragment would differ, and the browser would load nothing. */}
          <a href="/profile?heard#devices" className="hidden underline noscript:inline">
            Check whether it has arrived
          </a>
        </State>
      )}
    </output>
  );
}

function State({ icon, className, children }: { icon: "done" | "pulse"; className: string; children: ReactNode }) {
  return (
    <>
      <Icon name={icon} className={`size-5 shrink-0 ${className}`} />
      <span>{children}</span>
    </>
  );
}

type DeviceList = { devices?: { id: string; lastBeatAt: string | null }[] } | null | undefined;

/** A backend may respond with something else. */
const findBeat = (devices: DeviceList, deviceId: string) =>
  Array.isArray(devices?.devices) ? devices.devices.find(({ id }) => id === deviceId)?.lastBeatAt : undefined;
