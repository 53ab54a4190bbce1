import { measuringContext } from "../analytics/measuring.ts";
import type { Route } from "./+types/questions.route";
import { answerQuestions } from "./topics.ts";

/** A question as other pages search for it. */
export type QuestionEntry = { slug: string; question: string; topic: string };

/** Returns every question without its answer, which is on its page. */
export function loader({ context }: Route.LoaderArgs): Response {
  const isMeasured = context.get(measuringContext).gtmId !== undefined;
  const all = answerQuestions(null, { isMeasured }).flatMap(({ title, questions }): QuestionEntry[] =>
    questions.map(({ slug, question }) => ({ slug, question, topic: title })),
  );
  return Response.json(all);
}
