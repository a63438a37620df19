import { ACCOUNT_DISABLED, LIVE_CLOSE } from '@hub/contract';
import { type Caller, userCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { isCredentialValid } from '../credentials/authenticate-user.ts';
import type { CommittedRights } from './committed-rights.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

/**
 * Checks the rights of a connection against the committed state. Closes it if its session, token or account has ended;
 * otherwise sends an error for each Hub it has lost access to. Returns the lost subscriptions for the caller to remove.
 */
export async function authorizeSocket(
  deps: Pick<Deps, 'store' | 'clock' | 'revocations'>,
  socket: LiveSocket,
  rights: CommittedRights,
): Promise<Subscription[]> {
  const { store } = deps;
  const { credential, address } = socket.caller;
  if (credential.kind !== 'local') {
    const found = await store.users.findCredentialById(credential.id, credential.kind);
    if (!found || !isCredentialValid(deps, found)) {
      const lost = [...socket.subscriptions.values()];
      socket.close(LIVE_CLOSE.unauthenticated, await closeReason(store, socket.caller));
      return lost;
    }
    socket.caller = userCaller(found, address);
    socket.expiresAt = found.expiresAt;
  }
  const { user } = socket.caller;
  const lost: Subscription[] = [];
  for (const subscription of socket.subscriptions.values()) {
    const { hubId } = subscription.feed;
    const hub = await rights.hub(hubId);
    if (!hub) {
      socket.error('hub_deleted', 'The Hub was deleted.', hubId);
    } else if (user !== null && !(await rights.isMember(user.id, hubId))) {
      socket.error('not_member', `You are no longer a member of the Hub "${hub.name}".`, hubId);
    } else continue;
    lost.push(subscription);
  }
  return lost;
}

/** Returns the close reason. It may reveal that the account is disabled, because its user was signed in before. */
async function closeReason(store: Deps['store'], { user }: Caller): Promise<string> {
  const known = user && (await store.users.find(user.id));
  const isDisabled = known !== null && known.disabledAt !== null;
  return isDisabled ? ACCOUNT_DISABLED : 'Your session or token is no longer valid. Sign in again.';
}
