import { type Static, Type } from '@sinclair/typebox';
import { OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { Me, SignInBody } from './users.ts';

/** Who is signed in, if anybody is. */
export const SignedIn = Type.Object(
  {
    me: OrNull(Me),
    needsSetup: Type.Optional(
      Type.Literal(true, {
        description: 'Nobody has an account yet: the set-up link makes the owner. Absent otherwise.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SignedIn = Static<typeof SignedIn>;

export const ConfirmSessionBody = Type.Object(
  { password: SignInBody.properties.password },
  { additionalProperties: false },
);
export type ConfirmSessionBody = Static<typeof ConfirmSessionBody>;

export const SessionConfirmation = Type.Object(
  { confirmedUntil: Timestamp('Until when the session is not asked for the password again.') },
  { additionalProperties: false },
);
export type SessionConfirmation = Static<typeof SessionConfirmation>;

export const TakeBackupBody = Type.Object(
  { password: Type.Optional(SignInBody.properties.password) },
  {
    additionalProperties: false,
    description: 'With a session, the password of the owner. An access token and the local admin send none.',
  },
);
export type TakeBackupBody = Static<typeof TakeBackupBody>;
