import { MAX_ITEM_FILES, MAX_MESSAGE_CODE_POINTS, MAX_PAGE_ITEMS, MAX_UNREAD_COUNT } from './common-limits.ts';

/**
 * The limits of the public API. They are published in the OpenAPI document and in docs/public-api.md. Nothing is
 * truncated to fit: a request over a limit is rejected with an error that states the limit and the actual size. Text is
 * counted in Unicode code points, bodies and blocks in bytes of UTF-8.
 */
export const LIMITS = {
  messageTextCodePoints: MAX_MESSAGE_CODE_POINTS,
  titleCodePoints: 255,
  /** 100 years. For longer, use a key that never expires. */
  lifetimeSeconds: 3_155_760_000,
  noteContentCodePoints: 200_000,
  todoContentCodePoints: 40_000,
  blocks: 100,
  nestedBlockItems: 1_000,
  blockDepth: 8,
  blocksBytes: 256 * 1024,
  bodyBytes: 1024 * 1024,
  /** The body of an unauthenticated request, such as one to sign in or to use a link. */
  openBodyBytes: 16 * 1024,
  keyNameCodePoints: 64,
  keyDescriptionCodePoints: 200,
  keyLinkCodePoints: 2_000,
  hubNameCodePoints: 64,
  hubTopicCodePoints: 250,
  /** The changes that the history of a to-do lists. */
  todoChanges: 100,
  /** The items that can be pinned to a Hub. */
  pinsPerHub: 5,
  pageItems: MAX_PAGE_ITEMS,
  userNameCodePoints: 64,
  emailCodePoints: 254,
  passwordMinCodePoints: 8,
  passwordMaxCodePoints: 1_000,
  /** The avatar of a user or the bot. */
  avatarBytes: 256 * 1024,
  /** The width and the height of an avatar. */
  avatarPixels: 1_024,
  /** A file, unless the server has another limit. */
  fileBytes: 25 * 1024 * 1024,
  filesPerItem: MAX_ITEM_FILES,
  fileNameCodePoints: 255,
  /** The number of hours within which an uploaded file must be attached to an item. */
  unattachedFileHours: 24,
  /** The longest side of a preview in pixels. */
  previewPixels: 1_200,
  /** Images with more pixels have no preview. */
  imagePixels: 64_000_000,
  /** The maximum number of different emoji on one message. */
  reactionsPerMessage: 50,
  questionChoices: 10,
  choiceCodePoints: 80,
  /** The users and roles that a question names. */
  questionAnswerers: 20,
  /** The maximum number of days until a question expires. */
  questionDays: 30,
  /** The maximum number of reply authors that a message lists. */
  namedRepliers: 3,
  /** The keys that filters offer. */
  postingKeys: 200,
  unreadCount: MAX_UNREAD_COUNT,
  /** Counts of the contents of a Hub stop here. */
  hubCount: 1_000,
  searchQueryCodePoints: 200,
  /** The words of a search, and of each of its phrases. In scripts without spaces, two characters count as a word. */
  searchQueryWords: 32,
  searchPhraseWords: 16,
  /** The number of days for which events can be replayed. */
  eventRetentionDays: 7,
  /** The number of days after which deleted items are permanently erased. */
  deletedKeptDays: 30,
  /** The maximum size of a frame that a live client sends. */
  liveFrameBytes: 4 * 1024,
  /** The maximum number of Hubs that one live connection may follow. */
  liveSubscriptions: 10_000,
  /** The maximum number of valid personal access tokens that a user may have. */
  accessTokens: 20,
  factors: 20,
  /** The maximum number of sessions that a user may have. The oldest ends when a new one begins. */
  sessions: 50,
  /** The maximum number of test notifications that users may send themselves within any 60 seconds. */
  testNotificationsPerMinute: 5,
} as const;

/** The exact sliding window of each key: the 61st request within 60 s blocks the key for 300 s. */
export const RATE_LIMIT = { requests: 60, windowSeconds: 60, blockSeconds: 300 } as const;

/** How long a rotated key keeps working along with its successor. */
export const ROTATION_OVERLAP_SECONDS = 24 * 60 * 60;
