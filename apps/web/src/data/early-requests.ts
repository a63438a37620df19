import { linkKindOf } from '../lib/router/urls.ts';

/** A request that takes longer is aborted, but the server may still have processed it. */
export const RESPONSE_MS = 30_000;

declare global {
  /** The responses to GET requests that were sent before the code of the app was loaded, by URL. */
  var earlyResponses: Record<string, Promise<Response>> | undefined;
}

/** Requests what the app asks for first while its code is loading. The app handles all errors. */
export async function sendEarly({ pathname, search }: Location): Promise<void> {
  const responses: typeof earlyResponses = {};
  globalThis.earlyResponses = responses;
  const send = (path: string) => {
    const url = `/api/v1${path}`;
    responses[url] = fetch(url, { signal: AbortSignal.timeout(RESPONSE_MS) });
    return responses[url];
  };
  const { me } = await (await send('/session')).clone().json();
  // The page of a one-time link shows no Hub.
  if (!me || linkKindOf(pathname) !== undefined) return;
  const list = isStart(pathname) ? '/stream' : /^\/hubs\/[^/]+$/.test(pathname) && `${pathname}/messages`;
  // Filters and links to a message need something else.
  await Promise.all([send('/hubs?limit=100'), list && !search && send(`${list}?limit=50`)]);
}

/** Whether a path is that of the Stream, where the app starts. */
export const isStart = (pathname: string): boolean => /^\/(?:stream)?$/.test(pathname);

/** Returns the response to a GET request if it was sent early. Each can be taken once. */
export function takeEarly(url: string): Promise<Response> | undefined {
  const response = globalThis.earlyResponses?.[url];
  delete globalThis.earlyResponses?.[url];
  return response;
}

/** Cancels the responses that nobody has taken. From the first live event on, they may be out of date. */
export function dropEarly(): void {
  for (const early of Object.values(globalThis.earlyResponses ?? {})) {
    early.then(
      ({ body }) => body?.cancel(),
      () => {},
    );
  }
  globalThis.earlyResponses = undefined;
}
