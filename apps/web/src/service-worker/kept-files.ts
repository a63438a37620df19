/** Put in by the build: a name for what it made, and what the page of those who are offline is made of. */
declare const HUB_BUILD: string;
declare const HUB_OFFLINE_FILES: readonly string[];

const PREFIX = 'hub-files-';
const CACHE = `${PREFIX}${HUB_BUILD}`;
const OFFLINE_PAGE = '/offline';

/** All that is needed when nothing can be fetched any more. */
export async function prepare(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([OFFLINE_PAGE, ...HUB_OFFLINE_FILES].map((file) => new Request(file, { cache: 'no-cache' })));
}

/** What another build has kept is of no use to this one. */
export async function tidy(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** A file with a hash of its content in its name never changes: it is fetched once. */
export async function keepAsset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200 && response.type === 'basic') {
    const copy = response.clone();
    // No room is no reason not to show it.
    void caches
      .open(CACHE)
      .then((cache) => cache.put(request, copy))
      .catch(() => {});
  }
  return response;
}

/** Says that one is offline. Never an old page of the app: what it shows would not be so any more. */
export async function offlinePage(): Promise<Response> {
  return (await caches.match(OFFLINE_PAGE)) ?? Response.error();
}
