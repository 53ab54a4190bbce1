import type { ReactNode } from "react";
import { FormNotice } from "../forms/form-notice.tsx";
import { Card } from "../ui/card.tsx";
import type { Section as SectionId } from "./profile-view.ts";
import { MemberField } from "../forms/member-field.tsx";

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
  return (
    <>
      <input type="hidden" name="intent" value={intent} />
      <MemberField />
    </>
  );
}
