import type { MetaDescriptor, RouterContextProvider } from "react-router";
import { originContext } from "./context.ts";
import { brand } from "../../brand.ts";
import { previewPath } from "./drawn-code.ts";

type Shared = {
  /** The page's address from there. */
  path: string;
  title?: string;
  description?: string;
  /** The personal code in the link, which is drawn into the picture. */
  code?: string | null;
};

/**
 * The page's description, and what chats and networks show of its link (Open Graph, and what X reads beside it).
 * For loaders: browsers that navigate have no use for it, and need not know how it is made.
 */
export function socialMeta(
  context: Readonly<RouterContextProvider>,
  { path, title = brand.name, description = brand.description, code = null }: Shared,
): MetaDescriptor[] {
  const origin = context.get(originContext);
  const alt = code ? `An invitation to ${brand.name} with the code ${code}` : `${brand.name}: ${brand.description}`;
  const image = origin + previewPath(code);
  return [
    { name: "description", content: description },
    ...Object.entries({
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
    }).map(([property, content]) => ({ property, content })),
    ...Object.entries({
      "twitter:card": "summary_large_image",
      "twitter:title": title,
      "twitter:description": description,
      "twitter:image": image,
      "twitter:image:alt": alt,
    }).map(([name, content]) => ({ name, content })),
  ];
}
