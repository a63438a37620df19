import Monitor from 'icon:monitor';
import Smartphone from 'icon:smartphone';
import type { Session } from '@hub/contract';
import { When } from '../../item-text/when.tsx';
import { browserName, isPhone } from './browser-name.ts';

/** One session: browser, address and last use. */
export function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { userAgent, address, lastUsedAt, createdAt, isCurrent } = session;
  const name = browserName(userAgent);
  return (
    <li>
      {isPhone(userAgent) ? <Smartphone size="m" /> : <Monitor size="m" />}
      <span class="grow">
        <b>{name}</b>
        {isCurrent && <span class="state is-active">This browser</span>}
        <span class="help">
          {address}, last used <When at={lastUsedAt} />, signed in <When at={createdAt} />
        </span>
      </span>
      {!isCurrent && (
        <button class="btn is-small" type="button" aria-label={`Sign out ${name} at ${address}`} onClick={onEnd}>
          Sign out
        </button>
      )}
    </li>
  );
}
