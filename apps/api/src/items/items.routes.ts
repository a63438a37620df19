import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { hubItemsRoutes } from './hub-items.routes.ts';
import { messagesRoutes } from './messages.routes.ts';
import { notesRoutes } from './notes.routes.ts';
import { reactionsRoutes } from './reactions.routes.ts';
import { streamRoutes } from './stream.routes.ts';
import { todosRoutes } from './todos.routes.ts';

/** All routes for messages, notes and to-dos. */
export function itemsRoutes(deps: Deps) {
  return new Elysia({ name: 'items' })
    .use(hubItemsRoutes(deps))
    .use(messagesRoutes(deps))
    .use(reactionsRoutes(deps))
    .use(notesRoutes(deps))
    .use(todosRoutes(deps))
    .use(streamRoutes(deps));
}
