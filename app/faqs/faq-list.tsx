import { Card } from "../ui/card.tsx";
import { Icon } from "../ui/icon.tsx";
import { QUESTIONS } from "./questions.ts";

/** Questions that open in place, without a script. */
export function FaqList() {
  return (
    <Card title="Questions people ask" className="max-w-190">
      <div className="-mb-3 grid">
        {QUESTIONS.map(({ question, answer }) => (
          <details key={question} className="group border-b border-line py-3 last:border-b-0">
            <summary className="flex list-none items-center gap-3 rounded-small font-strong [&::-webkit-details-marker]:hidden">
              {question}
              <Icon
                name="down"
                className="ms-auto size-4 shrink-0 text-ink-3 transition-transform duration-150 group-open:rotate-180"
              />
            </summary>
            <p className="pt-2 text-ink-2">{answer}</p>
          </details>
        ))}
      </div>
    </Card>
  );
}
