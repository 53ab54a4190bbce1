import type { Carried } from "./receive-form.ts";

/** Hidden fields that send a form again. */
export const CarriedFields = ({ carried }: { carried: Carried }) =>
  carried.map(([name, value], index) => (
    // oxlint-disable-next-line react/no-array-index-key -- several fields may have the same name
    <input key={index} type="hidden" name={name} value={value} />
  ));
