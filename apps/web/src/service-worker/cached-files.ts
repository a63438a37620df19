/** Set by the build: a name for its output, and the files of the offline page. */
declare const HUB_BUILD: string;
declare const HUB_OFFLINE_FILES: readonly string[];

const PREFIX = 'hub-files-';
const CACHE = `${PREFIX}${HUB_BUILD}`;
const OFFLINE_PAGE = '/offline';

/** Stores everything that the offline page needs. */
export async function cacheOfflineFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([OFFLINE_PAGE, ...HUB_OFFLINE_FILES].map((file) => new Request(file, { cache: 'no-cache' })));
}

/** Deletes the files of other builds, which this one cannot use. */
export async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** Returns a file with a content hash in its name. It never changes, so it is fetched once. */
export async function cachedAsset(request: Request): Promise<Response> {
  const cached = await caches.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.status === 200 && response.type === 'basic') {
    const copy = response.clone();
    // Full storage must not prevent the file from being used.
    void caches
      .open(CACHE)
      .then((cache) => cache.put(request, copy))
      .catch(() => {});
  }
  return response;
}

/** Returns the offline page. Old pages of the app are never returned, since their content would be outdated. */
export async function offlinePage(): Promise<Response> {
  return (await caches.match(OFFLINE_PAGE)) ?? Response.error();
}
