import { type Static, Type } from '@sinclair/typebox';
import { FactorCode, SecondFactorRuleSchema } from './factors.ts';
import { LIMITS } from './limits.ts';
import { expiryFields, Id, Name, OrNull, oneExpiry, unset } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';

// ---- Users ---------------------------------------------------------------------------------------------------

export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];
const RoleSchema = Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Literal('member')], {
  description: 'Owners and admins manage the workspace; only owners can add and remove owners.',
  examples: ['admin'],
});

const userName = Name({ maxLength: LIMITS.userNameCodePoints, examples: ['Ada Lovelace'] });
const email = Type.String({ maxLength: LIMITS.emailCodePoints, examples: ['ada@example.org'] });
const newPassword = Type.String({
  minLength: LIMITS.passwordMinCodePoints,
  maxLength: LIMITS.passwordMaxCodePoints,
  description: `At least ${LIMITS.passwordMinCodePoints} characters. Rejected: common ones, and those based on a season, a month or the names of the workspace or the user.`,
  examples: ['in the year of the packet'],
});

const shownName = Type.String({ examples: ['Ada Lovelace'] });
const shownWorkspaceName = Type.String({ examples: ['Example Ltd'] });
const shownEmail = Type.String({ examples: ['ada@example.org'] });

export const User = Type.Object(
  {
    id: Id('usr'),
    name: shownName,
    email: shownEmail,
    role: RoleSchema,
    createdAt: Timestamp('When the account was created.'),
    disabledAt: OrNull(Timestamp('When it was disabled; it can be enabled again.'), unset),
    lastSeenAt: OrNull(
      Timestamp('The last request of any of its sessions and tokens, within a minute. Visible only to admins.'),
    ),
  },
  { additionalProperties: false, description: 'A user account.' },
);
export type User = Static<typeof User>;

/** The keys and open to-dos of a user in one Hub. They stay when the account is disabled. */
export const Responsibility = Type.Object(
  {
    hubId: Id('hub'),
    hubName: Type.String({ examples: ['Releases'] }),
    isMember: Type.Boolean({ description: 'Whether the user is a member.', examples: [true] }),
    keys: Type.Integer({ description: 'Usable keys that the user issued.', examples: [1] }),
    openTodos: Type.Integer({ description: 'Open to-dos assigned to the user.', examples: [2] }),
  },
  { additionalProperties: false },
);
export type Responsibility = Static<typeof Responsibility>;

/** The keys and open to-dos of a user in all Hubs that are not deleted, sorted by Hub name. */
export const Responsibilities = Type.Object({ items: Type.Array(Responsibility) }, { additionalProperties: false });
export type Responsibilities = Static<typeof Responsibilities>;

/** A user as shown in items. */
export const UserRef = Type.Object({ id: Id('usr'), name: shownName }, { additionalProperties: false });
export type UserRef = Static<typeof UserRef>;

/**
 * A reference to the avatar of a user (`/users/:id/avatar`) or of the bot (`/workspace/bot-avatar`). The URL has the
 * version in `?v=`, so that browsers can cache the image until it changes.
 */
export const AvatarRef = Type.Object(
  {
    id: Id('usr', { description: 'ID of the user or the bot, as in the `author` of an item.' }),
    kind: Type.Union([Type.Literal('bot'), Type.Literal('user')], { examples: ['user'] }),
    version: Type.String({
      description: 'Changes with each new avatar. Use it as `?v=`.',
      examples: ['5d41402abc4b2a76'],
    }),
  },
  { additionalProperties: false, description: 'The avatar of a user or the bot.' },
);
export type AvatarRef = Static<typeof AvatarRef>;

export const AVATAR_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

export const Member = Type.Object(
  {
    id: Id('usr', { description: 'The ID of the user.' }),
    name: shownName,
    email: shownEmail,
    role: RoleSchema,
    disabledAt: OrNull(Timestamp('When the account was disabled.'), unset),
    joinedAt: Timestamp('When the user joined the Hub.'),
  },
  { additionalProperties: false, description: 'A member of a Hub.' },
);
export type Member = Static<typeof Member>;

export const AddMemberBody = Type.Object(
  { userId: Id('usr', { description: 'The user to add.' }) },
  { additionalProperties: false },
);
export type AddMemberBody = Static<typeof AddMemberBody>;

export const CreateUserBody = Type.Object(
  { email, name: userName, role: Type.Optional(RoleSchema), password: newPassword },
  { additionalProperties: false, description: 'An account with a password. `role` defaults to `member`.' },
);
export type CreateUserBody = Static<typeof CreateUserBody>;

export const ChangeUserBody = Type.Object(
  { name: Type.Optional(userName), role: Type.Optional(RoleSchema) },
  { additionalProperties: false },
);
export type ChangeUserBody = Static<typeof ChangeUserBody>;

// ---- Signing in ----------------------------------------------------------------------------------------------

/** At most as long as a new password may be: a longer one is always wrong, so there is no need to hash it. */
const currentPassword = Type.String({
  maxLength: LIMITS.passwordMaxCodePoints,
  examples: ['correct horse battery staple'],
});

export const SignInBody = Type.Object(
  { email, password: currentPassword, code: Type.Optional(FactorCode) },
  { additionalProperties: false },
);
export type SignInBody = Static<typeof SignInBody>;

