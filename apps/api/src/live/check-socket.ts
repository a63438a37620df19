import { ACCOUNT_DISABLED, LIVE_CLOSE } from '@hub/contract';
import { type Caller, userCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { isCredentialValid } from '../users/authenticate-user.ts';
import type { CommittedRights } from './committed-rights.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

/**
 * Judges a connection by what is committed now: closes it if its session, token or account has ended, and otherwise tells it which
 * of its Hubs it has lost. Those are returned, to be left.
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
      socket.close(LIVE_CLOSE.unauthenticated, await whyEnded(store, socket.caller));
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
      socket.error('not_member', `You do not belong to the Hub "${hub.name}" any more.`, hubId);
    } else continue;
    lost.push(subscription);
  }
  return lost;
}

/** Who was let in before may hear what became of the account: its sessions are gone, so that no answer could tell him later. */
async function whyEnded(store: Deps['store'], { user }: Caller): Promise<string> {
  const known = user && (await store.users.find(user.id));
  const isDisabled = known !== null && known.disabledAt !== null;
  return isDisabled ? ACCOUNT_DISABLED : 'Your session or token has ended. Sign in again.';
}
