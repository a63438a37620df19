import { cachedAsset, cacheOfflineFiles, deleteOldCaches, offlinePage } from './cached-files.ts';
import { openNotification, renewSubscription, showPushed } from './pushed-notifications.ts';
import type { WorkerScope } from './scope.ts';

const scope = self as unknown as WorkerScope;

scope.addEventListener('install', (event) => event.waitUntil(Promise.all([cacheOfflineFiles(), scope.skipWaiting()])));
scope.addEventListener('activate', (event) => event.waitUntil(Promise.all([deleteOldCaches(), scope.clients.claim()])));

// All other requests, above all to the API, bypass the worker.
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return;
  if (/^\/app\/[^/]+$/.test(url.pathname)) return event.respondWith(cachedAsset(request));
  const isPage = request.mode === 'navigate' && !url.pathname.startsWith('/api/');
  if (isPage) event.respondWith(fetch(request).catch(offlinePage));
});

scope.addEventListener('push', (event) => event.waitUntil(showPushed(scope, event.data?.text() ?? '')));
scope.addEventListener('notificationclick', (event) => event.waitUntil(openNotification(scope, event.notification)));
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(scope, event)));
