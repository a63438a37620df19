/** What a key did on one day (days since 1970, UTC). */
export interface KeyDayRecord {
  day: number;
  requests: number;
  posts: number;
  /** Blocks that began on it. */
  blocks: number;
}

/** An address from which a key was used. */
export interface KeyAddressRecord {
  address: string;
  lastUsedAt: number;
  requests: number;
}

/** Requests of one key since they were last written down. */
export interface KeyUsageTally {
  requestCount: number;
  lastUsedAt: number;
  lastUsedAddress: string;
  /** From where they came, each address once. */
  addresses: readonly KeyAddressRecord[];
}
