import type { ShouldRevalidateFunctionArgs } from "react-router";
import { measuringContext } from "../analytics/measuring.ts";
import { originContext } from "../page/context.ts";
import { readRules } from "../points/read-rules.ts";
import { documentTitle, pageMeta } from "../page/page-meta.ts";
import { setSocialMeta } from "../page/social-meta.ts";
import type { Route } from "./+types/faqs.route";
import { faqsPage } from "./page.ts";
import { FaqPage } from "./faq-page.tsx";
import { answerQuestions } from "./topics.ts";

/** Loads the answers for members and visitors alike. Every number comes from the rules themselves. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const isMeasured = context.get(measuringContext).gtmId !== undefined;
  setSocialMeta(context, { path: url.pathname, title: documentTitle(faqsPage.title) });
  return {
    topics: answerQuestions(await readRules(context), { isMeasured }),
    origin: context.get(originContext),
  };
}

export const meta = pageMeta(faqsPage);

/** Loads nothing for a search, because the page has every answer. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname === nextUrl.pathname ? false : defaultShouldRevalidate;
}

export default function FaqsRoute({ loaderData }: Route.ComponentProps) {
  return <FaqPage {...loaderData} />;
}
