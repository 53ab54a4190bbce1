import type { ComponentProps } from "react";

type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  to: string;
  /** Replaces this page in the history. */
  replace?: boolean;
  /** Keeps the scroll position. */
  preventScrollReset?: boolean;
  /** Loads a new document. */
  reloadDocument?: boolean;
};

/**
 * A link within the product, as a plain `<a>`. `FollowLinks` handles every link in one place and reads its
 * `data-follow`. The router's own link would run about ten hooks for each of dozens of links.
 */
export function Link({ to, replace, preventScrollReset, reloadDocument, children, ...props }: LinkProps) {
  const ways = [reloadDocument && NEW_DOCUMENT, replace && REPLACES, preventScrollReset && STAYS].filter(Boolean);
  return (
    <a href={to} {...props} data-follow={ways.length > 0 ? ways.join(" ") : undefined}>
      {children}
    </a>
  );
}

/** How to follow a link: the values of `data-follow`. */
export const NEW_DOCUMENT = "anew";
export const REPLACES = "replace";
export const STAYS = "stay";
