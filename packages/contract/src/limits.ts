/**
 * The limits of the public API. They are published in the OpenAPI document and in docs/public-api.md, and nothing
 * is ever truncated to fit: what is over a limit is refused with the limit and the actual size.
 * Text is counted in Unicode code points, bodies and blocks in bytes of UTF-8.
 */
export const LIMITS = {
  messageTextCodePoints: 40_000,
  titleCodePoints: 255,
  noteContentCodePoints: 200_000,
  todoContentCodePoints: 40_000,
  blocks: 100,
  nestedBlockItems: 1_000,
  blockDepth: 8,
  blocksBytes: 256 * 1024,
  bodyBytes: 1024 * 1024,
  /** Of a request that nobody has authenticated: signing in, and the links. */
  openBodyBytes: 16 * 1024,
  keyNameCodePoints: 64,
  hubNameCodePoints: 64,
  pageItems: 100,
  userNameCodePoints: 64,
  emailCodePoints: 254,
  passwordMinCodePoints: 8,
  passwordMaxCodePoints: 1_000,
  /** Of a person or the bot. */
  avatarBytes: 256 * 1024,
  /** Its width and its height. */
  avatarPixels: 1_024,
  /** Different emoji on one message. */
  reactionsPerMessage: 50,
  /** Of those who replied to a message, so many are named with it. */
  namedRepliers: 3,
  /** Unread items are counted no further. */
  unreadCount: 100,
  /** Of what a Hub holds: beyond it, nobody counts. */
  hubCount: 1_000,
  searchQueryCodePoints: 200,
  /** Days for which events can be replayed. */
  eventRetentionDays: 7,
  /** Days after which what was deleted is erased for good. */
  deletedKeptDays: 30,
  /** Bytes of a frame that a live client sends. */
  liveFrameBytes: 4 * 1024,
  /** Hubs that one live connection may follow. */
  liveSubscriptions: 10_000,
  /** Valid personal access tokens of a user. */
  accessTokens: 20,
  /** Test notifications that a user may send to themselves within any 60 seconds. */
  testNotificationsPerMinute: 5,
} as const;

/** The exact sliding window of each key: the 61st request within 60 s blocks the key for 300 s. */
export const RATE_LIMIT = { requests: 60, windowSeconds: 60, blockSeconds: 300 } as const;

/** How long a rotated key works on beside its successor. */
export const ROTATION_OVERLAP_SECONDS = 24 * 60 * 60;
