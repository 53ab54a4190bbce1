import { Button, ButtonLink, buttonClass, type ButtonStyle } from "../ui/controls/button.tsx";
import { CloseDialog, Dialog } from "../ui/dialog.tsx";
import { beginSignOut } from "./session-end.ts";

export const LOG_OUT_DIALOG = "log-out-dialog";
const QUESTION = "Are you sure you want to log out?";

/** Asks before logging out. */
export function LogOutDialog() {
  return (
    <Dialog id={LOG_OUT_DIALOG} title={QUESTION}>
      <div className="flex justify-end gap-2.5">
        <CloseDialog className={buttonClass({ variant: "quiet" })}>Cancel</CloseDialog>
        <LogOutForm />
      </div>
    </Dialog>
  );
}

/** Asks the same question as a page, for when the dialog cannot open. */
export function LogOutPage() {
  return (
    <div className="grid grow place-content-center justify-items-center gap-6 p-10 text-center">
      <h1 className="text-title leading-[1.15] font-bold tracking-[-0.025em]">{QUESTION}</h1>
      <div className="flex gap-2.5">
        <ButtonLink to="/dashboard" variant="quiet">
          Cancel
        </ButtonLink>
        <LogOutForm />
      </div>
    </div>
  );
}

/** Logs out. Loads a new document on purpose: this removes everything that the page remembers about the member. */
export function LogOutForm({ variant = "ink" }: Pick<ButtonStyle, "variant">) {
  return (
    <form method="post" action="/auth/logout" onSubmit={beginSignOut}>
      <Button type="submit" variant={variant}>
        Log out
      </Button>
    </form>
  );
}
