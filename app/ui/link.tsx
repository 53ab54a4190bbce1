import type { ComponentProps } from "react";

type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  to: string;
  /** Takes this page's place in the history. */
  replace?: boolean;
  /** Leaves the reader where they have scrolled to. */
  preventScrollReset?: boolean;
  /** Leads to a new document. */
  reloadDocument?: boolean;
};

/**
 * A link within the product: as the browser has it. `FollowLinks` follows it, with what its attribute says, from one
 * place, where the router's own would bring some ten hooks to each of dozens.
 */
export function Link({ to, replace, preventScrollReset, reloadDocument, children, ...props }: LinkProps) {
  const ways = [reloadDocument && NEW_DOCUMENT, replace && REPLACES, preventScrollReset && STAYS].filter(Boolean);
  return (
    <a href={to} {...props} data-follow={ways.length > 0 ? ways.join(" ") : undefined}>
      {children}
    </a>
  );
}

/** How a link leads on, in its `data-follow`. */
export const NEW_DOCUMENT = "anew";
export const REPLACES = "replace";
export const STAYS = "stay";
