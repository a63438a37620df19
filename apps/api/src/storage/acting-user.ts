/**
 * The user behind a write, with the session or token they used. Their rights are checked again inside the transaction,
 * since they may have changed while the write was waiting. Omitted for the local admin, whose rights never change.
 */
export interface ActingUser {
  personId: string;
  credential: { kind: 'session' | 'token'; id: string };
}

/** The user behind a write. Omitted if no user is involved whose rights could change. */
export interface UserAction {
  actingUser?: ActingUser | undefined;
}
