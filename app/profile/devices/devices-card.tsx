import type { Devices } from "../../../server/heartbeats/contract.ts";
import type { SilenceMail } from "../../../server/silence-mail/contract.ts";
import { About } from "../../ui/about.tsx";
import { Button, buttonClass } from "../../ui/controls/button.tsx";
import { MissingPart } from "../../ui/data-card.tsx";
import { Guard } from "../../ui/guard.tsx";
import { Time } from "../../ui/time.tsx";
import { KEY_INTENT, KeyForm } from "../../start-node/key-form.tsx";
import type { CreatedKey } from "../../start-node/created-key.ts";
import { StartCommand } from "../../start-node/start-command.tsx";
import { PROFILE } from "../profile-view.ts";
import { ProfileForm, Section, useRefusal } from "../section.tsx";
import { SilenceForm } from "../mail/silence-form.tsx";

type DevicesCardProps = Devices & {
  /** The key that was just created. It is shown only once. */
  made: CreatedKey | null;
  /** When to email that the node is silent, if that is known. */
  silence: SilenceMail | null | undefined;
  /** The address that the member signs in with. */
  email: string;
  /** The server's clock, in milliseconds. */
  now: number;
};

/** Lists the machines that send heartbeats for the member. Each has its own key. */
export function DevicesCard({ devices, made, silence, email, now }: DevicesCardProps) {
  return (
    <Section id="devices" title="Your machines">
      <div className="grid gap-5">
        {made && (
          <div className="rounded-control border border-line-strong p-4">
            <StartCommand {...made} />
          </div>
        )}
        {devices.length > 0 && (
          <ul className="grid">
            {devices.map((device, index) => (
              <DeviceRow key={device.id ?? index} device={device} now={now} />
            ))}
          </ul>
        )}
        <KeyForm key={made?.deviceKey} action={PROFILE} refusal={useRefusal(KEY_INTENT)} />
        <Guard data={silence} fallback={<MissingPart />}>
          {(choice) => <SilenceForm choice={choice} email={email} />}
        </Guard>
      </div>
    </Section>
  );
}

type DeviceRowProps = Pick<DevicesCardProps, "now"> & { device: Devices["devices"][number] };

/** How far back the API looks for a machine's last heartbeat, in milliseconds. */
const LOOKS_BACK_MS = 7 * 86_400_000;

function DeviceRow({ device: { createdAt, id, lastBeatAt, name }, now }: DeviceRowProps) {
  const isNew = now - Date.parse(createdAt) < LOOKS_BACK_MS;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3 first:pt-0">
      <span className="grid min-w-0 grow basis-48 gap-0.5">
        <span className="font-strong wrap-anywhere">{name}</span>
        <span className="text-hint text-ink-3">
          {lastBeatAt ? (
            <>
              last heartbeat <Time dateTime={lastBeatAt} />
            </>
          ) : (
            <span key={Number(isNew)}>{isNew ? "no heartbeat yet" : "no heartbeat in the last 7 days"}</span>
          )}
        </span>
        <span className="text-hint text-ink-3">
          key created <Time dateTime={createdAt} />
        </span>
      </span>
      <details name="revoke" className="ml-auto max-w-64">
        <summary className={buttonClass({ size: "sm" }, "ml-auto flex w-fit [&::-webkit-details-marker]:hidden")}>
          Revoke
          <About>{`the key of ${name}`}</About>
        </summary>
        <ProfileForm intent="device-revoke" quiet className="mt-2.5 grid justify-items-end gap-2.5">
          <p className="text-right text-hint text-ink-2">
            The node on this machine stops earning until you give it a new key.
          </p>
          <input type="hidden" name="id" value={id} />
          <Button type="submit" variant="ink" size="sm">
            Revoke key
            <About>{`of ${name}`}</About>
          </Button>
        </ProfileForm>
      </details>
    </li>
  );
}