/** The signed-in user. */
export const Me = Type.Object(
  {
    id: Id('usr'),
    name: shownName,
    email: shownEmail,
    role: RoleSchema,
    createdAt: Timestamp('When the account was created.'),
    workspace: Type.Object(
      {
        name: shownWorkspaceName,
        maxFileBytes: Type.Integer({
          description: 'The largest file that can be uploaded (`HUB_MAX_FILE_BYTES`).',
          examples: [26_214_400],
        }),
      },
      { additionalProperties: false },
    ),
    secondFactor: Type.Optional(
      Type.Object(
        {
          dueAt: Timestamp('From then on, a session can only set one up.', '2026-03-08T09:30:00.000Z'),
          isOverdue: Type.Boolean({ examples: [false] }),
        },
        { additionalProperties: false, description: 'The workspace asks for a second factor. Omitted if it does not.' },
      ),
    ),
  },
  { additionalProperties: false },
);
export type Me = Static<typeof Me>;

export const ChangeMeBody = Type.Object({ name: Type.Optional(userName) }, { additionalProperties: false });
export type ChangeMeBody = Static<typeof ChangeMeBody>;

export const ChangeEmailBody = Type.Object({ email }, { additionalProperties: false });
export type ChangeEmailBody = Static<typeof ChangeEmailBody>;

export const EmailChange = Type.Object(
  {
    email: shownEmail,
    pending: OrNull(
      Type.String({
        description: 'The new address, to which a link was sent that confirms it.',
        examples: ['lovelace@example.org'],
      }),
    ),
  },
  { additionalProperties: false },
);
export type EmailChange = Static<typeof EmailChange>;

export const revokeTokens = Type.Optional(
  Type.Boolean({
    description: 'Whether to revoke all personal access tokens, too. By default, they stay valid.',
    examples: [true],
  }),
);

export const ChangePasswordBody = Type.Object(
  { currentPassword, newPassword, revokeTokens },
  { additionalProperties: false },
);
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;

export const Session = Type.Object(
  {
    id: Id('ses'),
    createdAt: Timestamp('When the user signed in.'),
    lastUsedAt: Timestamp('Its last request, within a minute.'),
    expiresAt: Timestamp(
      'When it expires unless it is used before; at the latest 90 days after sign-in.',
      '2026-03-31T09:30:00.000Z',
    ),
    address: Type.String({ examples: ['192.0.2.1'] }),
    userAgent: OrNull(
      Type.String({ examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'] }),
    ),
    isCurrent: Type.Boolean({ description: 'Whether it is the session of this request.', examples: [true] }),
  },
  { additionalProperties: false, description: 'A signed-in browser.' },
);
export type Session = Static<typeof Session>;

export const PersonalToken = Type.Object(
  {
    id: Id('pat'),
    name: Type.String({ examples: ['hubctl on my laptop'] }),
    hint: Type.String({ examples: ['hub_pat_…cH7M'] }),
    createdAt: Timestamp('When it was created.'),
    expiresAt: OrNull(Timestamp('When it expires.', '2026-05-30T09:30:00.000Z')),
    lastUsedAt: OrNull(Timestamp('Its last request, within a minute.'), unset),
    lastUsedAddress: OrNull(Type.String()),
    isCurrent: Type.Boolean({ description: 'Whether it is the token of this request.', examples: [false] }),
  },
  { additionalProperties: false, description: 'A personal access token, without the token.' },
);
export type PersonalToken = Static<typeof PersonalToken>;

export const IssuedPersonalToken = Type.Composite(
  [
    PersonalToken,
    Type.Object({
      token: Type.String({
        description: 'The token. It is shown only this once.',
        examples: ['hub_pat_ExampleOfTheDocumentationNotReal1301cH7M'],
      }),
    }),
  ],
  { additionalProperties: false },
);
export type IssuedPersonalToken = Static<typeof IssuedPersonalToken>;

export const CreatePersonalTokenBody = Type.Object(
  { name: Name({ maxLength: LIMITS.keyNameCodePoints, examples: ['hubctl on my laptop'] }), ...expiryFields },
  { additionalProperties: false, ...oneExpiry },
);
export type CreatePersonalTokenBody = Static<typeof CreatePersonalTokenBody>;

// ---- The workspace -------------------------------------------------------------------------------------------

export const Workspace = Type.Object(
  {
    name: shownWorkspaceName,
    botName: Type.String({ description: 'The author name of posts made with a key.', examples: ['Robot'] }),
    membersManageKeys: Type.Boolean({
      description: 'Whether members can manage the keys of their Hubs, or only admins.',
      examples: [true],
    }),
    longestKeyLifetimeDays: OrNull(
      Type.Integer({ description: 'The maximum lifetime of new keys, in days. `null`: no limit.', examples: [365] }),
    ),
    secondFactor: SecondFactorRuleSchema,
  },
  { additionalProperties: false },
);
export type Workspace = Static<typeof Workspace>;

export const ChangeWorkspaceBody = Type.Object(
  {
    name: Type.Optional(Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Example Ltd'] })),
    botName: Type.Optional(Name({ maxLength: LIMITS.userNameCodePoints, examples: ['Robot'] })),
    membersManageKeys: Type.Optional(Type.Boolean({ examples: [true] })),
    longestKeyLifetimeDays: Type.Optional(
      OrNull(
        Type.Integer({
          minimum: 1,
          maximum: 36_500,
          description: 'Applies to keys issued, rotated or replaced from now on. `null`: no limit.',
        }),
        { examples: [365] },
      ),
    ),
    secondFactor: Type.Optional(SecondFactorRuleSchema),
  },
  { additionalProperties: false },
);
export type ChangeWorkspaceBody = Static<typeof ChangeWorkspaceBody>;
