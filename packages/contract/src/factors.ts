import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { Id, Name, OrNull, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

/** Characters are ASCII letters and digits; spaces and hyphens in between are ignored. */
export const FactorCode = Type.String({
  maxLength: 64,
  description: 'Six digits of an authenticator app (RFC 6238), or a recovery code. Each works once.',
  examples: ['492039'],
});

const factorName = Name({ maxLength: LIMITS.keyNameCodePoints, examples: ['Phone'] });
const recoveryCodes = Type.Array(Type.String({ examples: ['7K2QM-9D4XR-M0T3C-V8EHA-2NFB6'] }), {
  description: 'Ten codes, each of which works once in place of another factor. They are shown only this once.',
});

export const Factor = Type.Object(
  {
    id: Id('fac'),
    kind: Type.Union([Type.Literal('totp'), Type.Literal('passkey')], {
      description: '`totp`: an authenticator app.',
      examples: ['totp'],
    }),
    name: Type.String({ examples: ['Phone'] }),
    createdAt: Timestamp('When it was added.'),
    lastUsedAt: OrNull(Timestamp('When it was last used to sign in.'), unset),
  },
  { additionalProperties: false, description: 'A second factor.' },
);
export type Factor = Static<typeof Factor>;

export const Factors = Type.Object(
  {
    items: Type.Array(Factor),
    recoveryCodesLeft: Type.Integer({ description: 'Recovery codes that were not used.', examples: [10] }),
  },
  { additionalProperties: false },
);
export type Factors = Static<typeof Factors>;

export const TotpSecret = Type.Object(
  {
    secret: Type.String({ description: 'In base 32, for typing.', examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'] }),
    uri: Type.String({
      description: 'For a QR code.',
      examples: ['otpauth://totp/Hub:ada@example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Hub'],
    }),
  },
  { additionalProperties: false },
);
export type TotpSecret = Static<typeof TotpSecret>;

/** The result of a browser's `navigator.credentials` in its JSON form (Web Authentication, section 5.1). */
const credential = Type.String({ maxLength: 32_768, description: 'The credential as JSON text.' });

export const AddFactorBody = Type.Object(
  {
    name: factorName,
    secret: Type.Optional(Type.String({ maxLength: 64, description: 'For an authenticator app: its secret.' })),
    code: Type.Optional(Type.String({ maxLength: 32, description: 'With `secret`: the code that the app shows.' })),
    credential: Type.Optional(credential),
  },
  {
    additionalProperties: false,
    description: 'Either `secret` and `code`, for an authenticator app, or `credential`, for a passkey.',
    examples: [{ name: 'Phone', secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', code: '492039' }],
  },
);
export type AddFactorBody = Static<typeof AddFactorBody>;

export const AddedFactor = Type.Object(
  { factor: Factor, recoveryCodes: OrNull(recoveryCodes, { examples: [['7K2QM-9D4XR-M0T3C-V8EHA-2NFB6']] }) },
  { additionalProperties: false, description: 'The first factor comes with recovery codes.' },
);
export type AddedFactor = Static<typeof AddedFactor>;

export const RenameFactorBody = Type.Object({ name: factorName }, { additionalProperties: false });
export type RenameFactorBody = Static<typeof RenameFactorBody>;

export const RecoveryCodes = Type.Object({ recoveryCodes }, { additionalProperties: false });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/** The options to pass to the browser, in their JSON form. They hold for five minutes, and for one use. */
export const PasskeyOptions = Type.Object(
  { options: Type.Record(Type.String(), Type.Unknown(), { description: 'The `publicKey` options as JSON.' }) },
  { additionalProperties: false },
);
export type PasskeyOptions = Static<typeof PasskeyOptions>;

export const PasskeySignInBody = Type.Object({ credential }, { additionalProperties: false });
export type PasskeySignInBody = Static<typeof PasskeySignInBody>;

export const SECOND_FACTOR_RULES = ['optional', 'admins', 'everyone'] as const;
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];
export const SecondFactorRuleSchema = Type.Union(
  [Type.Literal('optional'), Type.Literal('admins'), Type.Literal('everyone')],
  {
    description: 'Who must set up a second factor, within seven days: owners and admins, or all.',
    examples: ['admins'],
  },
);
