import type { ApiKey, AuditEntry, Hub, IssuedKey, IssueKeyBody, ServerStatus } from '@hub/contract';

/** Returns a client that uses the workspace API over the admin socket and throws on an error response. */
export function adminClient(socketPath: string) {
  const raw = (method: string, path: string, body?: unknown) =>
    fetch(`http://localhost/api/v1${path}`, {
      method,
      unix: socketPath,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await raw(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    raw,
    createHub: (name = 'Releases') => call<Hub>('POST', '/hubs', { name }),
    deleteHub: (hubId: string) => call<Hub>('DELETE', `/hubs/${hubId}`),
    restoreHub: (hubId: string) => call<Hub>('POST', `/hubs/${hubId}/restoration`),
    listHubs: (query = '') => call<{ items: Hub[]; next: string | null }>('GET', `/hubs${query}`),
    issueKey: (input: Partial<IssueKeyBody> & { hubId: string }) =>
      call<IssuedKey>('POST', '/keys', {
        name: 'ci',
        scopes: ['messages:create', 'notes:create', 'todos:create'],
        ...input,
      }),
    showKey: (keyId: string) => call<ApiKey>('GET', `/keys/${keyId}`),
    listKeys: (query = '') => call<{ items: ApiKey[]; next: string | null }>('GET', `/keys${query}`),
    rotateKey: (keyId: string, body = {}) => call<IssuedKey>('POST', `/keys/${keyId}/rotation`, body),
    replaceKey: (keyId: string, body = {}) => call<IssuedKey>('POST', `/keys/${keyId}/replacement`, body),
    revokeKey: (keyId: string) => call<ApiKey>('POST', `/keys/${keyId}/revocation`),
    audit: (query = '') => call<{ items: AuditEntry[]; next: string | null }>('GET', `/audit${query}`),
    status: () => call<ServerStatus>('GET', '/status'),
  };
}

export type AdminClient = ReturnType<typeof adminClient>;
