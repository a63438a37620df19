/** The part of a service worker's global scope that is used here. TypeScript's DOM library lacks it. */
export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PageClient[]>;
    openWindow(address: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  readonly location: { readonly origin: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchingEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushedEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickedEvent) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionEvent) => void): void;
}

export interface PageClient {
  readonly url: string;
  readonly focused: boolean;
  readonly visibilityState: string;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

interface LastingEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchingEvent extends LastingEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface PushedEvent extends LastingEvent {
  readonly data: { text(): string } | null;
}
interface ClickedEvent extends LastingEvent {
  readonly notification: Notification;
}
export interface SubscriptionEvent extends LastingEvent {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

/** Sent to a page when a notification has been clicked. */
export interface OpenMessage {
  type: 'open';
  to: string;
}
