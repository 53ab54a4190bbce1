import { Card } from "../ui/card.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { splitByWords } from "./search.ts";
import type { AnsweredQuestion, Topic } from "./topics.ts";

type Shown = {
  /** The words to mark wherever they appear. */
  marks: string[];
  origin: string;
};

/** Lists the questions of a topic, which open in place without a script. */
export function FaqTopic({ title, questions, ...shown }: Topic & Shown) {
  return (
    <Card title={title}>
      <div className="-my-3 grid">
        {questions.map((question) => (
          <FaqAnswer key={question.slug} {...question} {...shown} />
        ))}
      </div>
    </Card>
  );
}

/**
 * Shows a question and its answer. The id is inside `details`, not on it: browsers open `details` when a link leads
 * inside. The margin keeps the question in sight, below the header.
 */
function FaqAnswer({ slug, formerly, question, answer, marks, origin }: AnsweredQuestion & Shown) {
  // Other marks make new elements: a browser that translates the page has replaced the text nodes of the old ones.
  const key = marks.join(" ");
  return (
    // The browser may have opened it before hydration.
    <details open={marks.length > 0} suppressHydrationWarning className="question">
      <summary>
        <span key={key}>
          <Marked text={question} words={marks} />
        </span>
      </summary>
      {formerly && <span id={formerly} className="scroll-mt-16" />}
      <div id={slug}>
        <p key={key}>
          <Marked text={answer} words={marks} />
        </p>
        <CopyButton text={`${origin}/faqs#${slug}`}>
          {(copied) => (
            <>
              <Icon name={copied ? "check" : "link"} />
              <span>{copied ? "Copied!" : "Copy link"}</span>
              <span className="sr-only">{` to “${question}”`}</span>
            </>
          )}
        </CopyButton>
        <a href={`#${slug}`}>Link to this answer</a>
      </div>
    </details>
  );
}

function Marked({ text, words }: { text: string; words: string[] }) {
  return splitByWords(text, words).map(({ text: part, at, isMatch }) =>
    isMatch ? (
      <mark key={at} className="rounded-mark bg-warn-soft text-ink">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
