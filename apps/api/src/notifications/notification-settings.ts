import {
  LIMITS,
  type NotificationKey,
  type NotificationMode,
  type NotificationSettings,
  type PushSubscriptionInfo,
  type QuietHours,
  type SentTestNotification,
  type SubscribePushBody,
  type ThreadNotifications,
} from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { type Caller, changeAs, type UserCaller } from '../access/caller.ts';
import { AppError, tooManyRequests } from '../platform/errors.ts';
import type { Page, PageRequest } from '../platform/paging.ts';
import { isoTime } from '../platform/time.ts';
import type { KeyListing } from '../storage/keys.ts';
import type { NotificationChoices } from '../storage/notifications.ts';
import type { Repositories } from '../storage/repositories.ts';
import { isReader, readableHub } from '../workspace/hubs/hub-rights.ts';
import { threadOf } from '../workspace/items/item-rights.ts';
import { MAX_REPLIES_EXAMINED } from '../workspace/items/mentions.ts';
import { canPost, findKeys, isKeyManager, keyNotFound } from '../workspace/keys/show-keys.ts';
import { isTimeZone } from './notification-follower.ts';
import type { NotificationDeps } from './notifications.ts';
import { endpointProblem, isPublicKey } from './push-transport.ts';

/** Returns the caller's notification settings. */
export async function showNotifications(
  { store, notifications, clock, mail }: NotificationDeps,
  { user, credential }: UserCaller,
): Promise<NotificationSettings> {
  const [choices, modes, subscription] = await Promise.all([
    store.notifications.choices(user.id),
    store.notifications.modes(user.id),
    store.notifications.findSubscription(credential.id),
  ]);
  const { publicKey } = notifications;
  return {
    ...choices,
    mentionMail: mail && choices.mentionMail,
    hubs: modes.filter(({ targetId, hubId }) => targetId === hubId).map(({ hubId, mode }) => ({ hubId, mode })),
    keys: modes.flatMap(({ targetId, hubId, key, mode }) =>
      key === null ? [] : { keyId: targetId, hubId, name: key.name, mode, isOver: !isValid(key, clock.now()) },
    ),
    push: publicKey === null ? null : { publicKey, isSubscribed: subscription !== null },
  };
}

/** Sets which events the caller is notified about. */
export async function changeNotifications(
  deps: NotificationDeps,
  caller: UserCaller,
  changes: Partial<NotificationChoices>,
): Promise<NotificationSettings> {
  const { id } = caller.user;
  await changeAs(deps, caller, ({ notifications }) => notifications.changeChoices(id, changes));
  return showNotifications(deps, caller);
}

/** Sets the caller's quiet hours; `null` removes them. */
export async function setQuietHours(
  deps: NotificationDeps,
  caller: UserCaller,
  requested: QuietHours | null,
): Promise<NotificationSettings> {
  return changeNotifications(deps, caller, { quietHours: requested && validateQuietHours(requested) });
}

function validateQuietHours(requested: QuietHours): QuietHours {
  if (!isTimeZone(requested.timeZone)) {
    throw new AppError('invalid', 'timeZone must be an IANA time zone, such as Europe/Berlin or UTC');
  }
  if (requested.fromMinute === requested.toMinute) {
    throw new AppError('invalid', 'toMinute must differ from fromMinute');
  }
  return { ...requested, days: [...new Set(requested.days)].sort() };
}

/** Sets which posts in a Hub the caller is notified about. */
export function setHubMode(
  deps: NotificationDeps,
  caller: UserCaller,
  hubId: string,
  mode: NotificationMode,
): Promise<NotificationSettings> {
  return setMode(deps, caller, mode, async (tx, current) => {
    const hub = await readableHub(tx, current, hubId);
    return { targetId: hub.id, hubId: hub.id };
  });
}

/** Sets whether posts from a key notify the caller. Every post shows the name of its key: no more rights needed. */
export function setKeyMode(
  deps: NotificationDeps,
  caller: UserCaller,
  keyId: string,
  mode: NotificationMode,
): Promise<NotificationSettings> {
  return setMode(deps, caller, mode, async (tx, current) => {
    const key = await tx.keys.find(keyId);
    const hub = key && (await tx.hubs.find(key.hubId));
    if (!key || hub?.deletedAt !== null || !(await isReader(tx, current, hub.id))) throw keyNotFound(keyId);
    return { targetId: key.id, hubId: key.hubId };
  });
}

/** Returns whether the caller is notified of the replies to an item. */
export async function showThreadMode(
  { store }: NotificationDeps,
  caller: UserCaller,
  itemId: string,
): Promise<ThreadNotifications> {
  const { id } = await threadOf(store, caller, itemId);
  const { user } = caller;
  const mode = (await store.notifications.modesOf(id)).find(({ userId }) => userId === user.id)?.mode ?? 'usual';
  const writers = mode === 'usual' ? await store.items.listThreadWriters(id, MAX_REPLIES_EXAMINED) : [];
  return { itemId: id, mode, isFollowing: mode === 'every' || writers.includes(user.id) };
}

