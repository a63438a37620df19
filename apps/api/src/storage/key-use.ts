/** Usage of a key on one day (days since 1970, UTC). */
export interface KeyDayRecord {
  day: number;
  requests: number;
  posts: number;
  /** Blocks that began on this day. */
  blocks: number;
}

/** An address from which a key was used. */
export interface KeyAddressRecord {
  address: string;
  lastUsedAt: number;
  requests: number;
}

/** Requests made with one key since its usage was last saved. */
export interface KeyUsageTally {
  requestCount: number;
  lastUsedAt: number;
  lastUsedAddress: string;
  /** The distinct client addresses. */
  addresses: readonly KeyAddressRecord[];
}
