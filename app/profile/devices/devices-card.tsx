import type { Devices } from "../../../server/heartbeats/contract.ts";
import type { SilenceMail } from "../../../server/silence-mail/contract.ts";
import { Button, buttonClass } from "../../ui/controls/button.tsx";
import type { ConstraintMessages } from "../../ui/controls/constraint-errors.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Field, inputClass } from "../../ui/controls/field.tsx";
import { MissingPart } from "../../ui/data-card.tsx";
import { Guard } from "../../ui/guard.tsx";
import { Time } from "../../ui/time.tsx";
import type { MadeKey } from "../profile-form.ts";
import { ProfileForm, Section, SubmitButton, useProfileForm } from "../section.tsx";
import { SilenceForm } from "../mail/silence-form.tsx";

type DevicesCardProps = Devices & {
  /** The key that has just been made: shown this once. */
  made: MadeKey | null;
  /** When to mail that the node is silent, where that is known. */
  silence: SilenceMail | null | undefined;
  /** The address that the member signs in with. */
  email: string;
};

/** The machines that beat for the member, each with a key of its own. */
export function DevicesCard({ devices, made, silence, email }: DevicesCardProps) {
  return (
    <Section id="devices" title="Your machines">
      <div className="grid gap-4">
        {made && <NewKey {...made} />}
        {devices.length > 0 && (
          <ul className="grid">
            {devices.map((device, index) => (
              <DeviceRow key={device.id ?? index} device={device} />
            ))}
          </ul>
        )}
        <DeviceForm key={made?.deviceKey} />
        <Guard data={silence} fallback={<MissingPart />}>
          {(choice) => <SilenceForm choice={choice} email={email} />}
        </Guard>
      </div>
    </Section>
  );
}

function NewKey({ name, deviceKey }: MadeKey) {
  return (
    <div className="grid gap-2.5 rounded-control bg-good-soft px-3 py-2.5 forced-colors:border">
      <output className="text-small">
        The key of <strong className="font-strong wrap-anywhere">{name}</strong>. Copy it now: it is not shown again.
      </output>
      <input
        readOnly
        value={deviceKey}
        aria-label="New key"
        onFocus={(event) => event.currentTarget.select()}
        className={inputClass("num text-hint")}
      />
      <CopyButton text={deviceKey} className={buttonClass({ size: "sm" }, "justify-self-start")}>
        {(copied) => (copied ? "Copied!" : "Copy key")}
      </CopyButton>
    </div>
  );
}

function DeviceRow({ device: { createdAt, id, lastBeatAt, name } }: { device: Devices["devices"][number] }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3 first:pt-0">
      <span className="grid min-w-0 grow gap-0.5">
        <span id={`machine-${id}`} className="font-strong wrap-anywhere">
          {name}
        </span>
        <span className="text-hint text-ink-3">
          {lastBeatAt ? (
            <>
              last heartbeat <Time dateTime={lastBeatAt} />
            </>
          ) : (
            "no heartbeat in the last 7 days"
          )}
        </span>
        <span className="text-hint text-ink-3">
          key made <Time dateTime={createdAt} />
        </span>
      </span>
      <ProfileForm intent="device-revoke" quiet>
        <input type="hidden" name="id" value={id} />
        <Button type="submit" size="sm" aria-describedby={`machine-${id}`}>
          Revoke
        </Button>
      </ProfileForm>
    </li>
  );
}

/** Makes a key for one more machine. */
function DeviceForm() {
  const messages: ConstraintMessages = { name: [["valueMissing", "Name the device."]] };
  const { field, props } = useProfileForm<{ name: string }>("device", { messages });
  return (
    <ProfileForm {...props} replace={false} className="grid gap-3">
      <Field
        {...field("name")}
        label="Name of the machine"
        hint="Its node sends heartbeats with the key, and can do nothing else with it."
        autoComplete="off"
        required
        maxLength={80}
      />
      <div>
        <SubmitButton intent="device" busy="Making…">
          Make a key
        </SubmitButton>
      </div>
    </ProfileForm>
  );
}
