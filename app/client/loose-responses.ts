/* Converts the fields that the specification leaves open into the one form that the pages know. */

type Fields<Name extends string> = Record<Name, string | null>;
type Change = (value: unknown) => string | undefined;

/** Turns an id into text, as forms and addresses do. The specification does not say whether ids are text. */
const toTextId: Change = (value) => (typeof value === "number" ? String(value) : undefined);

/** Marks a time without a zone as UTC. A browser would take it for the reader's zone. */
const toUtc: Change = (value) =>
  typeof value === "string" && LOCAL_TIME.test(value) ? `${value.replace(" ", "T")}Z` : undefined;
const LOCAL_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

type Changed = {
  /** Changes one object. Leaves it as it is if it is null or lacks the field. */
  one: <Name extends string, Item extends Fields<Name>>(item: Item, name: Name) => Item;
  /** Changes each object of a list. Leaves it as it is if it is not a list. */
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
