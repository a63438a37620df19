import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';
import { expiryFields, Name, OrNull, oneExpiry } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { Actor } from './workspace.ts';

// ---- People --------------------------------------------------------------------------------------------------

export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];
const RoleSchema = Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Literal('member')], {
  description: 'Owners and admins manage the workspace; only owners make and unmake owners.',
});

const userName = Name({ maxLength: LIMITS.userNameCodePoints, examples: ['Ada Lovelace'] });
const email = Type.String({ maxLength: LIMITS.emailCodePoints, examples: ['ada@example.org'] });
const newPassword = Type.String({
  minLength: LIMITS.passwordMinCodePoints,
  maxLength: LIMITS.passwordMaxCodePoints,
  description: `At least ${LIMITS.passwordMinCodePoints} characters, of any kind. Common passwords are refused.`,
});

export const User = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: RoleSchema,
    createdAt: Timestamp('When the account was made.'),
    disabledAt: OrNull(Timestamp('When it was disabled; it can be enabled again.')),
    lastSeenAt: OrNull(
      Timestamp('The last request of any of its sessions and tokens, within a minute. Only admins are told.'),
    ),
  },
  { additionalProperties: false, description: 'Somebody with an account.' },
);
export type User = Static<typeof User>;

/** What hangs on a person in one Hub. It stays when the account is disabled. */
export const Holding = Type.Object(
  {
    hubId: Type.String(),
    hubName: Type.String(),
    isMember: Type.Boolean({ description: 'Whether the person belongs to it.' }),
    keys: Type.Integer({ description: 'Keys that the person has issued and that can post now.' }),
    openTodos: Type.Integer({ description: 'Open to-dos that are assigned to the person.' }),
  },
  { additionalProperties: false },
);
export type Holding = Static<typeof Holding>;

/** In all Hubs that are not deleted, by name. */
export const Holdings = Type.Object({ items: Type.Array(Holding) }, { additionalProperties: false });
export type Holdings = Static<typeof Holdings>;

/** A person as items name them. */
export const UserRef = Type.Object({ id: Type.String(), name: Type.String() }, { additionalProperties: false });
export type UserRef = Static<typeof UserRef>;

/**
 * That somebody has a picture. It is at `/people/:id/picture`, that of the bot at `/workspace/bot-picture`, each with
 * `?v=` and the version, so that browsers keep it for as long as it stays the same.
 */
export const AvatarRef = Type.Object(
  {
    id: Type.String({ description: 'Of the person or the bot, as in the `author` of an item.' }),
    kind: Type.Union([Type.Literal('bot'), Type.Literal('person')]),
    version: Type.String({
      description: 'Another one for each other picture. It goes into `?v=`.',
      examples: ['5d41402abc4b2a76'],
    }),
  },
  { additionalProperties: false, description: 'That a person or the bot has a picture.' },
);
export type AvatarRef = Static<typeof AvatarRef>;

export const AVATAR_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type AvatarType = (typeof AVATAR_TYPES)[number];

export const Member = Type.Object(
  {
    id: Type.String({ description: 'The id of the person.' }),
    name: Type.String(),
    email: Type.String(),
    role: RoleSchema,
    disabledAt: OrNull(Timestamp('When the account was disabled.')),
    joinedAt: Timestamp('Since when this person belongs to the Hub.'),
  },
  { additionalProperties: false, description: 'A person who belongs to a Hub.' },
);
export type Member = Static<typeof Member>;

export const AddMemberBody = Type.Object(
  { personId: Type.String({ description: 'Whom to add.' }) },
  { additionalProperties: false },
);
export type AddMemberBody = Static<typeof AddMemberBody>;

export const CreateUserBody = Type.Object(
  { email, name: userName, role: Type.Optional(RoleSchema), password: newPassword },
  { additionalProperties: false, description: 'An account with a password. `role` is `member` if left out.' },
);
export type CreateUserBody = Static<typeof CreateUserBody>;

export const ChangeUserBody = Type.Object(
  { name: Type.Optional(userName), role: Type.Optional(RoleSchema) },
  { additionalProperties: false },
);
export type ChangeUserBody = Static<typeof ChangeUserBody>;

// ---- Signing in ----------------------------------------------------------------------------------------------

/** Of no more characters than a new one: anything longer cannot be right, and need not be hashed to know it. */
const presentPassword = Type.String({ maxLength: LIMITS.passwordMaxCodePoints });

export const SignInBody = Type.Object({ email, password: presentPassword }, { additionalProperties: false });
export type SignInBody = Static<typeof SignInBody>;

/** The signed-in person. */
export const Me = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: RoleSchema,
    createdAt: Timestamp('When the account was made.'),
    workspace: Type.Object({ name: Type.String() }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);
export type Me = Static<typeof Me>;

export const ChangeMeBody = Type.Object({ name: Type.Optional(userName) }, { additionalProperties: false });
export type ChangeMeBody = Static<typeof ChangeMeBody>;

export const ChangePasswordBody = Type.Object(
  { currentPassword: presentPassword, newPassword },
  { additionalProperties: false },
);
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;

export const Session = Type.Object(
  {
    id: Type.String(),
    createdAt: Timestamp('When the person signed in.'),
    lastUsedAt: Timestamp('Its last request, within a minute.'),
    expiresAt: Timestamp('When it ends unless it is used before; at the latest 90 days after signing in.'),
    address: Type.String(),
    userAgent: OrNull(Type.String()),
    isCurrent: Type.Boolean({ description: 'Whether this request came with it.' }),
  },
  { additionalProperties: false, description: 'A signed-in browser.' },
);
export type Session = Static<typeof Session>;

