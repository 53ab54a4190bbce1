import { FormNotice } from "../../forms/form-notice.tsx";
import { useNote } from "../../outcome/notes.tsx";
import { SIGN_IN_NOTE, SIGN_IN_WORDS } from "../../page/sign-in-note.ts";

/** Below the title: why the reader is here, or why the form cannot be used yet. */
export function SignInNotice({ unavailable }: { unavailable: string | false }) {
  const note = useNote(SIGN_IN_NOTE);
  return <FormNotice>{unavailable || (note && SIGN_IN_WORDS[note.word])}</FormNotice>;
}
