import { findAction, findField, type Visitor } from "./test-pages.ts";

/**
 * Opens a page whose form has a bot check, takes as long as a person would, and sends the form with these fields. They
 * may replace the check's own.
 */
export async function sendCheckedForm(
  visitor: Visitor,
  clock: { advance: (milliseconds: number) => void },
  path: string,
  fields: Record<string, string>,
): Promise<Response> {
  const page = await (await visitor.get(path)).text();
  clock.advance(2000);
  const turnstileToken = findField(page, "turnstileToken")?.value ?? "";
  return visitor.post(findAction(page, "turnstileToken"), { turnstileToken, name__confirm: "", ...fields });
}
