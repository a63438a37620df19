import { InspectLinkBody, type Me, RedeemLinkBody } from '@hub/contract';
import { type Input, serve, withRawBody } from '../../http/operations/serve.ts';
import { endedSessionCookie, sessionCookie, sessionToken } from '../../http/operations/workspace-gate.ts';
import { readJsonBody } from '../../http/read-body.ts';
import { contextOf } from '../../http/request-context.ts';
import { readFields, requireObjectBody } from '../../http/validate.ts';
import { instantOf } from '../../platform/time.ts';
import { changeEmail, confirmEmail } from './change-email.ts';
import {
  changeMe,
  changePassword,
  changeUser,
  createUser,
  disableUser,
  enableUser,
  signOutUser,
} from './change-user.ts';
import type { PasswordDeps } from './check-password.ts';
import * as devices from './device-logins.ts';
import * as factors from './factors.ts';
import { type ResetDeps, requestPasswordReset } from './forgotten-password.ts';
import * as links from './links.ts';
import { newPasskeyOptions, passkeyOptions } from './passkeys.ts';
import { redeemLink } from './redeem-link.ts';
import * as credentials from './sessions-and-tokens.ts';
import { findUser, listResponsibilities, listUsers, showMe, userView } from './show-users.ts';
import { type Browser, confirmSession, type NewSession, showSignedIn, signIn, signInWithPasskey } from './sign-in.ts';

export function browserOf(request: Request): Browser {
  const { address, origin } = contextOf(request);
  const userAgent = request.headers.get('user-agent');
  return { address, userAgent, formerToken: sessionToken(request.headers, origin) };
}

/** Gives the browser the cookie of its new session. */
function signedIn(
  { context, setCookie }: Pick<Input<'POST /session'>, 'context' | 'setCookie'>,
  { me, token }: NewSession,
): Me {
  setCookie(sessionCookie(context.origin, token));
  return me;
}

/** Returns the link for the token in the body. No other field is read first, since anyone can send a request here. */
function linkOf(deps: PasswordDeps, request: Request, body: unknown, noun: string) {
  const { token = null } = requireObjectBody(body, noun);
  const fields = readFields(InspectLinkBody, { token }, { noun });
  return links.findLink(deps, fields.token, contextOf(request).address);
}

