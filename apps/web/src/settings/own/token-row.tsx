import CircleCheck from 'icon:circle-check';
import Clock from 'icon:clock';
import ClockAlert from 'icon:clock-alert';
import type { PersonalToken } from '@hub/contract';
import { Avatar } from '../../avatars/avatar.tsx';
import { When } from '../../item-text/when.tsx';
import { now } from '../../time/now.ts';
import { tokenState } from './token-state.ts';

/** One token: name, expiry and last use. */
export function TokenRow({ token, onRevoke }: { token: PersonalToken; onRevoke: () => void }) {
  const { id, name, hint, createdAt, lastUsedAt, lastUsedAddress } = token;
  return (
    <li class={tokenState(token, now.value).state === 'expired' ? 'is-quiet' : ''}>
      <Avatar id={id} name={name} kind="key" size="m" />
      <span class="token-name">
        <b>{name}</b>
        <span class="hint-key">{hint}</span>
      </span>
      <span class="life">
        <State token={token} />
        <span class="sub">
          Created <When at={createdAt} />
        </span>
      </span>
      <span class="use">
        {lastUsedAt === null ? (
          'Never used'
        ) : (
          <span>
            Used <When at={lastUsedAt} />
          </span>
        )}
        {lastUsedAddress !== null && <span class="sub">from {lastUsedAddress}</span>}
      </span>
      <button class="btn is-small" type="button" aria-label={`Revoke ${name}, ${hint}`} onClick={onRevoke}>
        Revoke
      </button>
    </li>
  );
}

function State({ token }: { token: PersonalToken }) {
  const found = tokenState(token, now.value);
  const { expiresAt } = token;
  if (found.state === 'expired') {
    return (
      <span class="state is-over">
        <Clock /> Expired {expiresAt !== null && <When at={expiresAt} />}
      </span>
    );
  }
  if (found.state === 'soon') {
    return (
      <span class="state is-soon">
        <ClockAlert /> {found.days === 1 ? 'Expires within a day' : `Expires in ${found.days} days`}
      </span>
    );
  }
  return (
    <span class="state is-active">
      <CircleCheck /> {expiresAt === null ? 'Never expires' : 'Until '}
      {expiresAt !== null && <When at={expiresAt} />}
    </span>
  );
}
