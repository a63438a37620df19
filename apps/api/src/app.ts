import { PUBLIC_API_PATH, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia, NotFoundError } from 'elysia';
import type { AppDeps } from './create-deps.ts';
import { BodyWatch } from './http/body-watch.ts';
import { errorResponse } from './http/error-response.ts';
import { apiDocsRoutes, openApiRoutes } from './http/openapi/openapi.routes.ts';
import { workspaceGate } from './http/operations/workspace-gate.ts';
import { drainRequest } from './http/read-body.ts';
import { allowedMethods, contextOf, isUnder, requestPath } from './http/request-context.ts';
import { responseHeaders } from './http/response-headers.ts';
import { pagesRoutes } from './http/web/pages.routes.ts';
import { liveRoutes } from './live/live.routes.ts';
import { notificationsRoutes } from './notifications/notifications.routes.ts';
import { statusRoutes } from './ops/observability/status.routes.ts';
import { AppError, printable } from './platform/errors.ts';
import { publicApiRoutes } from './programs/public-api.ts';
import { publicGate } from './programs/public-gate.ts';
import { relayRoutes } from './programs/relay/relay.routes.ts';
import { auditRoutes } from './workspace/audit/audit.routes.ts';
import { avatarsRoutes } from './workspace/avatars/avatars.routes.ts';
import { backupsRoutes } from './workspace/backups/backups.routes.ts';
import { exportsRoutes } from './workspace/exports/exports.routes.ts';
import { filesRoutes } from './workspace/files/files.routes.ts';
import { hubsRoutes } from './workspace/hubs/hubs.routes.ts';
import { itemsRoutes } from './workspace/items/items.routes.ts';
import { keysRoutes } from './workspace/keys/keys.routes.ts';
import { removalsRoutes } from './workspace/removals/removals.routes.ts';
import { searchRoutes } from './workspace/search/search.routes.ts';
import { workspaceRoutes } from './workspace/settings/workspace.routes.ts';
import { providerRoutes } from './workspace/users/provider.routes.ts';
import { usersRoutes } from './workspace/users/users.routes.ts';

/**
 * Creates the application: error handling, then the gates, then the features. Gates are `onRequest` hooks, the only
 * ones that run before Elysia reads a body, so an unauthenticated caller gets nothing but 401.
 */
export function createApp(deps: AppDeps) {
  const bodies = new BodyWatch(deps.clock);
  const [ofPublicApi, ofWorkspaceApi] = [publicGate(deps), workspaceGate(deps)];
  // Responses are validated, but fields are never stripped: blocks have more fields than their schemas list.
  const app = new Elysia({ name: 'hub', strictPath: true, normalize: false })
    .onError(async ({ error, request, set }) => {
      const context = contextOf(request);
      set.headers = { ...responseHeaders(context), ...set.headers };
      // Checks the class, not the code: other errors can have the same code.
      const failure = error instanceof NotFoundError ? unknownRoute(request) : error;
      context.error = failure instanceof AppError ? failure.code : 'internal';
      if (failure instanceof AppError) {
        if (failure.code === 'too_large' && !(await drainRequest(request, deps.clock)))
          set.headers.connection = 'close';
        return errorResponse(request, failure, deps.clock);
      }
      deps.log.error({ err: error, requestId: context.requestId }, 'Request failed');
      return errorResponse(request, 'internal', deps.clock);
    })
    .onRequest(async ({ request, set }) => {
      const context = contextOf(request);
      const { path } = context;
      context.begin(deps.newId('req'), bodies);
      const isPublic = isUnder(path, PUBLIC_API_PATH);
      // There, `createdResponse` or the error handler adds them.
      if (!isPublic) set.headers = responseHeaders(context);
      // The router would treat a `#` as part of the path; the gates would not.
      if (request.url.includes('#')) throw new AppError('not_found', 'A path cannot contain #. Encode it as %23.');
      if (isPublic) await ofPublicApi(request, context);
      else if (isUnder(path, WORKSPACE_API_PATH)) await ofWorkspaceApi(request, context);
    })
    .use(publicApiRoutes(deps))
    .use(relayRoutes(deps))
    .use(statusRoutes(deps))
    .use(backupsRoutes(deps))
    .use(hubsRoutes(deps))
    .use(exportsRoutes(deps))
    .use(filesRoutes(deps))
    .use(itemsRoutes(deps))
    .use(keysRoutes(deps))
    .use(avatarsRoutes(deps))
    .use(notificationsRoutes(deps))
    .use(usersRoutes(deps))
    .use(workspaceRoutes(deps))
    .use(removalsRoutes(deps))
    .use(searchRoutes(deps))
    .use(auditRoutes(deps))
    .use(liveRoutes(deps));
  app
    .use(providerRoutes(deps))
    .use(pagesRoutes(deps.web))
    .use(apiDocsRoutes())
    .use(openApiRoutes({ version: deps.server.version, routes: () => app.routes }));

  let methodsOf: ((path: string) => string[]) | undefined;

  function unknownRoute(request: Request): AppError {
    // Computed on first use, since `main.ts` adds more routes after `createApp`.
    methodsOf ??= allowedMethods(app.routes);
    const path = requestPath(request);
    const allowed = methodsOf(path);
    if (allowed.length === 0) return new AppError('not_found', `There is nothing at ${printable(path)}.`);
    const allow = allowed.join(', ');
    return new AppError('method_not_allowed', `${path} only accepts ${allow}.`, { allow });
  }

  return app;
}
