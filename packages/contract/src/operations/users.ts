import * as wire from '../index.ts';
import { file, filter, type OperationDeclaration, page } from './operation.ts';

/** Signing in, and the account of the signed-in user. */
const own = {
  'GET /session': {
    id: 'showSignedIn',
    summary: 'Show the signed-in user, if any',
    description:
      'For the start of a page: the user of the session cookie, or `null`. Unlike `GET /me`, it is not an error to have no session. `needsSetup` means that no account exists yet.',
    access: 'anyone',
    success: wire.SignedIn,
  },
  'POST /session': {
    id: 'signIn',
    summary: 'Sign in',
    description:
      'The response sets the session cookie. A session ends after 30 days without use, and after 90 days in any case; a session that the request came with ends at once. Wrong passwords are slowed, and 429 when there are too many within an hour, by client address and by e-mail address.',
    access: 'anyone',
    body: wire.SignInBody,
    noun: 'a sign-in',
    status: 201,
    success: wire.Me,
    setsCookie: true,
    errors: [401, 429],
  },
  'POST /session/confirmation': {
    id: 'confirmSession',
    summary: 'Confirm your password',
    description:
      'Whatever lets someone in (an account, an invitation, a role, a reset link, an access token, a Hub that you cannot read) is 403 with `Hub-Confirmation: password` in a session in which the password was last entered more than 15 minutes ago. Send it here, then repeat the request. A wrong password is 400.',
    access: 'session',
    // A wrong password is slowed.
    turn: null,
    body: wire.ConfirmSessionBody,
    noun: 'a confirmation',
    success: wire.SessionConfirmation,
    errors: [429],
  },
  'DELETE /session': {
    id: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session of the request. To end a personal access token, revoke it.',
    access: 'session',
    noun: 'signing out',
    success: wire.Session,
    setsCookie: true,
  },
  'GET /me': {
    id: 'showMe',
    summary: 'Show the signed-in user',
    access: 'user',
    success: wire.Me,
  },
  'PATCH /me': {
    id: 'changeMe',
    summary: 'Change your name',
    access: 'user',
    body: wire.ChangeMeBody,
    noun: 'a user',
    success: wire.Me,
  },
  'PUT /me/password': {
    id: 'changePassword',
    summary: 'Change your password',
    description:
      'All sessions end; the response sets the cookie of a new one. Personal access tokens stay valid unless `revokeTokens` is true.',
    access: 'session',
    body: wire.ChangePasswordBody,
    noun: 'a password change',
    success: wire.Me,
    setsCookie: true,
  },
  'GET /me/sessions': {
    id: 'listSessions',
    summary: 'List your sessions',
    access: 'session',
    query: page,
    success: wire.Page(wire.Session),
  },
  'DELETE /me/sessions/{sessionId}': {
    id: 'endSession',
    summary: 'End one of your sessions',
    access: 'session',
    noun: 'ending a session',
    success: wire.Session,
    setsCookie: true,
  },
  'GET /me/tokens': {
    id: 'listTokens',
    summary: 'List your personal access tokens',
    access: 'user',
    query: page,
    success: wire.Page(wire.PersonalToken),
  },
  'POST /me/tokens': {
    id: 'createToken',
    summary: 'Create a personal access token',
    confirmation: 'always',
    description: `A token has the rights of its user, except changing the password and managing sessions and other tokens. The token is in this response only and is never shown again. A user has at most ${wire.LIMITS.accessTokens} valid ones.`,
    access: 'session',
    body: wire.CreatePersonalTokenBody,
    noun: 'a personal access token',
    status: 201,
    success: wire.IssuedPersonalToken,
    errors: [409],
  },
  'DELETE /me/tokens/{tokenId}': {
    id: 'revokeToken',
    summary: 'Revoke one of your personal access tokens',
    description:
      'No request that begins after the response is accepted with the token. A token can revoke itself, but no other.',
    access: 'user',
    noun: 'revoking a token',
    success: wire.PersonalToken,
  },
} as const satisfies Record<string, OperationDeclaration>;

const version = filter('The version of the avatar. With it, browsers cache the image permanently.');
const avatarOperation = {
  access: 'member',
  query: { v: version },
  success: file('image/*'),
  errors: [404],
} as const satisfies Partial<OperationDeclaration>;
const set = {
  description:
    'A still PNG, JPEG or WebP image of at most 256 KiB and 1024 × 1024 pixels as the body. The type is detected from its bytes. The file is stored unchanged, including its metadata.',
  body: file('image/*'),
  mediaTypes: wire.AVATAR_TYPES,
  success: wire.AvatarRef,
} as const satisfies Partial<OperationDeclaration>;
const removed = {
  noun: 'removing an avatar',
  success: wire.AvatarRef,
  errors: [404],
} as const satisfies Partial<OperationDeclaration>;

