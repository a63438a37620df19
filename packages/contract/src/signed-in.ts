import { type Static, Type } from '@sinclair/typebox';
import { OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { Me, SignInBody } from './users.ts';

/** The signed-in user, or `null`. */
export const SignedIn = Type.Object(
  {
    me: OrNull(Me),
    needsSetup: Type.Optional(
      Type.Literal(true, {
        description: 'There are no accounts yet. The setup link creates the first owner. Omitted otherwise.',
      }),
    ),
    canReset: Type.Optional(
      Type.Literal(true, { description: 'Users can request a reset link by e-mail. Omitted otherwise.' }),
    ),
    provider: Type.Optional(
      Type.Object(
        {
          name: Type.String({ examples: ['Keycloak'] }),
          isOnly: Type.Boolean({ description: 'Whether passwords are turned off.' }),
          isDirect: Type.Boolean({ description: 'Whether the sign-in page opens the provider at once.' }),
        },
        {
          additionalProperties: false,
          description:
            'The OpenID Connect provider with which users can sign in, at `/sign-in`. Omitted if there is none.',
        },
      ),
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
  { confirmedUntil: Timestamp('The session does not need the password again before this time.') },
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
