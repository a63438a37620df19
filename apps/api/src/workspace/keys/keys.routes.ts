import { serve } from '../../http/operations/serve.ts';
import { AppError } from '../../platform/errors.ts';
import { instantOf } from '../../platform/time.ts';
import { changeKey, type ExpiryChoice, issueKey, issueSuccessor, revokeKey } from './change-key.ts';
import type { KeyDeps } from './key-usage.ts';
import { keyView, listKeys, manageableKey, showKeyAddresses, showKeyUsage } from './show-keys.ts';

export function keysRoutes(deps: KeyDeps) {
  return serve({
    'GET /keys': ({ caller, query: { sha256, ...query } }) =>
      listKeys(deps, caller, { ...query, tokenHash: sha256 === undefined ? undefined : Buffer.from(sha256, 'hex') }),
    'POST /keys': ({ caller, body }) => {
      const { hubId, name, scopes, description, link } = body;
      if (new Set(scopes).size < scopes.length) throw new AppError('invalid', 'scopes lists a scope twice');
      return issueKey(deps, caller, { hubId, name, scopes, description, link, ...expiryOf(body) });
    },
    'GET /keys/{keyId}': async ({ caller, params }) =>
      keyView(deps, await manageableKey(deps.store, caller, params.keyId)),
    'PATCH /keys/{keyId}': ({ caller, params, body }) => changeKey(deps, caller, params.keyId, body),
    'GET /keys/{keyId}/usage': ({ caller, params, query }) => showKeyUsage(deps, caller, params.keyId, query.days),
    'GET /keys/{keyId}/addresses': ({ caller, params }) => showKeyAddresses(deps, caller, params.keyId),
    'POST /keys/{keyId}/rotation': ({ caller, params, body }) =>
      issueSuccessor(deps, caller, params.keyId, { how: 'rotated', ...expiryOf(body) }),
    'POST /keys/{keyId}/replacement': ({ caller, params, body }) =>
      issueSuccessor(deps, caller, params.keyId, { how: 'replaced', ...expiryOf(body) }),
    'POST /keys/{keyId}/revocation': ({ caller, params }) => revokeKey(deps, caller, params.keyId),
  });
}

function expiryOf(body: { expiresAt?: string; lifetimeSeconds?: number }): ExpiryChoice {
  return { expiresAt: instantOf(body.expiresAt), lifetimeSeconds: body.lifetimeSeconds };
}
