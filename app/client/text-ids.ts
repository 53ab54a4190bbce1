/**
 * A list whose ids are texts, which is what forms and addresses make of them: the specification does not say whether
 * they are. What is no list, or has no id, stays as it is.
 */
export function withTextIds<Name extends string, Item extends Record<Name, string>>(items: Item[], name: Name): Item[] {
  if (!Array.isArray(items)) return items;
  return items.map((item: Item) => {
    const id: unknown = item?.[name];
    return typeof id === "number" ? { ...item, [name]: String(id) } : item;
  });
}
