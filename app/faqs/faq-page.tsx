import { useState } from "react";
import { useSearchParams } from "react-router";
import { ConsentCard } from "../analytics/consent-card.tsx";
import { LegalLinks } from "../page/legal-links.tsx";
import { PlainPage } from "../page/plain-page.tsx";
import { ButtonLink } from "../ui/controls/button.tsx";
import { FaqSearch } from "./faq-search.tsx";
import { FaqTopic } from "./faq-topic.tsx";
import { searchTopics, toMarks } from "./search.ts";
import type { Topic } from "./topics.ts";
import { useOpenAnswer } from "./use-open-answer.ts";

type FaqPageProps = {
  topics: Topic[];
  /** The product's public address, for links that people can share. */
  origin: string;
};

/** Shows questions and answers by topic, and a search that also works as a form. */
export function FaqPage({ topics, origin }: FaqPageProps) {
  const [query, type, forget] = useQuery();
  useOpenAnswer();
  const marks = toMarks(query);
  const found = searchTopics(topics, query);

  return (
    <div className="grid max-w-190 gap-4.5">
      <FaqSearch
        query={query}
        onType={(text) => {
          type(text);
          if (!text) forget();
        }}
        count={countQuestions(found)}
        total={countQuestions(topics)}
      />
      {found.map((topic) => (
        <FaqTopic key={topic.title} {...topic} marks={marks} origin={origin} />
      ))}
      <ConsentCard />
      {found.length === 0 && (
        <PlainPage title="No answer matches" text="Try fewer words, or one that means the same.">
          {/* Clears both a typed search and one that was sent. */}
          <ButtonLink to="/faqs" variant="ink" onClick={() => type("")}>
            Show all questions
          </ButtonLink>
        </PlainPage>
      )}
      <LegalLinks />
    </div>
  );
}

const countQuestions = (topics: Topic[]) => topics.reduce((sum, { questions }) => sum + questions.length, 0);

/**
 * Returns the search text: the one in the address, until somebody types another. `forget` removes it from the address.
 */
function useQuery(): [query: string, type: (text: string) => void, forget: () => void] {
  const [params, setParams] = useSearchParams();
  const asked = params.get("q") ?? "";
  const [typed, setTyped] = useState({ after: asked, text: asked });
  function forget() {
    if (!asked) return;
    setParams(
      (rest) => {
        rest.delete("q");
        return rest;
      },
      { replace: true, preventScrollReset: true },
    );
  }
  return [typed.after === asked ? typed.text : asked, (text) => setTyped({ after: asked, text }), forget];
}
