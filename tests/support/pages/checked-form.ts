import { findAction, findField, type Visitor } from "./test-pages.ts";

/**
 * Opens a page whose form the bot check guards, takes as long over it as a person does, and sends it with these
 * fields, which may replace what the check itself brings.
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
