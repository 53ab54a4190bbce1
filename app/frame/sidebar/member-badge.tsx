import type { User } from "../../../server/profile/contract.ts";
import { asText } from "../../cache/as-text.ts";
import { ContentImage } from "../../content/content-image.tsx";

/** The signed-in member, as the shell shows them. */
export type Person = { name: string; avatar: string | null };

type Named = Pick<User, "full_name" | "username" | "email" | "avatar_url">;

/** Names the member by the name they have given, or else by their email. An API may not keep to its contract. */
export function toPerson({ full_name, username, email, avatar_url }: Partial<Named>): Person {
  return { name: asText(full_name) ?? asText(username) ?? asText(email) ?? "", avatar: asText(avatar_url) };
}

/** The member's picture and name, with initials if there is no picture. */
export function MemberBadge({ name, avatar }: Person) {
  return (
    <div className="flex min-w-0 items-center gap-2.5 px-0.5">
      <ContentImage link={avatar} className="size-8 rounded-full border border-line bg-sunken">
        <span aria-hidden className="text-note font-strong text-ink-2">
          {initialsOf(name)}
        </span>
      </ContentImage>
      {/* Truncated at its end, in either writing direction. */}
      <span dir="auto" className="truncate text-small text-ink-2" translate="no" title={name}>
        {name}
      </span>
    </div>
  );
}

/**
 * Returns the first letters of the first two words, also those of an email before its @. A word may begin with an
 * invisible mark of its writing direction.
 */
export function initialsOf(name: string): string {
  const words = name.replace(/@.*/s, "").match(/[^\s._\p{Cf}-][^\s._-]*/gu) ?? [];
  const letters = words.slice(0, 2).map((word) => Array.from(word)[0]);
  return letters.join("").toUpperCase();
}
