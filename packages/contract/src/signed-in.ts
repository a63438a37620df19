import { type Static, Type } from '@sinclair/typebox';
import { Me } from './people.ts';
import { OrNull } from './schema-parts.ts';

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
