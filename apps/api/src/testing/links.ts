import { hasTokenFormat, LINK_PREFIX, type LinkInfo, type Me } from '@hub/contract';
import type { TestHub } from './start-test-hub.ts';
import type { HubResponse } from './users.ts';

/** Returns the token after the `#` of a link. Throws unless the link leads to this page of this server. */
export function tokenIn(hub: TestHub, link: string, page: '/setup' | '/join' | '/reset'): string {
  const [address, token = ''] = link.split('#');
  if (address !== `${hub.origin}${page}`) throw new Error(`The link leads to ${address}`);
  if (!hasTokenFormat(LINK_PREFIX, token)) throw new Error('The link contains no secret');
  return token;
}

export function inspect(hub: TestHub, token: string): Promise<HubResponse<LinkInfo & { message?: string }>> {
  return send(hub, 'inspection', { token });
}

export function redeem(
  hub: TestHub,
  body: object,
  headers: Record<string, string> = {},
): Promise<HubResponse<Me & { message?: string }>> {
  return send(hub, 'redemption', body, headers);
}

async function send<T>(hub: TestHub, verb: string, body: object, headers: Record<string, string> = {}) {
  const response = await hub.fetch(`/api/v1/links/${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as T, headers: response.headers };
}
