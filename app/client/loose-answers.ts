/* What the specification leaves open of an answer's fields, in the one form that the pages know. */

type Fields<Name extends string> = Record<Name, string | null>;
type Change = (value: unknown) => string | undefined;

/** Forms and addresses make texts of ids: the specification does not say whether they are. */
const toTextId: Change = (value) => (typeof value === "number" ? String(value) : undefined);

/** A time without a zone is in UTC: a browser would take it for its reader's own. */
const toUtc: Change = (value) =>
  typeof value === "string" && LOCAL_TIME.test(value) ? `${value.replace(" ", "T")}Z` : undefined;
const LOCAL_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

type Changed = {
  /** What is nothing, or has no such field, stays as it is. */
  one: <Name extends string, Item extends Fields<Name>>(item: Item, name: Name) => Item;
  /** Each of a list. What is no list stays as it is, too. */
  each: <Name extends string, Item extends Fields<Name>>(items: Item[], name: Name) => Item[];
};

function changeBy(change: Change): Changed {
  function one<Name extends string, Item extends Fields<Name>>(item: Item, name: Name): Item {
    const value = change(item?.[name]);
    return value === undefined ? item : { ...item, [name]: value };
  }
  return { one, each: (items, name) => (Array.isArray(items) ? items.map((item) => one(item, name)) : items) };
}

export const textId = changeBy(toTextId);
export const utcTime = changeBy(toUtc);

/** An answer that the table of calls gives by a name alone, such as `user`: that may be a field with all of it. */
export function takeOut<Answer extends object>(answer: Answer, name: string): Answer {
  const inner = new Map<string, unknown>(Object.entries(answer)).get(name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- raw data, which the specification wants used
  return typeof inner === "object" && inner !== null ? (inner as Answer) : answer;
}