/** Accounts, the signed-in user's own account, sessions and tokens, invitations, and the links that let someone in. */
export function usersRoutes(deps: ResetDeps & credentials.SessionDeps) {
  return serve({
    'GET /users': ({ caller, query }) => listUsers(deps, caller, query),
    'POST /users': ({ caller, body }) => createUser(deps, caller, body),
    'GET /users/{userId}': async ({ params }) => userView(await findUser(deps.store, params.userId)),
    'GET /users/{userId}/responsibilities': ({ params }) => listResponsibilities(deps, params.userId),
    'PATCH /users/{userId}': ({ caller, params, body }) => changeUser(deps, caller, params.userId, body),
    'POST /users/{userId}/deactivation': ({ caller, params }) => disableUser(deps, caller, params.userId),
    'POST /users/{userId}/reactivation': ({ caller, params }) => enableUser(deps, caller, params.userId),
    'POST /users/{userId}/sign-out': ({ caller, params }) => signOutUser(deps, caller, params.userId),
    'POST /users/{userId}/password-reset': ({ caller, params }) => links.createResetLink(deps, caller, params.userId),

    'DELETE /users/{userId}/factors': ({ caller, params }) => factors.resetFactors(deps, caller, params.userId),

    'GET /session': ({ request, context: { address, origin } }) =>
      showSignedIn(deps, sessionToken(request.headers, origin), address),
    'POST /session': async ({ body, ...input }) => signedIn(input, await signIn(deps, browserOf(input.request), body)),
    'POST /session/passkey-options': ({ context }) => passkeyOptions(deps, context.origin),
    'POST /session/passkey': async ({ body, ...input }) =>
      signedIn(input, await signInWithPasskey(deps, browserOf(input.request), input.context.origin, body.credential)),
    'POST /session/confirmation': ({ caller, body }) => confirmSession(deps, caller, body.password),
    'DELETE /session': async ({ caller, context, setCookie }) => {
      const ended = await credentials.endSession(deps, caller, caller.credential.id);
      setCookie(endedSessionCookie(context.origin));
      return ended;
    },

    'GET /me': ({ caller }) => showMe(deps, caller.user),
    'PATCH /me': ({ caller, body }) => changeMe(deps, caller, body),
    'PUT /me/password': async ({ caller, body, ...input }) =>
      signedIn(input, await changePassword(deps, caller, browserOf(input.request), body)),
    'GET /me/factors': ({ caller }) => factors.listFactors(deps, caller),
    'POST /me/factors/totp-secret': ({ caller }) => factors.createTotpSecret(deps, caller),
    'POST /me/factors/passkey-options': ({ caller, context }) => newPasskeyOptions(deps, caller, context.origin),
    'POST /me/factors': ({ caller, body, context }) => factors.addFactor(deps, caller, context.origin, body),
    'PATCH /me/factors/{factorId}': ({ caller, params, body }) =>
      factors.renameFactor(deps, caller, params.factorId, body.name),
    'DELETE /me/factors/{factorId}': ({ caller, params }) => factors.removeFactor(deps, caller, params.factorId),
    'POST /me/recovery-codes': ({ caller }) => factors.createRecoveryCodes(deps, caller),
    'PUT /me/email': ({ caller, body }) => changeEmail(deps, caller, body),
    'GET /me/sessions': ({ caller, query }) => credentials.listSessions(deps, caller, query),
    'DELETE /me/sessions/{sessionId}': async ({ caller, params, context, setCookie }) => {
      const ended = await credentials.endSession(deps, caller, params.sessionId);
      if (ended.isCurrent) setCookie(endedSessionCookie(context.origin));
      return ended;
    },
    'GET /me/tokens': ({ caller, query }) => credentials.listTokens(deps, caller, query),
    'POST /me/tokens': ({ caller, body }) =>
      credentials.createToken(deps, caller, { ...body, expiresAt: instantOf(body.expiresAt) }),
    'POST /device-logins': ({ body, context }) => devices.startDeviceLogin(deps, context.address, body),
    'POST /device-logins/poll': ({ body, context }) => devices.pollDeviceLogin(deps, context.address, body.deviceCode),
    'POST /device-logins/inspection': ({ caller, body }) => devices.inspectDeviceLogin(deps, caller, body.userCode),
    'POST /device-logins/decision': ({ caller, body }) => devices.decideDeviceLogin(deps, caller, body),
    'DELETE /me/tokens/{tokenId}': ({ caller, params }) => credentials.revokeToken(deps, caller, params.tokenId),

    'GET /invitations': ({ query }) => links.listInvitations(deps, query),
    'POST /invitations': ({ caller, body }) => links.inviteUser(deps, caller, body),
    'DELETE /invitations/{invitationId}': ({ caller, params }) =>
      links.withdrawInvitation(deps, caller, params.invitationId),
    'POST /setup-link': ({ caller }) => links.createSetupLink(deps, caller),
    'POST /password-resets': ({ body, context }) => requestPasswordReset(deps, context.address, body),
    'POST /links/inspection': withRawBody(async ({ request }) => {
      const body = await readJsonBody(request);
      const link = await linkOf(deps, request, body, 'an inspection');
      readFields(InspectLinkBody, body, { noun: 'an inspection' });
      return links.inspectLink(deps, link);
    }),
    'POST /links/email-confirmation': withRawBody(async ({ request, context }) => {
      const body = await readJsonBody(request);
      const link = await linkOf(deps, request, body, 'a confirmation');
      const { token } = readFields(InspectLinkBody, body, { noun: 'a confirmation' });
      return confirmEmail(deps, context.address, link, token);
    }),
    'POST /links/redemption': withRawBody(async (input) => {
      const { request } = input;
      const json = await readJsonBody(request);
      const link = await linkOf(deps, request, json, 'a redemption');
      const body = readFields(RedeemLinkBody, json, { noun: 'a redemption' });
      return signedIn(input, await redeemLink(deps, browserOf(request), link, body));
    }),
  });
}
