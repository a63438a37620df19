import type { Invitation, IssuedInvitation, Role } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { ApiError, errorMessage, request } from '../../../data/request.ts';
import { byName } from '../../../lib/names.ts';
import { Checkbox, toggled } from '../../../ui/forms/choices.tsx';
import { useConfirm } from '../../../ui/forms/confirm.tsx';
import { Field, FormDialog, Problem } from '../../../ui/forms/form.tsx';
import { ListRow, RowButton } from '../../../ui/forms/table.tsx';
import { textProblem } from '../../../ui/forms/text-problem.ts';
import { When } from '../../../ui/items/when.tsx';
import { toast } from '../../../ui/toast.tsx';
import { LinkOnceDialog, RoleChoice } from './member-dialogs.tsx';
import { ROLE_LABELS } from './users-list.ts';

export function InvitationsSection(props: { invitations: readonly Invitation[]; onChanged: () => Promise<void> }) {
  const { invitations, onChanged } = props;
  const { ask, dialog } = useConfirm();
  const withdraw = ({ id, email }: Invitation) =>
    ask({
      title: `Withdraw the invitation for ${email}?`,
      description: 'The link stops working immediately. You can invite the same address again.',
      submitLabel: 'Withdraw invitation',
      isDestructive: true,
      onAct: async () => {
        await request('DELETE /invitations/{invitationId}', { invitationId: id });
        await onChanged();
        toast(`Invitation for ${email} withdrawn.`);
      },
    });
  return (
    <>
      {invitations.length > 0 && (
        <section class="settings-section invitations" aria-labelledby="open-invitations">
          <h2 class="hub-head" id="open-invitations">
            Open invitations <span class="num">{invitations.length}</span>
          </h2>
          <ul class="sessions">
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} onWithdraw={() => withdraw(invitation)} />
            ))}
          </ul>
        </section>
      )}
      {dialog}
    </>
  );
}

function InvitationRow({ invitation, onWithdraw }: { invitation: Invitation; onWithdraw: () => void }) {
  const { hubs } = useWorkspace();
  const { email, role, hubIds, createdBy, expiresAt } = invitation;
  const names = hubIds.flatMap((id) => hubs.find(id)?.name ?? []);
  return (
    <ListRow
      name={email}
      sub={
        <>
          {ROLE_LABELS[role]}
          {names.length > 0 && <> in {names.join(', ')}</>}, by {createdBy.name}. Expires <When at={expiresAt} />.
        </>
      }
    >
      <RowButton label={`Withdraw the invitation for ${email}`} onClick={onWithdraw}>
        Withdraw
      </RowButton>
    </ListRow>
  );
}

/** The invitations that were created, and why others were not. */
interface Invited {
  issued: readonly IssuedInvitation[];
  problems: readonly string[];
}

/** Asks for the e-mail addresses, role and Hubs of new members, then shows the invitation links once. */
export function InviteDialog(props: { hubId?: string; onInvited: () => Promise<void>; onClose: () => void }) {
  const { hubId, onInvited, onClose } = props;
  const [text, setText] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [hubIds, setHubIds] = useState<readonly string[]>(hubId === undefined ? [] : [hubId]);
  const [{ issued, problems }, setInvited] = useState<Invited>({ issued: [], problems: [] });
  const [first, ...others] = issued;
  if (first) {
    const several = others.length > 0;
    return (
      <LinkOnceDialog
        title={several ? `${issued.length} invitations` : `Invitation for ${first.email}`}
        description={
          <>
            Anyone who opens {several ? 'a' : 'the'} link can create {several ? 'its' : 'this'} account and choose its
            name and password.
            {problems.map((problem) => (
              <Problem key={problem} text={problem} />
            ))}
          </>
        }
        link={several ? issued.map(({ email, link }) => `${email} ${link}`).join('\n') : first.link}
        expiresAt={first.expiresAt}
        isMailed={first.isMailed}
        onClose={onClose}
      />
    );
  }
  const invite = async () => {
    const emails = addressesIn(text);
    if (emails.length === 0) throw new Error('Enter an e-mail address.');
    const wrong = emails.map((email) => textProblem(email, email, { type: 'email' })).find((each) => each !== '');
    if (wrong !== undefined) throw new Error(wrong);
    const invited = { issued: [] as IssuedInvitation[], problems: [] as string[] };
    for (const email of emails) {
      try {
        invited.issued.push(await request('POST /invitations', { body: { email, role, hubIds: [...hubIds] } }));
      } catch (error) {
        // The links of the others cannot be shown again.
        invited.problems.push(errorMessage(error));
        if (!(error instanceof ApiError)) break;
      }
    }
    if (invited.issued.length === 0) throw new Error(invited.problems.join(' '));
    setInvited(invited);
    await onInvited();
  };
  return (
    <FormDialog
      title="Invite members"
      description="You get a link for each address that can be used once and expires after 7 days. Any open invitation for the same address is replaced."
      submitLabel="Create links"
      givesSecret
      isSticky={text.trim() !== ''}
      onSubmit={invite}
      onClose={onClose}
    >
      {(error) => (
        <>
          <Field
            label="E-mail addresses"
            help="One or several, on lines of their own or separated by commas."
            error={error}
          >
            {(aria) => (
              <textarea
                {...aria}
                rows={3}
                placeholder="name@example.org"
                autofocus
                spellcheck={false}
                value={text}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
            )}
          </Field>
          <RoleChoice chosen={role} onChoose={setRole} />
          <HubChoice chosen={hubIds} onChoose={setHubIds} />
        </>
      )}
    </FormDialog>
  );
}

/** Returns the addresses in a text, each once, also of "Ada <ada@example.org>", as mail programs copy them. */
function addressesIn(text: string): string[] {
  const parts = text.split(/[,;\n]/).flatMap((part) => /<([^<>]+)>/.exec(part)?.[1] ?? part.split(/\s+/));
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
}

function HubChoice(props: { chosen: readonly string[]; onChoose: (hubIds: readonly string[]) => void }) {
  const { chosen, onChoose } = props;
  const { hubs } = useWorkspace();
  const all = hubs.all.value.toSorted(byName);
  if (all.length === 0) return null;
  return (
    <fieldset class="options">
      <legend>
        Hubs{' '}
        <span class="help">
          {chosen.length === 0 ? 'None yet; you can add them later' : `${chosen.length} selected`}
        </span>
      </legend>
      <div class="choices-list" role="group" aria-label="Hubs">
        {all.map(({ id, name }) => (
          <Checkbox key={id} isOn={chosen.includes(id)} onChange={(isOn) => onChoose(toggled(chosen, id, isOn))}>
            {name}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}
