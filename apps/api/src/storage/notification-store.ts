import type { QuietHours } from '@hub/contract';
import type { KeyTimes } from '@hub/contract/key-state';
import type { UserAction } from './acting-user.ts';

export interface NotificationChoices {
  mentions: boolean;
  assignments: boolean;
  replies: boolean;
  quietHours: QuietHours | null;
}

/** The notification mode of a Hub or a key, if it is not the default. */
export interface NotificationModeRecord {
  targetId: string;
  hubId: string;
  mode: 'every' | 'muted';
}

/** A mode, with the key if it applies to a key. */
export interface ListedNotificationMode extends NotificationModeRecord {
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
  personId: string;
  endpoint: string;
  p256dh: Uint8Array;
  auth: Uint8Array;
  createdAt: number;
}

/** The key pair that identifies this server to push services: a point on P-256 and its scalar. */
export interface PushIdentity {
  publicKey: Uint8Array;
  privateKey: Uint8Array;
}

export interface NotificationStore {
  choices(personId: string): Promise<NotificationChoices>;
  change(
    change: UserAction & { personId: string; changes: Partial<NotificationChoices> },
  ): Promise<NotificationChoices>;
  /** Lists the modes for the live Hubs of the user. */
  modes(personId: string): Promise<ListedNotificationMode[]>;
  /** `usual` deletes the row. Rejects if the user is no longer a member of the Hub. */
  setMode(
    change: UserAction & { personId: string; targetId: string; hubId: string; mode: 'usual' | 'every' | 'muted' },
  ): Promise<void>;
  /** Whether this user has muted this Hub. */
  isMuted(personId: string, hubId: string): Promise<boolean>;
  /** Returns the users who want a notification for each post in the Hub or from the key. */
  wantingAllPosts(targetIds: readonly string[]): Promise<string[]>;
  recipient(query: { personId: string; hubId: string; keyId: string | null }): Promise<Recipient>;

  /** Replaces any subscription with the same session or endpoint. Rejects if the session has ended. */
  subscribe(subscription: PushSubscriptionRecord): Promise<void>;
  /**
   * Returns false if there was no subscription to remove. If `endpoint` is given, removes the subscription only if it
   * still has that endpoint.
   */
  unsubscribe(query: { sessionId: string; endpoint?: string }): Promise<boolean>;
  /** Lists the subscriptions of sessions that end after `now`. */
  subscriptions(personId: string, now: number): Promise<PushSubscriptionRecord[]>;
  findSubscription(sessionId: string): Promise<PushSubscriptionRecord | null>;
  countSubscriptions(): number;
  /** Returns the stored identity; stores `made` first if there is none yet. */
  identity(made: PushIdentity): Promise<PushIdentity>;
  findIdentity(): Promise<PushIdentity | null>;
}
