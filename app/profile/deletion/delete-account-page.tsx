import { Card } from "../../ui/card.tsx";
import { ButtonLink } from "../../ui/controls/button.tsx";
import { Time } from "../../ui/time.tsx";
import { DeleteAccountForm } from "./delete-account-form.tsx";
import { GRACE_DAYS, PROFILE } from "../profile-view.ts";

type DeleteAccountPageProps = {
  email: string;
  /** When the account will be deleted, as ISO 8601, if the member asked for that. */
  dueAt?: string | null;
};

/** Explains what happens to a deleted account, and has the form that requests it. */
export function DeleteAccountPage({ email, dueAt }: DeleteAccountPageProps) {
  return (
    <div className="grid max-w-180 gap-4.5">
      {dueAt && (
        <Card id="requested" title="Your account will be deleted">
          <Waiting dueAt={dueAt} />
        </Card>
      )}
      <Card title="What happens to your account">
        <div className="grid gap-4">
          <Consequences title={`For the first ${GRACE_DAYS} days`} points={GRACE} />
          <Consequences title="After that, we delete" points={GONE} />
          <Consequences title="What stays, without your name" points={KEPT} />
        </div>
      </Card>
      {!dueAt && (
        <Card title="Delete my account">
          <DeleteAccountForm email={email} />
        </Card>
      )}
    </div>
  );
}

const GRACE = [
  "You can sign in and keep your account. Your machines continue to send heartbeats and earn points.",
  "We sign you out on all other devices now, and email you the date.",
];
const GONE = [
  "Your email address, password, name, handles, website, picture and the link to your wallet.",
  "Your machines and their keys, your sessions, known browsers and security activity.",
  "What your machines gathered, the campaigns you took part in, what you accepted, and emails not yet sent.",
  "Your personal code. Your referral link stops working.",
];
const KEPT = [
  "The amounts in the points log, because totals depend on them. We remove any words that could identify you.",
  "The times of your heartbeats, because points depend on them. We remove which machine sent them.",
  "What administrators changed in your account, and why. This record is never rewritten, and knows you only by a number.",
  "The points of the member who invited you. They see “Anonymous” instead of your email.",
  "A code made from your email address, which cannot be read back, so that nobody earns points twice for the same friend. You can sign up again.",
  "Anything on a public network, such as a Machine ID. Nobody can delete it there.",
];

function Consequences({ title, points }: { title: string; points: string[] }) {
  return (
    <section className="grid gap-1.5">
      <h3 className="font-strong">{title}</h3>
      <ul className="grid list-disc gap-1 ps-5 text-ink-2 marker:text-ink-3">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </section>
  );
}

/** Shown after the request. The banner above has the button to keep the account. */
function Waiting({ dueAt }: { dueAt: string }) {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-ink-2">
        You asked us to delete your account. We will do this on{" "}
        <Time dateTime={dueAt} className="font-strong whitespace-nowrap text-ink" />. To keep it, select{" "}
        <strong className="font-strong text-ink">Keep my account</strong> at the top of any page.
      </p>
      <ButtonLink to={PROFILE}>Back to your profile</ButtonLink>
    </div>
  );
}
