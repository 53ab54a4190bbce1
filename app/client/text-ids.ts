type Identified<Name extends string> = Record<Name, string>;

/**
 * A list whose ids are texts, which is what forms and addresses make of them: the specification does not say whether
 * they are. What is no list, or has no id, stays as it is.
 */
export function withTextIds<Name extends string, Item extends Identified<Name>>(items: Item[], name: Name): Item[] {
  return Array.isArray(items) ? items.map((item) => withTextId(item, name)) : items;
}

function withTextId<Name extends string, Item extends Identified<Name>>(item: Item, name: Name): Item {
  const id: unknown = item?.[name];
  return typeof id === "number" ? { ...item, [name]: String(id) } : item;
}
