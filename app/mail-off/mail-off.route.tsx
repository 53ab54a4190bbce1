import { data, Form, useLocation } from "react-router";
import { toApiError, type ApiError } from "../api/api-error.ts";
import type { ApiClient } from "../client/client.ts";
import { apiContext } from "../page/context.ts";
import { logFailure } from "../page/log-failure.ts";
import { Button, ButtonLink } from "../ui/controls/button.tsx";
import { PlainPage } from "../page/plain-page.tsx";
import { pageMeta } from "../page/page-meta.ts";
import type { Route } from "./+types/mail-off.route";
import { campaignMailPage, nodeMailPage } from "./page.ts";

type Mails = {
  page: { path: string; title: string };
  /** Describes the emails in a sentence. */
  about: string;
  /** The text once they are off. */
  off: string;
  turnOff: (api: ApiClient, code: string) => Promise<unknown>;
  /** Where to turn them on again. */
  profile: string;
};

/** Emails that a link in each of them turns off. */
const NODE_MAIL: Mails = {
  page: nodeMailPage,
  about: "We email you when your node has been silent for the time you chose. You can turn these emails off here.",
  off: "We no longer email you when your node is silent. You can turn these emails on again on your profile.",
  turnOff: (api, code) => api.node.unsubscribe(code),
  profile: "/profile#devices",
};
const CAMPAIGN_MAIL: Mails = {
  page: campaignMailPage,
  about: "We email you about new campaigns and what they are worth. You can turn these emails off here.",
  off: "We no longer email you about campaigns. You can turn these emails on again on your profile.",
  turnOff: (api, code) => api.campaignMail.unsubscribe(code),
  profile: "/profile#campaign-mail",
};
/** Ignores letter case, as routes do. */
const mailsOf = (pathname: string) =>
  pathname.toLowerCase().startsWith(campaignMailPage.path) ? CAMPAIGN_MAIL : NODE_MAIL;

export const meta = ({ location, error }: Route.MetaArgs) => pageMeta(mailsOf(location.pathname).page)({ error });

/**
 * Loads the page that turns emails off, for anybody who has such a link, signed in or not. Opening the page changes
 * nothing, because mail scanners open links. A POST to it does, including one of an email program (RFC 8058).
 */
export function loader({ url }: Route.LoaderArgs) {
  return { code: url.searchParams.get("code") ?? "" };
}

export async function action({ context, url }: Route.ActionArgs) {
  try {
    await mailsOf(url.pathname).turnOff(context.get(apiContext), url.searchParams.get("code") ?? "");
    return { outcome: "off" as const };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (isUnknown(error)) return data({ outcome: "unknown" as const }, { status: 404 });
    logFailure(context, thrown, "Mails could not be turned off");
    return data({ outcome: "failed" as const }, { status: 503 });
  }
}

/** Returns whether the link is invalid. The response of a gateway in between says nothing about the link. */
const isUnknown = ({ code, fromServer }: ApiError) =>
  fromServer && (code === "NOT_FOUND" || code === "VALIDATION_ERROR");

export default function MailOffRoute({ loaderData: { code }, actionData }: Route.ComponentProps) {
  const { about, off, page, profile } = mailsOf(useLocation().pathname);
  const outcome = code ? (actionData?.outcome ?? "asked") : "unknown";
  const { title, text } = {
    asked: { title: "Turn these emails off?", text: about },
    off: { title: OFF, text: off },
    ...WORDS,
  }[outcome];
  return (
    <PlainPage title={title} text={text}>
      {outcome === "asked" || outcome === "failed" ? (
        // A new document knows nothing about an earlier choice.
        <Form method="post" action={`${page.path}?code=${encodeURIComponent(code)}`} reloadDocument>
          <Button type="submit" variant="ink">
            Turn these emails off
          </Button>
        </Form>
      ) : (
        <ButtonLink to={profile}>Go to your profile</ButtonLink>
      )}
    </PlainPage>
  );
}

const OFF = "These emails are off";
const WORDS = {
  unknown: {
    title: "This link is incomplete",
    text: "Copy the whole link from the email, or turn these emails off on your profile.",
  },
  failed: {
    title: "This does not work right now",
    text: "We could not turn these emails off. Please try again in a moment.",
  },
};
