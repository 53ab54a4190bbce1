import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import { FormNotice } from "../auth/form-notice.tsx";
import { MEMBER_FIELD } from "../auth/member-field.ts";
import { Card } from "../ui/card.tsx";
import type { Section as SectionId } from "./profile-view.ts";

type SectionProps = {
  id: SectionId;
  title: string;
  /** What has just been done here. */
  message: string | null;
  aside?: ReactNode;
  padded?: boolean;
  children: ReactNode;
};

/** A card of the profile that has an address of its own, and says what was done in it. */
export function Section({ id, title, message, aside, padded = true, children }: SectionProps) {
  return (
    <div id={id} className="min-w-0 scroll-mt-20">
      <Card title={title} aside={aside} padded={padded}>
        <div className={`${padded ? "mb-4" : "mx-4.5 mb-4"} has-[output:empty]:hidden`}>
          <FormNotice>{message}</FormNotice>
        </div>
        {children}
      </Card>
    </div>
  );
}

/** What every form of the profile carries: what it asks for, and whose page it is on. */
export function FormFacts({ intent }: { intent: string }) {
  const shell = useRouteLoaderData<{ member: string | null }>("shell/shell.route");
  return (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name={MEMBER_FIELD} value={shell?.member ?? ""} />
    </>
  );
}
