import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { hubItemsRoutes } from './hub-items.routes.ts';
import { messagesRoutes } from './messages.routes.ts';

/** Everything about messages, notes and to-dos. */
export function itemsRoutes(deps: Deps) {
  return new Elysia({ name: 'items' }).use(hubItemsRoutes(deps)).use(messagesRoutes(deps));
}
