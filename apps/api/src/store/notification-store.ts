import type { QuietHours } from '@hub/contract';
import type { KeyTimes } from '@hub/contract/key-state';
import type { ByUser } from './state.ts';

export interface NotificationChoices {
  mentions: boolean;
  assignments: boolean;
  replies: boolean;
  quietHours: QuietHours | null;
}

/** Of a Hub or a key that is not as usual. */
export interface NotificationModeRecord {
  targetId: string;
  hubId: string;
  mode: 'every' | 'muted';
}

/** The same with the key, if it is of one. */
export interface ListedNotificationMode extends NotificationModeRecord {
  key: (KeyTimes & { name: string }) | null;
}

/** What decides whether somebody is told of something in a Hub. */
export interface Recipient extends NotificationChoices {
  /** Nobody who has left the Hub, none whose account is disabled, none if the Hub was deleted. */
  isReader: boolean;
  /** Of the Hub and, if a key was asked for, of the key. */
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

/** The key pair by which push services know this server: a point of P-256 and its scalar. */
export interface PushIdentity {
  publicKey: Uint8Array;
  privateKey: Uint8Array;
}

export interface NotificationStore {
  choices(personId: string): Promise<NotificationChoices>;
  change(change: ByUser & { personId: string; changes: Partial<NotificationChoices> }): Promise<NotificationChoices>;
  /** In live Hubs that the person belongs to. */
  modes(personId: string): Promise<ListedNotificationMode[]>;
  /** `usual` takes the row away. Refused to who does not belong to the Hub any more. */
  setMode(
    change: ByUser & { personId: string; targetId: string; hubId: string; mode: 'usual' | 'every' | 'muted' },
  ): Promise<void>;
  /** Whether this person has muted this Hub. */
  isMuted(personId: string, hubId: string): Promise<boolean>;
  /** Who wants to hear of each post in the Hub or by the key. */
  wantingEvery(targetIds: readonly string[]): Promise<string[]>;
  recipient(query: { personId: string; hubId: string; keyId: string | null }): Promise<Recipient>;

  /** Takes the place of what the session, or anybody with this endpoint, had. Refused if the session has ended. */
  subscribe(subscription: PushSubscriptionRecord): Promise<void>;
  /** False if there was none. With an `endpoint`: only if it is still that. */
  unsubscribe(query: { sessionId: string; endpoint?: string }): Promise<boolean>;
  /** Of sessions that end after `now`. */
  subscriptions(personId: string, now: number): Promise<PushSubscriptionRecord[]>;
  findSubscription(sessionId: string): Promise<PushSubscriptionRecord | null>;
  countSubscriptions(): number;
  /** The one that there is; `made` only if there is none yet. */
  identity(made: PushIdentity): Promise<PushIdentity>;
  findIdentity(): Promise<PushIdentity | null>;
}
