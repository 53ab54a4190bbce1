import type { ReactNode, Ref } from "react";
import { documentTitle } from "../page/page-meta.ts";
import { HeartbeatScene } from "./heartbeat-scene.tsx";

/** Renders a form beside the picture of a heartbeat, or the form alone if there is not enough room. */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="grid grow @5xl:grid-cols-[minmax(28.75rem,1fr)_1.25fr]">
      <div className="grid content-center justify-items-center px-4 py-7">
        <div className="w-full max-w-90">{children}</div>
      </div>
      <HeartbeatScene />
    </div>
  );
}

type AuthTitleProps = {
  title: string;
  text?: ReactNode;
  /** For callers that move the focus to the title. */
  ref?: Ref<HTMLHeadingElement>;
};

/** Renders a form's title and the sentence below it. The title is also the document's. */
export function AuthTitle({ title, text, ref }: AuthTitleProps) {
  return (
    <div>
      <title>{documentTitle(title)}</title>
      <h1
        ref={ref}
        tabIndex={ref ? -1 : undefined}
        className="outline-none text-title leading-[1.15] font-bold tracking-[-0.025em]"
      >
        {title}
      </h1>
      {text && <p className="mt-2 wrap-anywhere text-ink-2">{text}</p>}
    </div>
  );
}
