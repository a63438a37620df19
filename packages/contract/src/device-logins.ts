import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { Name, OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { IssuedPersonalToken } from './users.ts';

const DEVICE_CODE = 'hub_dev_ExampleOfTheDocumentationNotReal213K8kN7';
const deviceCode = Type.String({
  description: 'The secret of the program that wants to log in.',
  examples: [DEVICE_CODE],
});
const userCode = Type.String({
  description: 'The code that the user types: eight letters. Case, spaces and hyphens are ignored.',
  maxLength: 40,
  examples: ['BCDF-GHJK'],
});
const name = Name({ maxLength: LIMITS.keyNameCodePoints, examples: ['hubctl on my laptop'] });
const expiresAt = Timestamp('When both codes expire.', '2026-03-01T09:40:00.000Z');
const intervalSeconds = Type.Integer({ description: 'How long to wait before the next poll.', examples: [5] });

export const StartDeviceLoginBody = Type.Object({ name }, { additionalProperties: false });
export type StartDeviceLoginBody = Static<typeof StartDeviceLoginBody>;

/** A login that waits for its user, in the shape of RFC 8628, section 3.2. */
export const DeviceLogin = Type.Object(
  {
    deviceCode,
    userCode,
    verificationUrl: Type.String({
      description: 'The page where the user types the code.',
      examples: ['https://hub.example.org/settings/device'],
    }),
    intervalSeconds,
    expiresAt,
  },
  { additionalProperties: false },
);
export type DeviceLogin = Static<typeof DeviceLogin>;

export const PollDeviceLoginBody = Type.Object({ deviceCode }, { additionalProperties: false });

/** The state of a login (RFC 8628, section 3.5). */
export const DeviceLoginState = Type.Object(
  {
    state: Type.Unsafe<'pending' | 'slow_down' | 'denied' | 'approved'>(
      Type.Union(
        ['pending', 'slow_down', 'denied', 'approved'].map((state) => Type.Literal(state)),
        {
          description:
            '`slow_down`: the poll came too early, and the interval is now longer. After `denied` and `approved`, the device code is used up.',
          examples: ['pending'],
        },
      ),
    ),
    intervalSeconds,
    issued: OrNull(IssuedPersonalToken, { examples: [null] }),
  },
  { additionalProperties: false },
);
export type DeviceLoginState = Static<typeof DeviceLoginState>;

export const InspectDeviceLoginBody = Type.Object({ userCode }, { additionalProperties: false });

/** The login that a code belongs to, for the user who decides. */
export const DeviceLoginRequest = Type.Object(
  {
    name: Type.String({ description: 'The name that the program gave itself.', examples: ['hubctl on my laptop'] }),
    address: Type.String({ description: 'The address that it came from.', examples: ['192.0.2.1'] }),
    isSameNetwork: Type.Boolean({ description: 'Whether the request of the user comes from that network, too.' }),
    createdAt: Timestamp('When it was started.', '2026-03-01T09:30:00.000Z'),
    expiresAt,
  },
  { additionalProperties: false },
);
export type DeviceLoginRequest = Static<typeof DeviceLoginRequest>;

export const DecideDeviceLoginBody = Type.Object(
  { userCode, isApproved: Type.Boolean({ description: 'Whether to let the program in.', examples: [true] }) },
  { additionalProperties: false },
);
