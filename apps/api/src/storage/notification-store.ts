import type { QuietHours } from '@hub/contract';
import type { KeyTimes } from '@hub/contract/key-state';

export interface NotificationChoices {
  mentions: boolean;
  assignments: boolean;
  replies: boolean;
  quietHours: QuietHours | null;
}

/** The choices of users who have not changed anything. */
export const DEFAULT_CHOICES: NotificationChoices = {
  mentions: true,
  assignments: true,
  replies: true,
  quietHours: null,
};

/** Returns choices as they are stored. */
export function choiceColumns({ quietHours, ...choices }: Partial<NotificationChoices>) {
  if (quietHours === undefined) return choices;
  return { ...choices, quietHours: quietHours && JSON.stringify(quietHours) };
}

/** The notification mode of a Hub or a key, if it is not the default. */
export interface NotificationModeRecord {
  targetId: string;
  hubId: string;
  mode: 'every' | 'muted';
}

/** A mode, with the key if it applies to a key. */
interface ListedNotificationMode extends NotificationModeRecord {
  key: (KeyTimes & { name: string }) | null;
}

/** The settings that decide whether a user is notified of an item in a Hub. */
export interface Recipient extends NotificationChoices {
  /** False if the user has left the Hub or is disabled, or if the Hub was deleted. */
  isReader: boolean;
  /** The modes of the Hub and, if a key was given, of the key. */
  modes: NotificationModeRecord[];
}

export interface PushSubscriptionRecord {
  sessionId: string;
  userId: string;
  endpoint: string;
  p256dh: Uint8Array;
  auth: Uint8Array;
  /** The origin of the page that subscribed, which is the server's address for the contact of push services. */
  origin: string;
  createdAt: number;
}

/** The key pair that identifies this server to push services: a point on P-256 and its scalar. */
export interface PushIdentity {
  publicKey: Uint8Array;
  privateKey: Uint8Array;
}

/** A Hub or a key, and a user who wants a notification for each of its posts. */
export interface WantedTarget {
  targetId: string;
  userId: string;
}

interface NotificationReads {
  choices(userId: string): Promise<NotificationChoices>;
  /** Lists the modes for the live Hubs of the user. */
  modes(userId: string): Promise<ListedNotificationMode[]>;
  /** Whether this user has muted this Hub. */
  isMuted(userId: string, hubId: string): Promise<boolean>;
  /** Lists the users who want a notification for each post in these Hubs or from these keys. */
  wantingAllPosts(targetIds: readonly string[]): Promise<WantedTarget[]>;
  recipient(query: { userId: string; hubId: string; keyId: string | null }): Promise<Recipient>;
  /** Lists the subscriptions of sessions that end after `now`. */
  subscriptions(userId: string, now: number): Promise<PushSubscriptionRecord[]>;
  findSubscription(sessionId: string): Promise<PushSubscriptionRecord | null>;
  findIdentity(): Promise<PushIdentity | null>;
}

export interface NotificationStore extends NotificationReads {
  countSubscriptions(): number;
}

export interface NotificationRepository extends NotificationReads {
  /** Changes the given choices. The others stay, even if they are changed at the same time. */
  changeChoices(userId: string, changes: Partial<NotificationChoices>): Promise<void>;
  setMode(userId: string, mode: NotificationModeRecord): Promise<void>;
  deleteMode(userId: string, targetId: string): Promise<void>;
  /** Copies what users have chosen for one key to another. */
  copyModes(fromKeyId: string, toKeyId: string): Promise<void>;
  /** Replaces any subscription with the same session or endpoint. */
  setSubscription(subscription: PushSubscriptionRecord): Promise<void>;
  deleteSubscription(sessionId: string): Promise<void>;
  /** There must be none yet. */
  insertIdentity(identity: PushIdentity): Promise<void>;
}