const avatars = {
  'GET /avatars': {
    id: 'listAvatars',
    summary: 'List avatars',
    description:
      'Avatars of the caller, of users who share a Hub with the caller, and of the bot; for admins of all users. Users who are not listed have no avatar and are shown with initials.',
    access: 'member',
    query: page,
    success: wire.Page(wire.AvatarRef),
  },
  'GET /users/{userId}/avatar': { ...avatarOperation, id: 'showAvatar', summary: "Show a user's avatar" },
  'PUT /me/avatar': { ...set, id: 'setAvatar', summary: 'Set your avatar', access: 'user' },
  'DELETE /me/avatar': { ...removed, id: 'removeAvatar', summary: 'Remove your avatar', access: 'user' },
  'GET /workspace/bot-avatar': { ...avatarOperation, id: 'showBotAvatar', summary: 'Show the avatar of the bot' },
  'PUT /workspace/bot-avatar': { ...set, id: 'setBotAvatar', summary: 'Set the avatar of the bot' },
  'DELETE /workspace/bot-avatar': { ...removed, id: 'removeBotAvatar', summary: 'Remove the avatar of the bot' },
} as const satisfies Record<string, OperationDeclaration>;

const accounts = {
  'GET /users': {
    id: 'listUsers',
    summary: 'List users',
    description: 'All accounts, including disabled ones.',
    access: 'member',
    query: page,
    success: wire.Page(wire.User),
  },
  'POST /users': {
    id: 'createUser',
    summary: 'Create an account',
    confirmation: 'always',
    description: 'With a password that you pass on to the user. With an invitation, users choose their own.',
    body: wire.CreateUserBody,
    noun: 'a user',
    status: 201,
    success: wire.User,
    errors: [409],
  },
  'GET /users/{userId}': { id: 'showUser', summary: 'Show a user', success: wire.User },
  'GET /users/{userId}/responsibilities': {
    id: 'listResponsibilities',
    summary: "List a user's memberships, keys and to-dos",
    description:
      'Per Hub: whether the user is a member, the keys they have issued and their open to-dos. All of these stay when the account is disabled.',
    success: wire.Responsibilities,
  },
  'PATCH /users/{userId}': {
    id: 'changeUser',
    summary: "Change a user's name or role",
    confirmation: 'for a change of role',
    description: 'Only owners can create and change owners. The last owner cannot be changed.',
    body: wire.ChangeUserBody,
    noun: 'a user',
    success: wire.User,
    errors: [409],
  },
  'POST /users/{userId}/deactivation': {
    id: 'disableUser',
    summary: 'Disable an account',
    description:
      'Sessions, personal access tokens and links of the account end permanently, live views within a second.',
    noun: 'a deactivation',
    success: wire.User,
    errors: [409],
  },
  'POST /users/{userId}/reactivation': {
    id: 'enableUser',
    summary: 'Enable a disabled account',
    confirmation: 'always',
    noun: 'a reactivation',
    success: wire.User,
  },
  'POST /users/{userId}/sign-out': {
    id: 'signOutUser',
    summary: 'Sign a user out everywhere',
    description:
      'Ends all sessions of the user and revokes their personal access tokens, permanently; live views end within a second. The account stays enabled. You cannot do this to your own account.',
    noun: 'signing a user out',
    success: wire.User,
    errors: [409],
  },
  'POST /users/{userId}/password-reset': {
    id: 'resetPassword',
    summary: 'Create a password reset link',
    confirmation: 'always',
    description:
      'The link can be used once, expires after 24 hours and replaces an earlier one. The current password works until the link is used. The link is in this response only and is never shown again. You cannot create one for your own account.',
    noun: 'a password reset',
    status: 201,
    success: wire.IssuedLink,
    errors: [409],
  },
  'GET /invitations': {
    id: 'listInvitations',
    summary: 'List open invitations',
    query: page,
    success: wire.Page(wire.Invitation),
  },
  'POST /invitations': {
    id: 'inviteUser',
    summary: 'Invite a user',
    confirmation: 'always',
    description:
      'The response contains the link for you to send. The link can be used once, expires after 7 days and is not shown again. The invitation replaces an open invitation for the same e-mail address.',
    body: wire.CreateInvitationBody,
    noun: 'an invitation',
    status: 201,
    success: wire.IssuedInvitation,
    errors: [404, 409],
  },
  'DELETE /invitations/{invitationId}': {
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    noun: 'a withdrawal',
    success: wire.Invitation,
  },
  'POST /setup-link': {
    id: 'createSetupLink',
    summary: 'Create the setup link',
    description:
      'For the local admin, as long as there is no owner. The link can be used once and replaces an earlier one.',
    noun: 'a setup link',
    status: 201,
    success: wire.IssuedLink,
    errors: [409],
  },
  'POST /links/inspection': {
    id: 'inspectLink',
    summary: 'Inspect a link',
    description:
      'Returns what the link is for, without using it up. An invalid link is 404; repeated failures are slowed.',
    access: 'anyone',
    body: wire.InspectLinkBody,
    noun: 'an inspection',
    success: wire.LinkInfo,
    errors: [404],
  },
  'POST /links/redemption': {
    id: 'redeemLink',
    summary: 'Use a link',
    description:
      'A setup link creates the owner, an invitation creates an account, and a reset link sets a new password (which ends all sessions). The response sets the cookie of a new session.',
    access: 'anyone',
    body: wire.RedeemLinkBody,
    noun: 'a redemption',
    status: 201,
    success: wire.Me,
    setsCookie: true,
    errors: [404, 409],
  },
} as const satisfies Record<string, OperationDeclaration>;

export const userOperations = { ...own, ...avatars, ...accounts };
