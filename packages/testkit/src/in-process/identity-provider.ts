import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';
import type { ProviderSettings } from '../../../../apps/api/src/for-tests.ts';
import { freePort } from '../server.ts';

/** The claims about a user. */
export interface ProviderAccount {
  sub: string;
  email: string;
  email_verified?: boolean;
  name?: string;
  groups?: string[];
}

const CLIENT_ID = 'hub';
const CLIENT_SECRET = 'a secret of the client that is long enough';
const SCOPE = 'openid email profile groups';

/**
 * A real OpenID Connect provider. It signs in `current` without asking, or denies access if that is null. `change` replaces
 * the body of a response, to answer as no correct provider would.
 */
export function startIdentityProvider() {
  const port = freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const accounts = new Map<string, ProviderAccount>();
  const state = {
    current: null as ProviderAccount | null,
    isAway: false,
    change: null as ((path: string, body: Record<string, unknown>) => void) | null,
    /** The paths of the requests of Hub itself. */
    requests: [] as string[],
  };
  const settings: ProviderSettings = {
    ...{ oidcIssuer: issuer, oidcClientId: CLIENT_ID, oidcClientSecret: CLIENT_SECRET, oidcName: 'Example ID' },
    ...{ oidcScopes: ['email', 'profile', 'groups'], oidcAllowedDomains: [], oidcAllowedGroups: [] },
    ...{ oidcGroupsClaim: 'groups', oidcAdminGroups: [], oidcSignUp: 'invited', oidcRedirect: 'off' },
    passwordSignIn: 'on',
  };

  /** Begins to serve, for the server at this address. */
  const serve = async (origin: string) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [`${origin}/sign-in/callback`],
          post_logout_redirect_uris: [`${origin}/`],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: SCOPE.split(' '),
      cookies: { keys: ['a key for cookies'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_, sub) => {
        const account = accounts.get(sub);
        return account && { accountId: sub, claims: () => ({ ...account }) };
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      issueRefreshToken: async () => true,
      loadExistingGrant: async ({ oidc }: KoaContextWithOIDC) => {
        const grant = new provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session?.accountId ?? '' });
        grant.addOIDCScope(SCOPE);
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
      const [path = ''] = (request.url ?? '').split('?');
      if (state.isAway) return void response.writeHead(503).end();
      if (!path.startsWith('/auth') && !path.startsWith('/interaction')) state.requests.push(path);
      if (path.startsWith('/interaction/')) {
        if (state.current) accounts.set(state.current.sub, state.current);
        const result = state.current
          ? { login: { accountId: state.current.sub, remember: false } }
          : { error: 'access_denied' };
        return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      }
      const { change } = state;
      if (change) {
        const end = response.end.bind(response);
        response.end = ((body: unknown, ...more: never[]) => {
          if (!String(response.getHeader('content-type')).includes('json') || !body) return end(body, ...more);
          const json = JSON.parse(String(body)) as Record<string, unknown>;
          change(path, json);
          const text = JSON.stringify(json);
          response.setHeader('content-length', Buffer.byteLength(text));
          return end(text);
        }) as typeof response.end;
      }
      await callback(request, response);
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return {
      [Symbol.dispose]: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  };

  return Object.assign(state, { issuer, settings, accounts, serve });
}

export type IdentityProvider = ReturnType<typeof startIdentityProvider>;
