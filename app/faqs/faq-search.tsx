import { useEffect, useRef } from "react";
import { Form } from "react-router";
import { buttonClass } from "../ui/controls/button.tsx";
import { inputClass } from "../ui/controls/field.tsx";

type FaqSearchProps = {
  query: string;
  onType: (text: string) => void;
  /** How many questions are shown, and how many there are. */
  count: number;
  total: number;
};

/** Filters while somebody types. Sending it puts the search into the address, and works without a script. */
export function FaqSearch({ query, onType, count, total }: FaqSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // What was typed before hydration counts, too.
    const typed = field.current?.value ?? query;
    if (typed !== query) onType(typed);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only once: from then on, every letter is handled
  }, []);
  return (
    <search>
      <Form method="get" action="/faqs" preventScrollReset className="grid gap-2">
        <label htmlFor="faq-search" className="text-small font-strong">
          Search the answers
        </label>
        <div className="flex gap-2.5">
          <input
            ref={field}
            id="faq-search"
            type="search"
            name="q"
            value={query}
            onChange={(event) => onType(event.target.value)}
            maxLength={100}
            autoComplete="off"
            placeholder="For example heartbeat, wallet or password"
            className={inputClass()}
          />
          <button type="submit" className={buttonClass({}, "h-10.5!")}>
            Search
          </button>
        </div>
        <output aria-live="polite" className="text-hint text-ink-3">
          {describeCount(query.trim(), count, total)}
        </output>
      </Form>
    </search>
  );
}

function describeCount(query: string, count: number, total: number): string {
  if (!query) return `${total} questions`;
  return `${count} of ${total} questions ${count === 1 ? "matches" : "match"} “${query}”`;
}
