import { ACCOUNT_DISABLED, LIVE_CLOSE } from '@hub/contract';
import { type Caller, personCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { isCredentialValid } from '../people/authenticate-person.ts';
import type { CommittedRights } from './committed-rights.ts';
import type { LiveSocket, Subscription } from './live-socket.ts';

/**
 * Judges a connection by what is committed now: closes it if its session, token or account has ended, and otherwise tells it which
 * of its Hubs it has lost. Those are returned, to be left.
 */
export async function judgeSocket(
  deps: Pick<Deps, 'store' | 'clock' | 'revocations'>,
  socket: LiveSocket,
  rights: CommittedRights,
): Promise<Subscription[]> {
  const { store } = deps;
  const { credential, address } = socket.caller;
  if (credential.kind !== 'local') {
    const found = await store.people.findCredentialById(credential.id, credential.kind);
    if (!found || !isCredentialValid(deps, found)) {
      const lost = [...socket.subscriptions.values()];
      socket.close(LIVE_CLOSE.unauthenticated, await whyEnded(store, socket.caller));
      return lost;
    }
    socket.caller = personCaller(found, address);
    socket.expiresAt = found.expiresAt;
  }
  const { person } = socket.caller;
  const lost: Subscription[] = [];
  for (const subscription of socket.subscriptions.values()) {
    const { hubId } = subscription.feed;
    const hub = await rights.hub(hubId);
    if (!hub) {
      socket.error('hub_deleted', 'The Hub was deleted.', hubId);
    } else if (person !== null && !(await rights.isMember(person.id, hubId))) {
      socket.error('not_member', `You do not belong to the Hub "${hub.name}" any more.`, hubId);
    } else continue;
    lost.push(subscription);
  }
  return lost;
}

/** Who was let in before may hear what became of the account: its sessions are gone, so that no answer could tell him later. */
async function whyEnded(store: Deps['store'], { person }: Caller): Promise<string> {
  const known = person && (await store.people.find(person.id));
  const isDisabled = known !== null && known.disabledAt !== null;
  return isDisabled ? ACCOUNT_DISABLED : 'Your session or token has ended. Sign in again.';
}
