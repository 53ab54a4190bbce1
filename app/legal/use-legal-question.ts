import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { LegalDocumentName } from "../../server/legal/contract.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { watchStorage } from "../session/tabs.ts";
import { writeFlag } from "../session/member-flags.ts";
import { acceptedCookie, skippedCookie } from "./legal-flags.ts";
import { privacyQuery, termsQuery } from "./reads.ts";
import { storeCookie } from "../cookies/plain-cookie.ts";

type LegalState = {
  member: string;
  whitelisted: boolean;
  /** Whether the Privacy Policy was already postponed. */
  skipped: boolean;
};

/**
 * Returns which document the member is asked to accept (product specification, section 4): the Terms of Service if they
 * are whitelisted, and then, once the terms no longer show, the Privacy Policy, unless they postponed it. Does not ask
 * for a document whose status is unknown. `version` is the version in question. `isFirst` is true only if the backend
 * says that the member has accepted no version before.
 */
export function useLegalQuestion({ member, whitelisted, skipped: initiallySkipped }: LegalState) {
  const read = useRead();
  const { data: termsStatus } = useQuery(termsQuery(read));
  const { data: privacyStatus } = useQuery(privacyQuery(read));
  const terms = termsStatus?.istosAccepted;
  const privacy = privacyStatus?.isppAccepted;
  const [skipped, setSkipped] = useState(initiallySkipped);

  if (privacy && skipped) setSkipped(false);

  function skip() {
    rememberSkip(member, true);
    setSkipped(true);
  }

  useEffect(() => rememberAcceptance("tosAccepted", member, terms), [member, terms]);
  useEffect(() => {
    rememberAcceptance("ppAccepted", member, privacy);
    if (privacy) rememberSkip(member, false);
  }, [member, privacy]);
  useOtherTabs();

  const question: LegalDocumentName | null =
    whitelisted && terms === false ? "tos" : privacy === false && !skipped ? "pp" : null;
  const status = question === "tos" ? termsStatus : privacyStatus;
  return { question, version: status?.version, isFirst: status?.acceptedBefore === false, skip };
}

/** Keeps the flag: 'true' in local storage, and in a cookie for the first byte of the next page. Or removes both. */
function rememberAcceptance(name: "tosAccepted" | "ppAccepted", member: string, accepted: boolean | undefined): void {
  if (accepted === undefined) return;
  writeFlag(name, accepted ? "true" : null);
  storeCookie(acceptedCookie(name, member, accepted));
}

function rememberSkip(member: string, skipped: boolean): void {
  storeCookie(skippedCookie(member, skipped));
}

const QUERY_OF_FLAG: Record<string, string> = { tosAccepted: termsQuery.path, ppAccepted: privacyQuery.path };

/** Once accepted in one tab, a document is not asked for in the others. */
function useOtherTabs() {
  const cache = useQueryClient();
  useEffect(
    () =>
      watchStorage((key, value) => {
        const query = key && value && QUERY_OF_FLAG[key];
        if (query) void cache.invalidateQueries({ queryKey: [query] });
      }),
    [cache],
  );
}