/** Follows the thread of an item, or mutes it. */
export async function setThreadMode(
  deps: NotificationDeps,
  caller: UserCaller,
  itemId: string,
  mode: NotificationMode,
): Promise<ThreadNotifications> {
  await setMode(deps, caller, mode, async (tx, current) => {
    const { id: targetId, hubId } = await threadOf(tx, current, itemId);
    return { targetId, hubId };
  });
  return showThreadMode(deps, caller, itemId);
}

/** `findTarget` returns the Hub, key or item, or throws if the caller may not read its posts. */
async function setMode(
  deps: NotificationDeps,
  caller: UserCaller,
  mode: NotificationMode,
  findTarget: (tx: Repositories, current: Caller) => Promise<{ targetId: string; hubId: string }>,
): Promise<NotificationSettings> {
  const { id } = caller.user;
  await changeAs(deps, caller, async (tx, current) => {
    const target = await findTarget(tx, current);
    if (mode === 'usual') await tx.notifications.deleteMode(id, target);
    else await tx.notifications.setMode(id, { ...target, mode });
  });
  // The user's other pages show which Hubs are muted.
  deps.live.report(id, { type: 'hubs.changed' });
  return showNotifications(deps, caller);
}

/**
 * Returns a page of the keys that post to the caller's Hubs, newest first, without rotated ones. Callers who may not
 * manage keys see only those that have posted, and no more than the posts show.
 */
export async function listNotificationKeys(
  deps: NotificationDeps,
  caller: UserCaller,
  { limit, before }: PageRequest,
): Promise<Page<NotificationKey>> {
  const isManager = await isKeyManager(deps.store, caller);
  const matches = (key: KeyListing) =>
    key.successorId === null && canPost(deps, key) && (isManager || key.postCount > 0);
  const { items, next } = await findKeys(deps, { limit, before, memberId: caller.user.id, matches });
  return { items: items.map(({ id, hubId, name }) => ({ id, hubId, name })), next };
}

/** Sends the caller a test notification immediately, even during quiet hours. */
export async function sendTestNotification(
  { store, notifications, testNotificationRate }: NotificationDeps,
  { user }: UserCaller,
): Promise<SentTestNotification> {
  const seconds = testNotificationRate.admit(user.id);
  if (seconds > 0) {
    const limit = `${LIMITS.testNotificationsPerMinute} test notifications a minute`;
    throw tooManyRequests(`You can send at most ${limit}. Try again in ${seconds} s.`, seconds);
  }
  const { name } = await store.workspace.find();
  return notifications.report(user.id, {
    kind: 'test',
    title: `Test notification from ${name}`,
    body: 'Notifications work in this browser.',
    to: '/settings/notifications',
    // The next test notification replaces this one.
    tag: 'test',
  });
}

const AUTH_BYTES = 16;

/** Subscribes the browser of this session to push notifications while no page is open. */
export async function subscribePush(
  deps: NotificationDeps,
  caller: UserCaller,
  { endpoint, p256dh, auth }: SubscribePushBody,
  origin: string,
): Promise<PushSubscriptionInfo> {
  const { clock, notifications } = deps;
  if (notifications.publicKey === null) {
    throw new AppError(
      'conflict',
      'Push notifications are turned off on this server (HUB_PUSH). Notifications appear in open pages only.',
    );
  }
  const problem = endpointProblem(endpoint, notifications);
  if (problem !== null) throw new AppError('invalid', problem);
  const [point, secret] = [bytesOf(p256dh), bytesOf(auth)];
  if (!isPublicKey(point)) throw new AppError('invalid', 'p256dh must be the public key of the browser in base64url');
  if (secret.length !== AUTH_BYTES) {
    throw new AppError('invalid', `auth must be the secret of the browser: ${AUTH_BYTES} bytes in base64url`);
  }
  const now = clock.now();
  await changeAs(deps, caller, (tx) =>
    tx.notifications.setSubscription({
      sessionId: caller.credential.id,
      userId: caller.user.id,
      endpoint,
      p256dh: point,
      auth: secret,
      origin,
      createdAt: now,
    }),
  );
  return { service: new URL(endpoint).host, createdAt: isoTime(now) };
}

/** Ends the push subscription of this session. */
export async function unsubscribePush(deps: NotificationDeps, caller: UserCaller): Promise<PushSubscriptionInfo> {
  const { id: sessionId } = caller.credential;
  const ended = await changeAs(deps, caller, async ({ notifications }) => {
    const subscription = await notifications.findSubscription(sessionId);
    if (subscription) await notifications.deleteSubscription(sessionId);
    return subscription;
  });
  if (!ended) throw new AppError('not_found', 'The browser of this session is not subscribed to push notifications.');
  return { service: new URL(ended.endpoint).host, createdAt: isoTime(ended.createdAt) };
}

function bytesOf(base64Url: string): Uint8Array {
  return /^[\w-]*={0,2}$/.test(base64Url) ? Buffer.from(base64Url, 'base64url') : new Uint8Array();
}
