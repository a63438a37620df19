import { type Static, Type } from '@sinclair/typebox';
import { Me } from './people.ts';
import { OrNull } from './schema-parts.ts';

/** Who is signed in, if anybody is. */
export const SignedIn = Type.Object({ me: OrNull(Me) }, { additionalProperties: false });
export type SignedIn = Static<typeof SignedIn>;
