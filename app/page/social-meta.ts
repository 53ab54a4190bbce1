import { originContext, type PageContext } from "./context.ts";
import { brand } from "../../brand.ts";
import { previewPath } from "./drawn-code.ts";
import { escapeHtml } from "./escape-html.ts";
import { requestContext } from "./request-context.ts";

type Shared = {
  /** The page's address, without the origin. */
  path: string;
  title?: string;
  description?: string;
  /** The personal code in the link, which is drawn into the picture. */
  code?: string | null;
};

/**
 * Sets what chats and networks show of the document's link (Open Graph, and the tags that X reads as well). It is in
 * the HTML alone, because browsers have no use for it. What a page's loader sets replaces what its layout's loader
 * sets.
 */
export function setSocialMeta(
  context: PageContext,
  { path, title = brand.name, description = brand.description, code = null }: Shared,
): void {
  const origin = context.get(originContext);
  const alt = code ? `An invitation to ${brand.name} with the code ${code}` : `${brand.name}: ${brand.description}`;
  const image = origin + previewPath(code);
  const openGraph = {
    "og:type": "website",
    "og:site_name": brand.name,
    "og:url": origin + path,
    "og:title": title,
    "og:description": description,
    "og:image": image,
    "og:image:type": "image/png",
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": alt,
  };
  const card = {
    "twitter:card": "summary_large_image",
    "twitter:title": title,
    "twitter:description": description,
    "twitter:image": image,
    "twitter:image:alt": alt,
  };
  context.get(requestContext).head = draw("property", openGraph) + draw("name", card);
}

const draw = (attribute: "name" | "property", said: Record<string, string>) =>
  Object.entries(said)
    .map(([name, content]) => `<meta ${attribute}="${name}" content="${escapeHtml(content)}"/>`)
    .join("");
