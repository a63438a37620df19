/**
 * As whom a person writes: his account, and the session or token that he has shown. What he may is judged once more inside
 * the transaction, since he may have lost it while he waited for his turn. The local admin has none: he loses nothing.
 */
export interface KeyStatus {
  personId: string;
  credential: { kind: 'session' | 'token'; id: string };
}

/** Of what somebody writes. Left out: nobody who could lose his rights. */
export interface ByUser {
  by?: KeyStatus | undefined;
}
