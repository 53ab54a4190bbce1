import { Pill } from "../../ui/pill.tsx";

type Standing = {
  isWhitelisted: boolean;
  isAdministrator?: boolean;
  blockedAt: string | null;
  deletionDueAt: string | null;
};

/** Shows what is unusual about a member, each in a word or two. */
export function StandingPills({ member }: { member: Standing }) {
  const { isWhitelisted, isAdministrator, blockedAt, deletionDueAt } = member;
  return (
    <span className="flex flex-wrap gap-1.5">
      {blockedAt && <Pill tone="warn">Blocked</Pill>}
      {deletionDueAt && <Pill tone="warn">Deletion requested</Pill>}
      {isWhitelisted && <Pill tone="info">Whitelisted</Pill>}
      {isAdministrator && <Pill tone="good">Administrator</Pill>}
    </span>
  );
}
