import type { ShouldRevalidateFunctionArgs } from "react-router";
import { measuringContext } from "../analytics/measuring.ts";
import { originContext } from "../api/context.ts";
import type { Route } from "./+types/faqs.route";
import { FaqPage } from "./faq-page.tsx";
import { readRules } from "./read-rules.ts";
import { answerQuestions } from "./topics.ts";

/** Public: members and visitors alike. Every figure comes from the rules themselves. */
export async function loader({ context }: Route.LoaderArgs) {
  const isMeasured = context.get(measuringContext).gtmId !== undefined;
  return { topics: answerQuestions(await readRules(context), { isMeasured }), origin: context.get(originContext) };
}

/** The page holds every answer: searching it asks for nothing. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname === nextUrl.pathname ? false : defaultShouldRevalidate;
}

export default function FaqsRoute({ loaderData }: Route.ComponentProps) {
  return <FaqPage {...loaderData} />;
}
