import { useEffect } from "react";
import { useNavigate } from "react-router";
import { NEW_DOCUMENT, REPLACES, STAYS } from "../ui/link.tsx";

/**
 * Follows the product's own links without a new document. A link that is pressed before this listens loads a document,
 * as it does without scripts.
 */
export function FollowLinks() {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = findLink(event);
      const ways = new Set(link?.dataset.follow?.split(" "));
      if (!link || ways.has(NEW_DOCUMENT)) return;
      event.preventDefault();
      const stays = ways.has(STAYS);
      // A link that keeps the scroll position needs no place to scroll to. Only a new document does.
      const to = addressOf(link, stays ? "" : link.hash);
      // A link to the current address adds nothing to the history.
      const replace = ways.has(REPLACES) || to === addressOf(location, location.hash);
      void navigate(to, { replace, preventScrollReset: stays });
    };
    addEventListener("click", follow);
    return () => removeEventListener("click", follow);
  }, [navigate]);
  return null;
}

const addressOf = ({ pathname, search }: HTMLAnchorElement | Location, hash: string) => `${pathname}${search}${hash}`;

/** Returns the link that a press follows in this tab, if it leads to a page of the product. */
function findLink(event: MouseEvent): HTMLAnchorElement | undefined {
  const { altKey, button, ctrlKey, defaultPrevented, metaKey, shiftKey, target } = event;
  if (defaultPrevented || button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return undefined;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  return link && isPage(link) ? link : undefined;
}

/** Returns whether a link leads to a page: not to a place on this page, a file or another site. */
const isPage = (link: HTMLAnchorElement) =>
  link.origin === location.origin &&
  !link.target &&
  !link.hasAttribute("download") &&
  !link.getAttribute("href")?.startsWith("#");
