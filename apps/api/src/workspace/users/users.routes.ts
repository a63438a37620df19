import { serve } from '../../http/operations/serve.ts';
import { changeUser, disableUser, enableUser, signOutUser } from './change-user.ts';
import type { PasswordDeps } from './check-password.ts';
import { createUser } from './create-user.ts';
import { createResetLink } from './links.ts';
import { findUser, listResponsibilities, listUsers, userView } from './show-users.ts';

export function usersRoutes(deps: PasswordDeps) {
  return serve({
    'GET /users': ({ caller, query }) => listUsers(deps, caller, query),
    'POST /users': ({ caller, body }) => createUser(deps, caller, body),
    'GET /users/{userId}': async ({ params }) => userView(await findUser(deps.store, params.userId)),
    'GET /users/{userId}/responsibilities': ({ params }) => listResponsibilities(deps, params.userId),
    'PATCH /users/{userId}': ({ caller, params, body }) => changeUser(deps, caller, params.userId, body),
    'POST /users/{userId}/deactivation': ({ caller, params }) => disableUser(deps, caller, params.userId),
    'POST /users/{userId}/reactivation': ({ caller, params }) => enableUser(deps, caller, params.userId),
    'POST /users/{userId}/sign-out': ({ caller, params }) => signOutUser(deps, caller, params.userId),
    'POST /users/{userId}/password-reset': ({ caller, params }) => createResetLink(deps, caller, params.userId),
  });
}
