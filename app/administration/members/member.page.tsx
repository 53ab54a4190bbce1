import type { MemberAccount } from "../../../server/member-administration/contract.ts";
import { EmailField } from "../../forms/email-field.tsx";
import { Card } from "../../ui/card.tsx";
import { ActionForm, Folded, isReturned, MEMBER_HINT } from "../action-form.tsx";
import { definePage, type Shown } from "../page.ts";
import { StaleFormNotice } from "../parts.tsx";
import { AccountCard, EmailsCard, MachinesCard, PointsCard, RefusedCard } from "./member-cards.tsx";
import { addressForm, blockForm, endSessionForm, endSessionsForm, unblockForm, whitelistForm } from "./member-forms.ts";
import { SessionsCard } from "./sessions-card.tsx";

/** The state of a member's account, and the actions on it. */
export const memberPage = definePage({
  path: "members/:id",
  title: "Member",
  within: "members",
  load: ({ api, params: { id = "" } }) => api.members.read(id),
  forms: [blockForm, unblockForm, endSessionForm, endSessionsForm, whitelistForm, addressForm],
  Page: ({ data: member, shown }) => (
    <div className="grid gap-4.5">
      <StaleFormNotice
        shown={shown}
        forms={[endSessionForm, endSessionsForm]}
        isDrawn={(about) => member.sessions.some(({ id }) => about === "" || id === about)}
      />
      <StaleFormNotice shown={shown} forms={[member.blockedAt ? blockForm : unblockForm]} isDrawn={() => false} />
      <AccountCard member={member} />
      <PointsCard member={member} />
      <RefusedCard refusedBeats={member.refusedBeats} />
      <SessionsCard member={member} shown={shown} />
      <MachinesCard machines={member.machines} />
      <EmailsCard emails={member.emails} />
      <ChangesCard member={member} shown={shown} />
    </div>
  ),
});

function ChangesCard({ member, shown }: { member: MemberAccount; shown: Shown }) {
  const { email, isWhitelisted, blockedAt, deletionDueAt } = member;
  return (
    <Card title="Actions">
      <div className="admin-folds">
        <Folded
          title={isWhitelisted ? "Take off the whitelist" : "Put on the whitelist"}
          isOpen={isReturned(shown, whitelistForm)}
        >
          {!isWhitelisted && (
            <p className="mb-3 text-ink-2">
              They see TESTNET beside the logo, and have to accept the Terms of Service to continue.
            </p>
          )}
          <ActionForm
            form={whitelistForm}
            shown={shown}
            hidden={{ email, listed: isWhitelisted ? "no" : "yes" }}
            submit={isWhitelisted ? "Take off the whitelist" : "Put on the whitelist"}
            reasonHint={MEMBER_HINT}
          />
        </Folded>
        {blockedAt ? (
          <Folded title="Unblock the member" isOpen={isReturned(shown, unblockForm)}>
            <ActionForm form={unblockForm} shown={shown} submit="Unblock the member" reasonHint={MEMBER_HINT} />
          </Folded>
        ) : (
          <Folded title="Block the member" isOpen={isReturned(shown, blockForm)}>
            <p className="mb-3 text-ink-2">
              They are signed out everywhere and cannot sign in, and their machines earn nothing until you unblock them.
              {deletionDueAt && " Their account is still deleted, unless you unblock them first and they keep it."}
            </p>
            <ActionForm form={blockForm} shown={shown} submit="Block the member" reasonHint={MEMBER_HINT} />
          </Folded>
        )}
        <Folded title="Change the email" isOpen={isReturned(shown, addressForm)}>
          <div>
            <p className="mb-3 text-ink-2">
              We do not check whether the new mailbox is theirs, and whoever reads it can choose a new password. The
              member is signed out everywhere, and we email both addresses.
            </p>
            <ActionForm form={addressForm} shown={shown} submit="Change the email" reasonHint={MEMBER_HINT}>
              {(field) => <EmailField {...field("email")} label="New email" autoComplete="off" />}
            </ActionForm>
          </div>
        </Folded>
      </div>
    </Card>
  );
}
