import type { Form } from "./inputs.ts";

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
};

/** Returns the forms of a page. Relies on our own markup, which never nests forms. */
export function findForms(html: string, path: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = "", content = ""]) => ({
    method: (attribute(head, "method") ?? "get").toUpperCase(),
    action: attribute(head, "action") ?? path,
    fields: [...content.matchAll(/<(?:input|select|textarea|button)\b[^>]*/g)].flatMap(([tag]): Form["fields"] => {
      const name = attribute(tag, "name");
      return name ? [[name, attribute(tag, "value") ?? ""]] : [];
    }),
  }));
}
