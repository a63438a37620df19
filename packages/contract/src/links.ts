import { type Static, Type } from '@sinclair/typebox';
import { FactorCode } from './factors.ts';
import { Actor } from './keys.ts';
import { LIMITS } from './limits.ts';
import { Id, Name, OrNull } from './schema-parts.ts';
import { Timestamp } from './timestamp.ts';
import { CreateUserBody, Me, revokeTokens, User } from './users.ts';

const { role } = User.properties;
const { email, name, password } = CreateUserBody.properties;

const LinkKindSchema = Type.Union(
  [Type.Literal('setup'), Type.Literal('invitation'), Type.Literal('password_reset'), Type.Literal('email_change')],
  { examples: ['invitation'] },
);
const LINK_TOKEN = 'hub_lnk_ExampleOfTheDocumentationNotReal044aerZs';
const LINK_EXPIRY = '2026-03-08T09:30:00.000Z';

/** A link, returned only once. Its secret follows the `#`, a part of the URL that browsers do not send. */
export const IssuedLink = Type.Object(
  {
    link: Type.String({ examples: [`https://hub.example.org/reset#${LINK_TOKEN}`] }),
    expiresAt: OrNull(Timestamp('When it expires; `null`: once there is an owner.', '2026-03-02T09:30:00.000Z')),
  },
  { additionalProperties: false },
);
export type IssuedLink = Static<typeof IssuedLink>;

export const Invitation = Type.Object(
  {
    id: Id('lnk'),
    email: Type.String({ examples: ['bob@example.org'] }),
    role,
    hubIds: Type.Array(Id('hub')),
    createdAt: Timestamp('When it was created.'),
    createdBy: Actor,
    expiresAt: Timestamp('When it expires.', LINK_EXPIRY),
  },
  { additionalProperties: false, description: 'An open invitation.' },
);
export type Invitation = Static<typeof Invitation>;

export const IssuedInvitation = Type.Composite(
  [
    Invitation,
    Type.Object({
      link: Type.String({
        description: 'The link. It is shown only this once.',
        examples: [`https://hub.example.org/join#${LINK_TOKEN}`],
      }),
      isMailed: Type.Boolean({ description: 'Whether the server also sends it to the address.', examples: [true] }),
    }),
  ],
  { additionalProperties: false },
);
export type IssuedInvitation = Static<typeof IssuedInvitation>;

export const CreateInvitationBody = Type.Object(
  {
    email,
    role: Type.Optional(role),
    hubIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: LIMITS.pageItems, description: 'Hubs to add the user to.' }),
    ),
  },
  {
    additionalProperties: false,
    description: '`role` defaults to `member`.',
    examples: [{ email: 'bob@example.org', role: 'admin', hubIds: ['hub_01KJMBS8106Z5QS12QGDH7FEWP'] }],
  },
);
export type CreateInvitationBody = Static<typeof CreateInvitationBody>;

export const RequestPasswordResetBody = Type.Object(
  { email },
  { additionalProperties: false, description: 'The account whose password was forgotten.' },
);
export type RequestPasswordResetBody = Static<typeof RequestPasswordResetBody>;

export const InspectLinkBody = Type.Object(
  { token: Type.String({ description: 'The part of the link after `#`.', examples: [LINK_TOKEN] }) },
  { additionalProperties: false },
);
export type InspectLinkBody = Static<typeof InspectLinkBody>;

/** The purpose of a link, for the page that it opens. */
export const LinkInfo = Type.Object(
  {
    kind: LinkKindSchema,
    email: OrNull(
      Type.String({
        description: 'The e-mail address of the account; `null` for a setup link.',
        examples: ['bob@example.org'],
      }),
    ),
    workspaceName: Me.properties.workspace.properties.name,
    expiresAt: OrNull(Timestamp('When it expires.', LINK_EXPIRY)),
  },
  { additionalProperties: false },
);
export type LinkInfo = Static<typeof LinkInfo>;

export const RedeemLinkBody = Type.Object(
  {
    token: Type.String({ description: 'The part of the link after `#`.' }),
    email: Type.Optional(email),
    name: Type.Optional(name),
    password,
    revokeTokens,
    code: Type.Optional(FactorCode),
    hubName: Type.Optional(Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Releases'] })),
    workspaceName: Type.Optional(Name({ maxLength: LIMITS.hubNameCodePoints, examples: ['Example Ltd'] })),
  },
  {
    additionalProperties: false,
    description:
      'A setup link requires `email`, `name` and `password`, and accepts `hubName` and `workspaceName`; an invitation requires `name` and `password`; a reset link requires `password`, and `code` if the account has a second factor, and accepts `revokeTokens`.',
    examples: [
      {
        token: LINK_TOKEN,
        email: 'ada@example.org',
        name: 'Ada Lovelace',
        password: 'correct horse battery staple',
        hubName: 'Releases',
        workspaceName: 'Example Ltd',
      },
      { token: LINK_TOKEN, name: 'Bob Kahn', password: 'in the year of the packet' },
      { token: LINK_TOKEN, password: 'ships are safe in harbour', revokeTokens: true },
    ],
  },
);
export type RedeemLinkBody = Static<typeof RedeemLinkBody>;
