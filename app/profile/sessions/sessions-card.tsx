import type { Session } from "../../../server/sessions/contract.ts";
import { FormAlert } from "../../forms/form-notice.tsx";
import { About } from "../../ui/about.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pill } from "../../ui/pill.tsx";
import { Time, TimeAgo } from "../../ui/time.tsx";
import { ProfileForm, Section, useRefusal } from "../section.tsx";

type SessionsCardProps = {
  sessions: Session[];
  /** The server's clock, in milliseconds. */
  now: number;
};

/** The most sessions that the API lists. */
const MAX_SESSIONS = 100;

/** Lists where the member is signed in, this browser first. Signs out elsewhere. */
export function SessionsCard({ sessions, now }: SessionsCardProps) {
  const sorted = sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
  const hasOthers = sessions.some(({ current }) => !current);
  return (
    <Section id="sessions" title="Where you are signed in" padded={false} aside={hasOthers && <SignOutElsewhere />}>
      <FormAlert errors={useRefusal("sessions")?.result.error?.[""]} className="mx-4.5 mb-4" />
      <ul className="border-t border-line">
        {sorted.map((session, index) => (
          <SessionRow key={session.id ?? index} session={session} now={now} />
        ))}
      </ul>
      {sessions.length >= MAX_SESSIONS && (
        <p className="border-t border-line px-4.5 py-2.5 text-hint text-ink-3">
          These are the {MAX_SESSIONS} used last. “Sign out everywhere else” ends older ones too.
        </p>
      )}
    </Section>
  );
}

function SessionRow({ session, now }: { session: Session; now: number }) {
  const { id, device, network, createdAt, lastSeenAt, current } = session;
  return (
    <li className="flex gap-3.5 border-b border-line px-4.5 py-3.5 last:border-b-0">
      <span className="mt-0.5 grid size-9 shrink-0 place-items-center rounded-control bg-sunken text-ink-2">
        <Icon name="monitor" className="size-4.5" />
      </span>
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-3.5 gap-y-2.5">
        <div className="min-w-0 grow basis-48">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-strong">
            <span>{device}</span>
            {current && <Pill tone="good">This device</Pill>}
          </p>
          <p id={`device-${id}`} className="mt-0.5 text-small text-ink-2">
            {network ? <span className="num">{network}</span> : "Unknown network"} · last seen{" "}
            <span className="whitespace-nowrap">
              <TimeAgo dateTime={lastSeenAt} now={now} />
            </span>{" "}
            {/* Comes last, because it gets shorter once the time is in the reader's time zone. */}· signed in{" "}
            <Time dateTime={createdAt} className="whitespace-nowrap" />
          </p>
        </div>
        {!current && <SignOutThere id={id} device={device} />}
      </div>
    </li>
  );
}

/** Signs out a device. Two devices may look alike: when each was last seen tells them apart. */
function SignOutThere({ id, device }: Pick<Session, "id" | "device">) {
  return (
    <ProfileForm intent="session" quiet>
      <input type="hidden" name="id" value={id} />
      <Button type="submit" size="sm" aria-describedby={`device-${id}`}>
        Sign out
        <About>{device}</About>
      </Button>
    </ProfileForm>
  );
}

function SignOutElsewhere() {
  return (
    <ProfileForm intent="sessions" quiet>
      <Button type="submit" size="sm">
        Sign out everywhere else
      </Button>
    </ProfileForm>
  );
}