export const PersonalToken = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    hint: Type.String({ examples: ['hub_pat_…4kQz'] }),
    createdAt: Timestamp('When it was made.'),
    expiresAt: OrNull(Timestamp('It is valid while now is before this.')),
    lastUsedAt: OrNull(Timestamp('Its last request, within a minute.')),
    lastUsedAddress: OrNull(Type.String()),
  },
  { additionalProperties: false, description: 'A personal access token, without the token.' },
);
export type PersonalToken = Static<typeof PersonalToken>;

export const IssuedPersonalToken = Type.Composite(
  [
    PersonalToken,
    Type.Object({ token: Type.String({ description: 'The token. This is the only time it is shown.' }) }),
  ],
  { additionalProperties: false },
);
export type IssuedPersonalToken = Static<typeof IssuedPersonalToken>;

export const CreatePersonalTokenBody = Type.Object(
  { name: Name({ maxLength: LIMITS.keyNameCodePoints, examples: ['hubctl on my laptop'] }), ...expiryFields },
  { additionalProperties: false, ...oneExpiry },
);
export type CreatePersonalTokenBody = Static<typeof CreatePersonalTokenBody>;

// ---- Links that work once ------------------------------------------------------------------------------------

export const LINK_KINDS = ['setup', 'invitation', 'password_reset'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];
const LinkKindSchema = Type.Union([Type.Literal('setup'), Type.Literal('invitation'), Type.Literal('password_reset')]);

/** A link as it is handed out, once. Its secret stands behind the `#`, which browsers keep to themselves. */
export const IssuedLink = Type.Object(
  {
    link: Type.String({ examples: ['https://hub.example.org/join#hub_lnk_…'] }),
    expiresAt: OrNull(Timestamp('Until when it can be used; `null`: until there is an owner.')),
  },
  { additionalProperties: false },
);
export type IssuedLink = Static<typeof IssuedLink>;

export const Invitation = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: RoleSchema,
    hubIds: Type.Array(Type.String()),
    createdAt: Timestamp('When it was made.'),
    createdBy: Actor,
    expiresAt: Timestamp('Until when it can be accepted.'),
  },
  { additionalProperties: false, description: 'An invitation that nobody has accepted yet.' },
);
export type Invitation = Static<typeof Invitation>;

export const IssuedInvitation = Type.Composite(
  [Invitation, Type.Object({ link: Type.String({ description: 'The link. This is the only time it is shown.' }) })],
  { additionalProperties: false },
);
export type IssuedInvitation = Static<typeof IssuedInvitation>;

export const CreateInvitationBody = Type.Object(
  {
    email,
    role: Type.Optional(RoleSchema),
    hubIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: LIMITS.pageItems, description: 'Hubs that the person will belong to.' }),
    ),
  },
  { additionalProperties: false, description: '`role` is `member` if left out.' },
);
export type CreateInvitationBody = Static<typeof CreateInvitationBody>;

export const InspectLinkBody = Type.Object(
  { token: Type.String({ description: 'What stands behind the `#` of the link.' }) },
  { additionalProperties: false },
);
export type InspectLinkBody = Static<typeof InspectLinkBody>;

/** What a link is for, for the page that it leads to. */
export const LinkInfo = Type.Object(
  {
    kind: LinkKindSchema,
    email: OrNull(Type.String({ description: 'Whose account it makes or mends; `null` for a set-up.' })),
    workspaceName: Type.String(),
    expiresAt: OrNull(Timestamp('Until when it can be used.')),
  },
  { additionalProperties: false },
);
export type LinkInfo = Static<typeof LinkInfo>;

export const RedeemLinkBody = Type.Object(
  {
    token: Type.String({ description: 'What stands behind the `#` of the link.' }),
    email: Type.Optional(email),
    name: Type.Optional(userName),
    password: newPassword,
    hubName: Type.Optional(Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Releases'] })),
    workspaceName: Type.Optional(Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Example Ltd'] })),
  },
  {
    additionalProperties: false,
    description:
      'A set-up needs `email`, `name`, `password`, and takes `hubName` and `workspaceName`; an invitation needs `name` and `password`; a reset needs `password` alone.',
  },
);
export type RedeemLinkBody = Static<typeof RedeemLinkBody>;

// ---- The workspace -------------------------------------------------------------------------------------------

export const Workspace = Type.Object(
  {
    name: Type.String(),
    botName: Type.String({ description: 'The name under which posts by keys stand.' }),
    membersManageKeys: Type.Boolean({ description: 'Whether members manage the keys of their Hubs, or admins alone.' }),
    longestKeyLifetimeDays: OrNull(
      Type.Integer({ description: 'New keys end after so many days at most. `null`: as late as one likes, or never.' }),
    ),
  },
  { additionalProperties: false },
);
export type Workspace = Static<typeof Workspace>;

export const ChangeWorkspaceBody = Type.Object(
  {
    name: Type.Optional(Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Example Ltd'] })),
    botName: Type.Optional(Name({ maxLength: LIMITS.userNameCodePoints, examples: ['Bot'] })),
    membersManageKeys: Type.Optional(Type.Boolean()),
    longestKeyLifetimeDays: Type.Optional(
      OrNull(
        Type.Integer({
          minimum: 1,
          maximum: 36_500,
          description: 'For keys that are issued, rotated or replaced from then on. `null`: no limit.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);
export type ChangeWorkspaceBody = Static<typeof ChangeWorkspaceBody>;
